package console_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
)

func TestEditNet(t *testing.T) {
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

	// A text that an editor made of the net alone has no comments: those of the file stay where only parameters differ.
	bare := "system: test\nthreads: {main: {period: 1ms}}\nblocks:\n" +
		"  a: {type: console_test.source, params: {gain: 2.5}}\n  b: {type: console_test.source, params: {gain: 7}}\nlinks: [a.out -> b.in]\n"
	version := p.want("net.put", m{"system": "test", "text": bare, "version": got["version"]}).(m)["version"]
	text, _ := os.ReadFile(path)
	want := strings.Replace(testFile, "{gain: 2}", "{gain: 2.5}", 1)
	want = strings.Replace(want, "b: {type: console_test.source}", "b: {type: console_test.source, params: {gain: 7}}", 1)
	if string(text) != want {
		t.Errorf("the file is\n%s\nwants\n%s", text, want)
	}
	if now := p.want("net.get", m{"system": "test"}).(m)["version"]; now != version {
		t.Errorf("version %v, %v", now, version)
	}
	// More than parameters: the new text stands as it is.
	more := strings.Replace(bare, "links:", "  c: {type: console_test.source}\nlinks:", 1)
	p.want("net.put", m{"system": "test", "text": more})
	if text, _ = os.ReadFile(path); string(text) != more {
		t.Errorf("the file is\n%s", text)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
	r.page(aToken+" ann").refuse("net.put", m{"system": "test", "text": testFile}, "tune")
}

func TestSaveTunedParameters(t *testing.T) {
	local, path := runFile(t, testFile)
	p := open(t, local, withBlocks).page(aToken + " bob")
	save := func(dry bool) string {
		return p.want("save", m{"system": "test", "dry_run": dry}).(m)["diff"].(string)
	}
	if d := save(true); d != "" {
		t.Errorf("nothing was tuned: %s", d)
	}
	p.want("set", m{"system": "test", "block": "a", "values": m{"gain": 4.5}})
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

func TestPalette(t *testing.T) {
	local, _ := runFile(t, testFile)
	p := open(t, local, withBlocks).page("")
	list := p.want("types", m{"system": "test"}).([]any)
	if len(list) != 2 {
		t.Fatalf("types %v", list)
	}
	source := list[1].(m)
	if source["type"] != "console_test.source" || source["doc"] != "counts and fails" || len(source["ports"].([]any)) != 4 || len(source["params"].([]any)) != 1 {
		t.Errorf("type %v", source)
	}
	one := p.want("types", m{"system": "test", "type": "console_test.source", "params": m{"gain": 99}}).([]any)[0].(m)
	if one["problem"] == nil {
		t.Errorf("a wrong parameter is no problem: %v", one)
	}
	p.refuse("types", m{"type": "console_test.sorce"}, "console_test.source")
}

// TestPaletteHasAllTypes checks that every type that comes with sinew can be described.
func TestPaletteHasAllTypes(t *testing.T) {
	registry := block.NewRegistry(flow.Blocks(), servo.Blocks())
	local, _ := runFile(t, testFile)
	p := open(t, local, func(o *console.Options) { o.Registry = registry }).page("")
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
