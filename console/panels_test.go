package console_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

var testBlocks = block.NewRegistry([]block.Entry{block.Of[source]("counts and fails"), block.Of[robot]("a robot of a model"), block.Of[figure]("a robot that nothing moves")})

const testFile = `# A system for tests.
system: test
threads:
  main: {period: 1ms}
blocks:
  # Two that count.
  a: {type: console_test.source, params: {gain: 2}} # not fast
  b: {type: console_test.source}
links:
  - a.out -> b.in
`

// runFile runs a system from a file in a folder of its own.
func runFile(t testing.TB, text string) (*admin.Local, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return runSystem(t, path, system.Options{Registry: testBlocks}), path
}

// runSystem executes a system file in real time until the test ends.
func runSystem(t testing.TB, path string, o system.Options) *admin.Local {
	t.Helper()
	sys, err := system.Load(path, o)
	if err != nil {
		t.Fatal(err)
	}
	core := thread.New(sys.Net, thread.Options{})
	done := make(chan error, 1)
	go func() { done <- core.Run(context.Background(), nil) }()
	t.Cleanup(func() { core.Stop(); <-done })
	local := admin.NewLocal(core.Front(), sys)
	local.CheckWith(admin.LocalChecker{Registry: o.Registry})
	return local
}

func withBlocks(o *console.Options) {
	o.Registry, o.Checker = testBlocks, admin.LocalChecker{Registry: testBlocks}
}

func TestPanelsAreWrittenReadAndRemoved(t *testing.T) {
	local, path := runFile(t, testFile)
	r := open(t, local, withBlocks)
	p := r.page("")
	if list := p.want("panels.list", m{"system": "test"}); len(list.([]any)) != 0 {
		t.Errorf("panels %v", list)
	}
	panel := []byte(`{"system":"test","name":"Prüfstand 🤖","panel":{"title":"yes","widgets":[{"kind":"slider","at":{"x":0,"y":1,"w":4,"h":2},"bind":"a.gain","min":-1.5,"names":["on","off"],"note":"1"},{"kind":"led","big":1e300,"deep":[[1],[2,[3]]]}]}}`)
	p.want("panels.put", panel)
	text, err := os.ReadFile(filepath.Join(filepath.Dir(path), "panels", "Prüfstand 🤖.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "at: {x: 0, y: 1, w: 4, h: 2}") || strings.Index(string(text), "kind") > strings.Index(string(text), "bind") {
		t.Errorf("the file is hard to read:\n%s", text)
	}
	got := p.want("panels.get", m{"system": "test", "name": "Prüfstand 🤖"}).(m)
	if got["yaml"] != string(text) {
		t.Errorf("yaml %v", got["yaml"])
	}
	widgets := got["panel"].(m)["widgets"].([]any)
	want := m{"kind": "slider", "at": m{"x": 0., "y": 1., "w": 4., "h": 2.}, "bind": "a.gain", "min": -1.5, "names": []any{"on", "off"}, "note": "1"}
	if !reflect.DeepEqual(widgets[0], want) || got["panel"].(m)["title"] != "yes" {
		t.Errorf("panel %v", got["panel"])
	}
	if list := p.want("panels.list", m{"system": "test"}).([]any); len(list) != 1 || list[0] != "Prüfstand 🤖" {
		t.Errorf("panels %v", list)
	}
	const commented = "# of the gain\ntitle: gain   # as it is\n"
	p.want("panels.put", m{"system": "test", "name": "Prüfstand 🤖", "yaml": commented})
	if got := p.want("panels.get", m{"system": "test", "name": "Prüfstand 🤖"}).(m); got["yaml"] != commented || got["panel"].(m)["title"] != "gain" {
		t.Errorf("panel %v", got)
	}
	p.refuse("panels.put", m{"system": "test", "name": "x", "yaml": commented, "panel": m{}}, "either panel or yaml")
	p.refuse("panels.put", m{"system": "test", "name": "x", "yaml": "title: ["}, "line 1, column 8: not YAML: the [ that opens here is not closed")
	p.refuse("panels.put", m{"system": "test", "name": "x", "yaml": "title: {"}, "line 1, column 8: not YAML: the { that opens here is not closed")
	p.refuse("panels.put", m{"system": "test", "name": "x", "yaml": "a:\n\ttitle: x"}, "line 2, column 1: not YAML: a tab indents this line")
	p.refuse("panels.put", m{"system": "test", "name": "x", "yaml": "[1]"}, "wants a mapping")
	for text, want := range map[string]string{"title: {": "line 1, column 8: not YAML: the {", "a:\n\ttitle: x": "line 2, column 1: not YAML: a tab"} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), "panels", "broken.yaml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		p.refuse("panels.get", m{"system": "test", "name": "broken"}, want)
	}
	p.want("panels.remove", m{"system": "test", "name": "broken"})
	for _, name := range []string{"", ".", "..", "../x", "a/b", `a\b`, ".hidden", "x\x00", "x\ny", "C:x", strings.Repeat("x", 100), " x"} {
		p.refuse("panels.put", m{"system": "test", "name": name, "panel": m{}}, "name")
		p.refuse("panels.get", m{"system": "test", "name": name}, "name")
	}
	p.refuse("panels.put", m{"system": "test", "name": "x", "panel": []any{}}, "object")
	p.refuse("panels.put", m{"system": "test", "name": "x"}, "object")
	p.refuse("panels.put", []byte(`{"system":"test","name":"x","panel":`+strings.Repeat(`{"a":`, 100)+"1"+strings.Repeat("}", 101)), "deep")
	p.refuse("panels.put", m{"system": "test", "name": "x", "panel": m{"x": strings.Repeat("x", 300<<10)}}, "bytes")
	p.refuse("panels.get", m{"system": "test", "name": "none"}, "none")
	r.page(aToken+" ann").refuse("panels.put", panel, "tune")
	p.want("panels.remove", m{"system": "test", "name": "Prüfstand 🤖"})
	p.refuse("panels.remove", m{"system": "test", "name": "Prüfstand 🤖"}, "no panel")
	if entries, _ := os.ReadDir(filepath.Join(filepath.Dir(path), "panels")); len(entries) != 0 {
		t.Errorf("left behind: %v", entries)
	}
	p2 := open(t, run(t, time.Millisecond, "a")).page("")
	p2.refuse("panels.list", m{"system": "test"}, "file")
}
