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

// embedded is a line that embeds files of a package.
var embedded = regexp.MustCompile(`(?m)^//go:embed (.*\.go.*)$`)

// The doc comments of block types are read from embedded sources; tests in the binary would only make it larger.
func TestPartsEmbedAllTheirSourcesAndNoTests(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join(testkit.Root(t), "parts/*"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("parts: %v, %v", folders, err)
	}
	for _, folder := range folders {
		paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		var sources, named []string
		for _, path := range paths {
			if !strings.HasSuffix(path, "_test.go") {
				sources = append(sources, filepath.Base(path))
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range embedded.FindAllStringSubmatch(string(text), -1) {
				named = append(named, strings.Fields(m[1])...)
			}
		}
		slices.Sort(named)
		if named != nil && !slices.Equal(named, sources) {
			t.Errorf("%s embeds %v; want its sources without tests: %v", folder, named, sources)
		}
	}
}
