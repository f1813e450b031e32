//go:build unix

package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

// A system of a command of its own, whose types of blocks sinew's console does not know, with an overlay and a parameter from
// the command line.
var ownSystem = map[string]string{
	"sys/own.yaml": "system: own\nthreads: {t: {period: 2ms}}\nblocks:\n  one: {type: flow.Constant, params: {value: [1]}}\n" +
		"groups: {cell: {include: ../parts/cell.yaml}}\nlinks: [one.out -> cell.in]\n",
	"parts/cell.yaml": "# A cell.\nblocks:\n  twice: {type: flow.Gain, params: {gain: [2]}}  # twice\n" +
		"  odd: {type: cli_test.Faulty, params: {how: never}}\nports: {in: twice.in}\n",
	"over.yaml": "blocks: {one: {params: {value: [3]}}}\n",
}

// startOwn runs the system in a process of the test's own command, which the test ends.
func startOwn(t *testing.T) (dir string) {
	t.Helper()
	testkit.UserFolder(t)
	dir = t.TempDir()
	for name, text := range ownSystem {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command("sinew", "run", "--one-process", "--console", "--listen", fmt.Sprintf("127.0.0.1:%d", testkit.FreePort(t, 1)), "--for", "1h", "--overlay", "over.yaml", "--param", "cell.twice.gain=[5]", "sys/own.yaml")
	run.Dir = dir
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = run.Wait(); close(ended) }()
	t.Cleanup(func() {
		if c, err := nats.Dial("own"); err == nil { // perhaps one that was started again
			_ = c.Stop(context.Background())
			_ = c.Close()
		}
		_ = run.Process.Kill()
		<-ended
	})
	return dir
}

// TestConsoleEditsSystemsWhoseBlocksItLacks edits, saves and restarts a system whose blocks the console's command does not know.
func TestConsoleEditsSystemsWhoseBlocksItLacks(t *testing.T) {
	dir := startOwn(t)
	ask, end := startConsole(t, "console")
	want := func(method string, more ...any) any {
		t.Helper()
		args := map[string]any{"system": "own"}
		for i := 0; i+1 < len(more); i += 2 {
			args[more[i].(string)] = more[i+1]
		}
		v, err := ask(method, args)
		if err != "" {
			t.Fatalf("%s: %s", method, err)
		}
		return v
	}
	number := func(ref string) any {
		r, _ := ask("read", map[string]any{"system": "own", "ref": ref})
		if r == nil {
			return nil
		}
		return r.(map[string]any)["value"].([]any)[0]
	}
	testkit.Await(t, "a value", func() bool { return number("cell.twice.out") == 15.0 })

	types := want("types", "type", "cli_test.Faulty", "params", map[string]any{"how": "never"}).([]any)
	if len(types) != 1 || types[0].(map[string]any)["problem"] != nil {
		t.Errorf("types %v", types)
	}
	got := want("net.get").(map[string]any)
	var names []string
	for _, f := range got["files"].([]any) {
		names = append(names, f.(map[string]any)["name"].(string)+" "+f.(map[string]any)["kind"].(string))
	}
	if want := []string{"own.yaml system", "../over.yaml overlay", "../parts/cell.yaml group"}; !slices.Equal(names, want) {
		t.Errorf("files %q", names)
	}
	cell := filepath.Join(dir, "parts", "cell.yaml")
	changed := strings.Replace(ownSystem["parts/cell.yaml"], "[2]", "[7]", 1)
	if errs := want("net.check", "file", cell, "text", changed).(map[string]any)["errors"].([]any); len(errs) != 0 {
		t.Errorf("errors %v", errs)
	}
	wrong := strings.Replace(changed, "how: never", "when: never", 1)
	errs := want("net.check", "file", cell, "text", wrong).(map[string]any)["errors"].([]any)
	if len(errs) != 1 || errs[0].(map[string]any)["file"] != cell || errs[0].(map[string]any)["line"] != 4.0 {
		t.Errorf("errors %v", errs)
	}
	want("net.put", "file", cell, "text", strings.Replace(changed, "how: never", "how: ever", 1))

	want("restart")
	testkit.Await(t, "the previous value", func() bool { return number("cell.twice.out") == 15.0 })
	if how := want("param", "ref", "cell.odd.how"); how != "ever" {
		t.Errorf("the changed file is not read: %v", how)
	}
	st := want("structure").(map[string]any)["processes"].([]any)[0].(map[string]any)
	if command := st["command"].([]any); st["dir"] != dir || slices.Contains(command, any("--for=1h0m0s")) || command[len(command)-1] != "sys/own.yaml" {
		t.Errorf("restarted by %v in %v", command, st["dir"])
	}

	want("set", "ref", "one", "named", map[string]any{"value": []any{4}})
	want("set", "ref", "cell.twice", "named", map[string]any{"gain": []any{6}})
	diff := want("save", "dry_run", false).(map[string]any)["diff"].(string)
	over, _ := os.ReadFile(filepath.Join(dir, "over.yaml"))
	part, _ := os.ReadFile(cell)
	if string(over) != strings.Replace(ownSystem["over.yaml"], "[3]", "[4]", 1) || !strings.Contains(string(part), "{gain: [6]}}  # twice") || !strings.Contains(diff, "-  twice") {
		t.Errorf("saved\n%s\n%s\n%s", diff, over, part)
	}

	want("stop")
	testkit.Await(t, "the end", func() bool { return len(systemsHere(t)) == 0 })
	errs = want("net.check", "file", cell, "text", string(part)).(map[string]any)["errors"].([]any)
	if len(errs) != 0 {
		t.Errorf("the command that ran the system knows its types while it is stopped, too: %v", errs)
	}
	want("start")
	testkit.Await(t, "the saved value under the command's", func() bool { return number("cell.twice.out") == 20.0 })
	if err := end(); err != nil {
		t.Error(err)
	}
}

// TestConsoleRestartsWhatIsUp starts a system of two processes again under its changed file, supervisor and all.
func TestConsoleRestartsWhatIsUp(t *testing.T) {
	testkit.UserFolder(t)
	dir := t.TempDir()
	const text = `system: upagain
threads: {a: {period: 5ms}, b: {period: 5ms}}
blocks:
  one: {type: flow.Constant, thread: a, params: {value: [1]}}
  two: {type: flow.Gain, thread: b, params: {gain: [2]}}
links: [one.out -> two.in]
deploy: {processes: {pa: {threads: [a], restart: always}, pb: {threads: [b]}}}
`
	for name, text := range map[string]string{"pair.yaml": text, "over.yaml": "blocks: {one: {params: {value: [3]}}}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	up := exec.Command("sinew", "up", "--overlay", "over.yaml", "--param", "two.gain=[4]", "pair.yaml")
	up.Dir = dir
	if out, err := up.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	defer func() {
		if out, err := exec.Command("sinew", "down", "upagain").CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}()
	ask, end := startConsole(t, "console")
	on := map[string]any{"system": "upagain"}
	if _, err := ask("net.put", map[string]any{"system": "upagain", "text": strings.NewReplacer("links: [", "  three: {type: flow.Gain, thread: b}\nlinks: [two.out -> three.in, ").Replace(text)}); err != "" {
		t.Fatal(err)
	}
	if _, err := ask("restart", on); err != "" {
		t.Fatal(err)
	}
	value := any(nil)
	defer func() {
		if value != 12.0 {
			t.Logf("the new block has %v", value)
		}
	}()
	testkit.Await(t, "the new block has the value of overlay and --param", func() bool {
		if r, _ := ask("read", map[string]any{"system": "upagain", "ref": "three.out"}); r != nil {
			value = r.(map[string]any)["value"].([]any)[0]
		}
		return value == 12.0
	})
	if err := end(); err != nil {
		t.Error(err)
	}
}

// systemsHere returns the systems of this user on this host.
func systemsHere(t *testing.T) []string {
	t.Helper()
	names, err := nats.List()
	if err != nil {
		t.Fatal(err)
	}
	return names
}
