package console_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
	"github.com/sinew-robotics/sinew/parts/torque"
)

func TestPageChecksAndWritesASystemFile(t *testing.T) {
	local, path := runFile(t, testFile)
	r := open(t, local, withBlocks)
	p := r.page(aToken + " bob")
	got := p.want("net.get", m{"system": "test"}).(m)
	if got["text"] != testFile || got["file"] != path {
		t.Fatalf("got %v", got)
	}
	check := func(text string) []any {
		return p.want("net.check", m{"system": "test", "text": text}).(m)["errors"].([]any)
	}
	if errs := check(testFile); len(errs) != 0 {
		t.Errorf("errors %v", errs)
	}
	broken := strings.Replace(strings.Replace(testFile, "gain: 2", "gain: 20", 1), "b.in", "b.nowhere", 1)
	errs := check(broken)
	if len(errs) == 0 {
		t.Fatal("no errors")
	}
	if e := errs[0].(m); e["line"] != 7.0 || e["column"] == 0.0 || !strings.Contains(e["text"].(string), "20") || strings.Contains(e["text"].(string), ".part") {
		t.Errorf("error %v", e)
	}
	if e := check("x: ["); len(e) == 0 {
		t.Error("broken YAML has no errors")
	}
	p.refuse("net.put", m{"system": "test", "text": broken}, "20", "test.yaml:7:")
	p.refuse("net.put", m{"system": "test", "text": testFile, "file": "/etc/passwd"}, "/etc/passwd")
	p.refuse("net.put", m{"system": "test", "text": testFile, "version": "old"}, "changed")

	// The text is written as it is: a comment that a person has deleted stays deleted.
	bare := strings.NewReplacer("gain: 2", "gain: 2.5", " # not fast", "").Replace(testFile)
	if bare == testFile || strings.Contains(bare, "not fast") {
		t.Fatalf("no comment to delete in\n%s", testFile)
	}
	version := p.want("net.put", m{"system": "test", "text": bare, "version": got["version"]}).(m)["version"]
	if text, _ := os.ReadFile(path); string(text) != bare {
		t.Errorf("the file is\n%s\nwants\n%s", text, bare)
	}
	if now := p.want("net.get", m{"system": "test"}).(m)["version"]; now != version {
		t.Errorf("version %v, %v", now, version)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
	r.page(aToken+" ann").refuse("net.put", m{"system": "test", "text": testFile}, "tune")
}

func TestSaveWritesTunedParametersIntoTheFile(t *testing.T) {
	local, path := runFile(t, testFile)
	p := open(t, local, withBlocks).page(aToken + " bob")
	save := func(dry bool) string {
		return p.want("save", m{"system": "test", "dry_run": dry}).(m)["diff"].(string)
	}
	if d := save(true); d != "" {
		t.Errorf("nothing was tuned: %s", d)
	}
	p.want("set", m{"system": "test", "ref": "a", "named": m{"gain": 4.5}})
	if d := save(true); !strings.Contains(d, "+  a: {type: console_test.source, params: {gain: 4.5}} # not fast") {
		t.Errorf("diff %s", d)
	}
	if text, _ := os.ReadFile(path); string(text) != testFile {
		t.Error("a dry run wrote the file")
	}
	save(false)
	if text, _ := os.ReadFile(path); string(text) != strings.Replace(testFile, "gain: 2", "gain: 4.5", 1) {
		t.Errorf("the file is\n%s", text)
	}
	if _, err := system.Load(path, system.Options{Registry: testBlocks}); err != nil {
		t.Error(err)
	}
}

func TestPaletteShowsTypesOfBlocks(t *testing.T) {
	local, _ := runFile(t, testFile)
	p := open(t, local, withBlocks).page("")
	list := p.want("types", m{"system": "test"}).([]any)
	if len(list) != 3 {
		t.Fatalf("types %v", list)
	}
	source := list[2].(m)
	if source["type"] != "console_test.source" || source["doc"] != "counts and fails" || len(source["ports"].([]any)) != 4 || len(source["params"].([]any)) != 1 {
		t.Errorf("type %v", source)
	}
	one := p.want("types", m{"system": "test", "type": "console_test.source", "params": m{"gain": 99}}).([]any)[0].(m)
	if one["problem"] == nil {
		t.Errorf("a wrong parameter is no problem: %v", one)
	}
	p.refuse("types", m{"type": "console_test.sorce"}, "console_test.source")
}

// theTree is a system of several files: it includes one, and is put over another.
var theTree = map[string]string{
	"sys/test.yaml": "base: base.yaml\ninclude: [more.yaml]\nblocks: {b: {params: {gain: 4}}}  # faster\n",
	"sys/base.yaml": "system: test\nthreads: {main: {period: 1ms}}\nblocks: {b: {type: console_test.source}}\n" +
		"groups:\n  left: {include: ../parts/arm.yaml}\n  right: {include: ../parts/arm.yaml}\n  here: {blocks: {c: {type: console_test.source}}}\nlinks: [left.out -> b.in]\n",
	"sys/more.yaml": "blocks: {d: {type: console_test.source}}\n",
	"parts/arm.yaml": "# An arm.\nblocks:\n  a: {type: console_test.source, params: {gain: 2}} # not fast\n" +
		"groups:\n  hand: {blocks: {f: {type: console_test.source, params: {gain: 1}}}}  # soft\nports: {out: a.out}\n",
	"over.yaml":     "blocks: {b: {params: {gain: 5}}}\n",
	"stranger.yaml": "system: other\n",
}

// runTree executes it, with an overlay.
func runTree(t *testing.T) (local *admin.Local, dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range theTree {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return runSystem(t, filepath.Join(dir, "sys", "test.yaml"), system.Options{Registry: testBlocks, Overlays: []string{filepath.Join(dir, "over.yaml")}}), dir
}

// Every file of a system can be edited, none else, and each is checked with all others.
func TestEveryFileOfASystemIsEdited(t *testing.T) {
	local, dir := runTree(t)
	r := open(t, local, withBlocks)
	p := r.page(aToken + " bob")
	path := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	got := p.want("net.get", m{"system": "test"}).(m)
	want := []any{
		m{"file": path("sys/test.yaml"), "name": "test.yaml", "kind": "system", "groups": []any{}, "included": false},
		m{"file": path("sys/more.yaml"), "name": "more.yaml", "kind": "include", "groups": []any{}, "included": true},
		m{"file": path("sys/base.yaml"), "name": "base.yaml", "kind": "base", "groups": []any{}, "included": false},
		m{"file": path("over.yaml"), "name": "../over.yaml", "kind": "overlay", "groups": []any{}, "included": false},
		m{"file": path("parts/arm.yaml"), "name": "../parts/arm.yaml", "kind": "group", "groups": []any{"left", "right"}, "included": false},
	}
	if !reflect.DeepEqual(got["files"], want) || got["file"] != path("sys/test.yaml") {
		t.Errorf("got %v\nwant %v", got["files"], want)
	}
	for _, file := range []string{"/etc/passwd", path("stranger.yaml"), "test.yaml", path("sys/../sys/test.yaml") + "/", "../over.yaml"} {
		for _, method := range []string{"net.get", "net.check", "net.put"} {
			args := m{"system": "test", "file": file}
			if method != "net.get" {
				args["text"] = "blocks: {}\n"
			}
			p.refuse(method, args, "is not a file of")
		}
	}

	arm := path("parts/arm.yaml")
	broken := strings.Replace(theTree["parts/arm.yaml"], "out: a.out", "out: a.nowhere", 1)
	errs := p.want("net.check", m{"system": "test", "file": arm, "text": broken}).(m)["errors"].([]any)
	if len(errs) != 2 || errs[0].(m)["file"] != path("sys/base.yaml") || errs[0].(m)["line"] != 8.0 ||
		errs[1].(m)["file"] != arm || errs[1].(m)["line"] != 6.0 { // left.out is linked, right.out is not
		t.Errorf("errors %v", errs)
	}
	p.refuse("net.put", m{"system": "test", "file": arm, "text": broken}, "base.yaml:8:", "nowhere")
	errs = p.want("net.check", m{"system": "test", "file": arm, "text": strings.Replace(broken, "gain: 2", "gain: 20", 1)}).(m)["errors"].([]any)
	if len(errs) != 2 || errs[1].(m)["file"] != arm || errs[1].(m)["line"] != 3.0 { // of both arms
		t.Errorf("errors %v", errs)
	}

	// The file of a group is written as it is, too: comments that are gone stay gone.
	bare := strings.NewReplacer("# An arm.\n", "", " # not fast", "", "  # soft", "", "gain: 2", "gain: 3", "gain: 1", "gain: 0.5").Replace(theTree["parts/arm.yaml"])
	version := p.want("net.get", m{"system": "test", "file": arm}).(m)["version"]
	p.want("net.put", m{"system": "test", "file": arm, "text": bare, "version": version})
	if text, _ := os.ReadFile(arm); string(text) != bare {
		t.Errorf("the file is\n%s", text)
	}
	p.refuse("net.put", m{"system": "test", "file": arm, "text": bare, "version": version}, "changed on disk")

	// An overlay, and a file that is new in the list.
	over := p.want("net.put", m{"system": "test", "file": path("over.yaml"), "text": "blocks: {b: {params: {gain: 6}}}\ngroups: {new: {include: ../parts/arm.yaml}}\n"}).(m)
	if files := over["files"].([]any); !reflect.DeepEqual(files[4].(m)["groups"], []any{"left", "right", "new"}) {
		t.Errorf("files %v", files)
	}
	if left, _ := filepath.Glob(path("*/.*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Tuned values go to the files that give them, overlays among them.
func TestSaveChangesTheFileThatGivesEachValue(t *testing.T) {
	local, dir := runTree(t)
	p := open(t, local, withBlocks).page(aToken + " bob")
	if d := p.want("save", m{"system": "test", "dry_run": true}).(m)["diff"]; d != "" {
		t.Errorf("nothing was tuned: %s", d)
	}
	for block, gain := range map[string]float64{"b": 7, "here.c": 8, "left.a": 9, "right.a": 9} {
		p.want("set", m{"system": "test", "ref": block, "named": m{"gain": gain}})
	}
	diff := p.want("save", m{"system": "test"}).(m)["diff"].(string)
	for _, line := range []string{"+blocks: {b: {params: {gain: 7}}}", "+  here: {blocks: {c: {type: console_test.source, params: {gain: 8}}}}",
		"+  a: {type: console_test.source, params: {gain: 9}} # not fast"} {
		if !strings.Contains(diff, line) {
			t.Errorf("no %s in\n%s", line, diff)
		}
	}
	if d := p.want("save", m{"system": "test", "dry_run": true}).(m)["diff"]; d != "" {
		t.Errorf("after saving: %s", d)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "sys", "test.yaml")); string(text) != theTree["sys/test.yaml"] {
		t.Errorf("a file that gives none of the values has changed:\n%s", text)
	}
}

// A system that does not run is checked as it ran last, with the types that the console knows.
func TestStoppedSystemIsCheckedAndEdited(t *testing.T) {
	local, dir := runTree(t)
	r := open(t, local, withBlocks)
	p := r.page(aToken + " bob")
	p.want("structure", m{"system": "test"})
	r.systems.Remove("test")
	testkit.Await(t, "the end", func() bool { _, err := p.ask("structure", m{"system": "test"}); return err != nil })
	over := filepath.Join(dir, "over.yaml")
	if errs := p.want("net.check", m{"system": "test", "file": over, "text": "blocks: {b: {params: {gian: 5}}}"}).(m)["errors"].([]any); len(errs) != 1 || errs[0].(m)["file"] != over {
		t.Errorf("errors %v", errs)
	}
	if types := p.want("types", m{"system": "test"}).([]any); len(types) != 3 {
		t.Errorf("types %v", types)
	}
	p.want("net.put", m{"system": "test", "file": over, "text": "blocks: {b: {params: {gain: 6}}}\n"})
	if text, _ := os.ReadFile(over); !strings.Contains(string(text), "gain: 6") {
		t.Errorf("the file is %s", text)
	}
}

// TestPaletteHasAllTypes checks that every type that comes with sinew can be described.
func TestPaletteHasAllTypes(t *testing.T) {
	registry := block.NewRegistry(flow.Blocks(), servo.Blocks(), torque.Blocks())
	local, _ := runFile(t, testFile)
	p := open(t, local, func(o *console.Options) { o.Checker = admin.LocalChecker{Registry: registry} }).page("")
	list := p.want("types", nil).([]any)
	if len(list) != len(registry.Types()) {
		t.Errorf("%d types, wants %d", len(list), len(registry.Types()))
	}
	for _, x := range list {
		if b := x.(m); len(b["ports"].([]any)) < 2 {
			t.Logf("%v shows no ports yet: %v", b["type"], b["problem"])
		}
	}
}
