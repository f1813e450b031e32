package run

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
)

// runScripted runs a system of two waves with scripts in virtual time and returns its lines, the structure at the end of the
// run, and the error. extra is put behind the system file.
func runScripted(t *testing.T, until time.Duration, files map[string]string, extra string) (lines string, blocks map[string]admin.Block, err error) {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{"x.yaml": `system: x
threads: {servo: {period: 10ms}}
blocks:
  a: {type: run.wave, script: a.star}
groups:
  arm: {include: arm.yaml}
` + extra, "arm.yaml": "blocks: {b: {type: run.wave, script: b.star}}\n"}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	registry := block.NewRegistry([]block.Entry{block.Of[wave]("")})
	sys, err := system.Load(filepath.Join(dir, "x.yaml"), system.Options{Registry: registry})
	if err != nil {
		return "", nil, err
	}
	var out bytes.Buffer
	r, err := System(context.Background(), sys, Options{Virtual: true, Until: until, Output: &out})
	if err != nil {
		return "", nil, err
	}
	err = r.Wait()
	s, structureErr := r.Local.Structure(context.Background())
	if structureErr != nil {
		t.Fatal(structureErr)
	}
	blocks = map[string]admin.Block{}
	for _, b := range s.Blocks {
		blocks[b.Name] = b
	}
	return out.String(), blocks, err
}

func TestScriptsOfBlocksRunWithTheirBlocks(t *testing.T) {
	files := map[string]string{
		"a.star": `
log("a begins", self.amplitude)
self.amplitude = 2
machine("up", {
    "up": state(to = [when(lambda: self.out > 1.9, "down")]),
    "down": state(entry = lambda: log("a is up"), to = [when(lambda: self.out < -1.9, "end")]),
    "end": state(),
})
log("a ends")
`,
		"b.star": "log('b begins')\nwait(0.5)\na.amplitude = 3\nlog('b ends', self.amplitude)\n",
	}
	first, blocks, err := runScripted(t, 0, files, "")
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	// a reads a parameter first, for which it waits, so the line of b is the first.
	for _, want := range []string{"b begins", "a begins 1.0", "a is up", "b ends 1.0", "a ends"} {
		i := strings.Index(first[at:], want)
		if i < 0 {
			t.Fatalf("no %q in its place:\n%s", want, first)
		}
		at += i
	}
	for name, file := range map[string]string{"a": "a.star", "arm.b": "b.star"} {
		s := blocks[name].Script
		if s == nil || filepath.Base(s.File) != file || s.State != admin.ScriptEnded {
			t.Errorf("%s is listed with the script %+v", name, s)
		}
	}
	for range 5 {
		if again, _, _ := runScripted(t, 0, files, ""); again != first {
			t.Fatalf("another run differs:\n%s\n%s", first, again)
		}
	}
}

// "The ExecutionEngine is executed according to the activity of the component": no activity, no script.
func TestScriptOfABlockPausesWhileItIsDisabled(t *testing.T) {
	lines, blocks, err := runScripted(t, 3*time.Second, map[string]string{
		"a.star": "while True:\n    log('a')\n    wait(0.1)\n",
		"b.star": "wait(0.55)\na.enable = False\nwait(1)\na.release('enable')\nwait(0.5)\na.enable = False\n",
	}, "")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(lines, "  a\n"); n < 9 || n > 13 {
		t.Errorf("the script logs %d times in 3 s, of which its block is disabled for 2 s:\n%s", n, lines)
	}
	if s := blocks["a"].Script; s == nil || s.State != admin.ScriptPaused && s.State != admin.ScriptEnded {
		t.Errorf("the script of a disabled block is %+v", s)
	}
}

func TestScriptOfABlockFailsWithItsPosition(t *testing.T) {
	lines, blocks, err := runScripted(t, time.Second, map[string]string{
		"a.star": "wait(0.1)\nself.amplitud = 3\n", "b.star": "wait(0.5)\nlog('b goes on')\n",
	}, "")
	if err == nil || !strings.Contains(err.Error(), `script of block "a"`) || !strings.Contains(err.Error(), "a.star:2:5") || !strings.Contains(err.Error(), `"amplitude"`) {
		t.Errorf("the run ends with %v", err)
	}
	if !strings.Contains(lines, "b goes on") || !strings.Contains(lines, `the script of block "a" has stopped, the system goes on`) {
		t.Errorf("lines:\n%s", lines)
	}
	if s := blocks["a"].Script; s == nil || s.State != admin.ScriptFailed || !strings.Contains(s.Error, "a.star:2:5") {
		t.Errorf("the script is listed as %+v", s)
	}
}

func TestOverlayRemovesTheScriptOfABlock(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"x.yaml": "system: x\nthreads: {t: {period: 10ms}}\nblocks: {a: {type: run.wave, script: lost.star}}\n", "o.yaml": "blocks: {a: {script: null}}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := system.Options{Registry: block.NewRegistry([]block.Entry{block.Of[wave]("")}), Overlays: []string{filepath.Join(dir, "o.yaml")}}
	if sys, err := system.Load(filepath.Join(dir, "x.yaml"), o); err != nil || len(sys.Scripts) != 0 {
		t.Errorf("got %v", err)
	}
}

func TestMissingOrBrokenScriptOfABlockIsAnError(t *testing.T) {
	for text, files := range map[string]map[string]string{
		"x.yaml:4:31: read":   {"b.star": ""},
		"arm.yaml:1:38: read": {"a.star": ""},
		`script of block "a"`: {"a.star": "x = (", "b.star": ""},
	} {
		if _, _, err := runScripted(t, time.Second, files, ""); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("got %v, expected %q", err, text)
		}
	}
}
