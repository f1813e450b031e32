package testkit

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Command is sinew as users have it, with a separate folder of running systems.
type Command struct {
	t    *testing.T
	path string
}

// Build builds the command. With -short it skips the test: processes take seconds.
func Build(t *testing.T) Command {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED by -short: processes of its own take some seconds")
	}
	c := Command{t, filepath.Join(t.TempDir(), "sinew")}
	if out, err := exec.Command("go", "build", "-o", c.path, "github.com/sinew-robotics/sinew/cmd/sinew").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	runtime, err := os.MkdirTemp("", "rt") // paths of sockets must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(runtime) })
	t.Setenv("TMPDIR", runtime)
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("XDG_STATE_HOME", runtime)
	t.Setenv("SINEW_SHM", SharedFolder(t))
	return c
}

// Run runs the command and returns what it printed.
func (c Command) Run(args ...string) (string, error) {
	out, err := exec.Command(c.path, args...).CombinedOutput()
	return string(out), err
}

// Must is Run for a command that must succeed.
func (c Command) Must(args ...string) string {
	c.t.Helper()
	out, err := c.Run(args...)
	if err != nil {
		c.t.Fatalf("sinew %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// Up starts a system with `sinew up`, and stops it at the end of the test. Where the test fails it prints the system's log.
func (c Command) Up(system string, args ...string) {
	c.t.Helper()
	c.t.Cleanup(func() {
		if c.t.Failed() {
			out, _ := c.Run("logs", system)
			c.t.Logf("logs:\n%s", out[max(0, len(out)-4000):])
		}
		_, _ = c.Run("down", system)
	})
	begin := time.Now()
	c.Must(append([]string{"up"}, args...)...)
	c.t.Logf("up took %v", time.Since(begin))
}
