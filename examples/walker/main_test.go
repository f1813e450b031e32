package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// asCommand makes the test's program act as the walker: the supervisor starts it this way.
const asCommand = "WALKER_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// walker runs the command and returns what it prints.
func walker(t *testing.T, runtimeDir string, args ...string) (string, error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir = testkit.Root(t)
	cmd.Env = append(os.Environ(), asCommand+"=yes", "XDG_RUNTIME_DIR="+runtimeDir, "SINEW_SHM="+testkit.SharedFolder(t))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	return out.String(), err
}

func TestTourVisitsEachGait(t *testing.T) {
	out, err := walker(t, t.TempDir())
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"stands: ", "has walked ahead (tripod)", "has turned left", "lies down again"} {
		if !strings.Contains(out, want) {
			t.Errorf("the tour does not print %q:\n%s", want, out)
		}
	}
}

// Each part runs in its own process: commands have the same effect as in one process.
func TestPartsRunInSeparateProcesses(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: processes share memory on Linux only")
	}
	dir := t.TempDir()
	run := filepath.Join(dir, "run")
	if err := os.Mkdir(run, 0o700); err != nil {
		t.Fatal(err)
	}
	do := func(args ...string) string {
		t.Helper()
		out, err := walker(t, run, args...)
		if err != nil {
			t.Fatalf("walker %q: %v\n%s", args, err, out)
		}
		return out
	}
	do("up", "examples/walker/processes.yaml")
	defer do("down", "walker")
	position := func() (p [3]float64) {
		t.Helper()
		var sample struct{ Value []float64 }
		out := do("tap", "--system", "walker.machine", "robot.base_position", "--count", "1", "--json")
		if err := json.Unmarshal([]byte(out), &sample); err != nil || len(sample.Value) != 3 {
			t.Fatalf("the position is %q: %v", out, err)
		}
		return [3]float64(sample.Value)
	}
	until := func(what string, ready func(p [3]float64) bool) {
		t.Helper()
		var p [3]float64
		ok := false
		defer func() {
			if !ok {
				t.Logf("it is at %v", p)
			}
		}()
		testkit.Await(t, what, func() bool { p = position(); ok = ready(p); return ok })
	}
	do("call", "--system", "walker.body", "body.drive.standUp")
	until("it stands up", func(p [3]float64) bool { return p[2] > 0.125 })
	testkit.Await(t, "it accepts walking", func() bool { // the state follows slightly after the height
		_, err := walker(t, run, "call", "--system", "walker.body", "body.drive.walk", "0.1", "0", "0")
		return err == nil
	})
	until("it walks", func(p [3]float64) bool { return p[0] > 0.2 && p[2] > 0.11 })
}
