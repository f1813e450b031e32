package testkit

import (
	"os"
	"path/filepath"
	"testing"
)

// Root returns the folder of the repository: the nearest one above the test's package that holds go.mod.
func Root(t testing.TB) string {
	t.Helper()
	start, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatalf("no go.mod in %s or any folder above it", start)
		}
	}
}

// SharedData returns the path of a file or folder of the reference data beside the repository, in ../shared/data.
// They are large and optional: if they are missing, SharedData skips the test with a message.
func SharedData(t testing.TB, path ...string) string {
	t.Helper()
	full := filepath.Join(append([]string{Root(t), "..", "shared", "data"}, path...)...)
	if _, err := os.Stat(full); err != nil {
		t.Skipf("SKIPPED: the reference data are not here: %v", err)
	}
	return full
}
