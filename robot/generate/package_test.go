package generate

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// A generated package must build and pass its own tests.
func TestGeneratedPackages(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: builds generated packages; run without -short")
	}
	for _, r := range robots {
		t.Run(r.file, func(t *testing.T) {
			t.Parallel()
			dir := write(t, r.file, r.floating, r.tool)
			cmd := exec.Command("go", "test", ".")
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}

// write generates the package of a robot into a folder of this module that is removed after the test.
func write(t *testing.T, file string, floating bool, tool string) (dir string) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(testkit.Root(t), "bench/robots", file))
	if err != nil {
		t.Fatal(err)
	}
	files, err := Package(load(t, file, floating), Options{Name: "robot", Tool: tool, Source: source, Floating: floating, Batch: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("testdata", 0o755); err != nil { // within the module, and no package of it
		t.Fatal(err)
	}
	if dir, err = os.MkdirTemp("testdata", "generated-"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		os.RemoveAll(dir)
		_ = os.Remove("testdata") // the last one
	})
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
