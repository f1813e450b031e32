package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// Pages whose promises are each shown by a test: `go test PACKAGE -run PATTERN`, or of a whole package.
var shown = []string{"docs/reliability.md", "docs/security.md"}

var (
	shownBy  = regexp.MustCompile("`go test (\\./\\S+?)(?: -run ([^`]+))?`")
	testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
)

func TestEveryPromiseIsShownByATestThatExists(t *testing.T) {
	root := testkit.Root(t)
	for _, page := range shown {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		calls := shownBy.FindAllStringSubmatch(strings.ReplaceAll(string(text), `\|`, "|"), -1)
		if len(calls) < 20 {
			t.Errorf("%s names %d tests: are its commands written otherwise now?", page, len(calls))
		}
		for _, call := range calls {
			if pattern := strings.Trim(call[2], "'"); !anyTest(t, filepath.Join(root, call[1]), pattern) {
				t.Errorf("%s: no test of %s is called %q", page, call[1], pattern)
			}
		}
	}
}

// anyTest reports whether each alternative of a pattern of go test matches a test of the package in a folder.
func anyTest(t *testing.T, folder, pattern string) bool {
	t.Helper()
	names := testNames(t, folder)
	for one := range strings.SplitSeq(pattern, "|") {
		name, script, _ := strings.Cut(one, "/")
		match := regexp.MustCompile(name)
		if !slices.ContainsFunc(names, match.MatchString) {
			return false
		}
		if script != "" {
			if _, err := os.Stat(filepath.Join(folder, "testdata", "script", script+".txtar")); err != nil {
				return false
			}
		}
	}
	return true
}

func testNames(t *testing.T, folder string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range testFunc.FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
	}
	return names
}
