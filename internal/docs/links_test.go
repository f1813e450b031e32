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

// pages returns the text of all pages by their path from the root.
func pages(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "node_modules" || path != root && strings.HasPrefix(e.Name(), ".")):
			return filepath.SkipDir
		case filepath.Ext(path) == ".md":
			text, err := os.ReadFile(path)
			rel, _ := filepath.Rel(root, path)
			all[filepath.ToSlash(rel)] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var link = regexp.MustCompile(`\]\(([^)\s#]+)(?:#[^)]*)?\)`)

func TestLinksLeadSomewhere(t *testing.T) {
	root := testkit.Root(t)
	for page, text := range pages(t, root) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s: the link %s leads nowhere", page, m[1])
			}
		}
	}
}
