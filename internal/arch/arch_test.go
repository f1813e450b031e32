package arch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// TestRepositoryMatchesItsPage compares the repository with its ARCHITECTURE.md.
func TestRepositoryMatchesItsPage(t *testing.T) {
	root := testkit.Root(t)
	module := moduleName(t, filepath.Join(root, "go.mod"))
	page := read(t, filepath.Join(root, "ARCHITECTURE.md"))
	files, err := Scan(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	rows := table(t, page, "Packages")
	lengths, warnings := CheckLengths(files)
	for _, warning := range warnings {
		t.Logf("warning: %s", warning)
	}
	for _, rule := range []struct {
		name       string
		violations []string
	}{
		{"table", CheckTable(rows)},
		{"rows", CheckRows(rows, table(t, page, "Planned"), files)},
		{"imports", CheckImports(module, rows, files)},
		{"input and output", CheckIO(table(t, page, "Input and output"), files)},
		{"goroutines", CheckGoroutines(files)},
		{"init", CheckInit(files)},
		{"lengths", lengths},
		{"sizes", CheckSizes(files)},
	} {
		t.Run(rule.name, func(t *testing.T) {
			for _, violation := range rule.violations {
				t.Error(violation)
			}
		})
	}
}

func table(t *testing.T, page, heading string) []Row {
	t.Helper()
	rows, err := ParseTable(page, heading)
	if err != nil {
		t.Fatalf("ARCHITECTURE.md: %v", err)
	}
	return rows
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func moduleName(t *testing.T, path string) string {
	t.Helper()
	for line := range strings.Lines(read(t, path)) {
		if name, ok := strings.CutPrefix(line, "module "); ok {
			return strings.TrimSpace(name)
		}
	}
	t.Fatalf("%s: no module line", path)
	return ""
}
