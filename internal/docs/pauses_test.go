package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

var (
	goPause   = regexp.MustCompile(`time\.Sleep\((.*)\)`)
	shortOne  = regexp.MustCompile(`^(time\.Millisecond|.*\btime\.Microsecond)$`)
	pagePause = regexp.MustCompile(`\b(waitForTimeout|pause)\(`)
	listed    = regexp.MustCompile("`([\\w./-]+\\.(?:go|ts))`")
)

// pauses reports whether a test waits for a time, longer than between two looks at a state.
func pauses(name, text string) bool {
	if strings.HasSuffix(name, ".test.ts") {
		return strings.HasPrefix(name, "console/ui/test/") && pagePause.MatchString(text)
	}
	if !strings.HasSuffix(name, "_test.go") || strings.Contains(name, "bench") || strings.Contains(text, "synctest.Test(") {
		return false
	}
	for _, m := range goPause.FindAllStringSubmatch(text, -1) {
		if !shortOne.MatchString(m[1]) {
			return true
		}
	}
	return false
}

// TestPausesOfTestsAreListed compares the tests with the table of CONTRIBUTING.md. A further file of a row may be named from the folder
// of the one before.
func TestPausesOfTestsAreListed(t *testing.T) {
	root := testkit.Root(t)
	page, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n### Pauses of tests\n")
	section, _, _ = strings.Cut(section, "\n## ")
	known := map[string]bool{}
	for row := range strings.Lines(section) {
		folder := ""
		for _, m := range listed.FindAllStringSubmatch(row, -1) {
			at := m[1]
			if _, err := os.Stat(filepath.Join(root, at)); err != nil {
				at = folder + "/" + m[1]
			}
			if _, err := os.Stat(filepath.Join(root, at)); err != nil {
				t.Errorf("CONTRIBUTING.md lists %s, which does not exist", m[1])
			}
			known[at], folder = true, filepath.ToSlash(filepath.Dir(at))
		}
	}
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "node_modules" || e.Name() == "measure" || path != root && strings.HasPrefix(e.Name(), ".")):
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".test.ts"):
			return nil
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		if rel = filepath.ToSlash(rel); pauses(rel, string(text)) && !known[rel] {
			t.Errorf("%s pauses: let it wait for a state (testkit.Await, expect.poll), or list it with its reason below \"Pauses of tests\" in CONTRIBUTING.md", rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
