package numbered_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sinew-robotics/sinew/internal/numbered"
)

func TestFilesAreNumberedInTheirOrder(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"run-9.log", "run-010.log", "run-1.txt", "run-x.log", "runs-3.log"} {
		if err := os.WriteFile(at(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if earlier, err := numbered.SetAside(at("run.log")); earlier != "" || err != nil {
		t.Errorf("without a file: %q, %v", earlier, err)
	}
	for _, want := range []string{at("run-10.log"), at("run-11.log")} {
		if err := os.WriteFile(at("run.log"), []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		if earlier, err := numbered.SetAside(at("run.log")); earlier != want || err != nil {
			t.Errorf("set aside as %q, %v, want %q", earlier, err, want)
		}
		if text, err := os.ReadFile(want); string(text) != want || err != nil {
			t.Errorf("%s holds %q, %v", want, text, err)
		}
	}
	if got, want := numbered.Earlier(at("run.log")), []string{at("run-9.log"), at("run-10.log"), at("run-11.log")}; !slices.Equal(got, want) {
		t.Errorf("earlier are %q, want %q", got, want)
	}
}
