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

// undocumented is an exported type, function or method of an exported type behind a line that is no comment.
var undocumented = regexp.MustCompile(`(?m)^(?:[^/\n].*|)\n((?:func (?:\((?:\w+ )?\*?[A-Z]\w*(?:\[[^\]]*\])?\) )?|type )[A-Z]\w*)`)

func TestExportedNamesHaveDocComments(t *testing.T) {
	root := testkit.Root(t)
	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "node_modules" || e.Name() == "template" || file != root && strings.HasPrefix(e.Name(), ".")):
			return filepath.SkipDir
		case e.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if strings.Contains(string(text), "DO NOT EDIT.\n") || strings.Contains(string(text), "\npackage main\n") {
			return nil
		}
		for _, m := range undocumented.FindAllStringSubmatch(string(text), -1) {
			t.Errorf("%s: %s has no doc comment: what it does, units, range, errors", file, m[1])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
