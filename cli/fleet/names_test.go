package fleet_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/cli"
)

// TestDownTakesNoOtherFolder asks down, ps, attach and logs for systems whose names lead out of the user's folders, or to that of all:
// each is an error, and what is up stays.
func TestDownTakesNoOtherFolder(t *testing.T) {
	run, err := os.MkdirTemp("", "run") // paths of sockets must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(run) })
	t.Setenv("XDG_RUNTIME_DIR", run)
	plan := filepath.Join(run, "sinew", "up", "other", "plan.json")
	if err := os.MkdirAll(filepath.Dir(plan), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(plan, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".", "..", "../up/other", "other/", "other/../other", ""} {
		for _, args := range [][]string{{"down", name}, {"down", "--force", name}, {"ps", name}, {"attach", name}, {"logs", name}} {
			if len(args[len(args)-1]) == 0 && args[0] == "ps" {
				continue // all systems
			}
			var out, errs strings.Builder
			if cli.Execute(args, &out, &errs) == 0 {
				t.Errorf("%q succeeds: %s", args, &out)
			}
			if _, err := os.Stat(plan); err != nil {
				t.Fatalf("%q has removed another system's plan", args)
			}
		}
	}
}
