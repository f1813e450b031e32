package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// drawn is a file with functions in the drawing of docs/concepts/run.md.
var drawn = regexp.MustCompile(`(\w[\w/]*\.go) +(\w+(?:, \w+)*)`)

// The way from the verb run to the first step is no longer than this.
const (
	mostStays = 20
	mostFiles = 8
)

func TestDrawingOfARunNamesExistingFunctionsAndIsShort(t *testing.T) {
	root := testkit.Root(t)
	page, err := os.ReadFile(filepath.Join(root, "docs/concepts/run.md"))
	if err != nil {
		t.Fatal(err)
	}
	stays, files := map[string]bool{"Step of each block": true}, map[string]bool{"that of the block": true}
	for _, m := range drawn.FindAllStringSubmatch(string(page), -1) {
		source, err := os.ReadFile(filepath.Join(root, m[1]))
		if err != nil {
			t.Error(err)
			continue
		}
		for name := range strings.SplitSeq(m[2], ", ") {
			stays[m[1]+" "+name], files[m[1]] = true, true
			if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + name + `\(`).Match(source) {
				t.Errorf("%s has no function %s", m[1], name)
			}
		}
	}
	if want := fmt.Sprintf("These are %d stays in %d files", len(stays), len(files)); !strings.Contains(string(page), want) {
		t.Errorf("the page does not state what its drawing shows: %q", want)
	}
	if len(stays) > mostStays || len(files) > mostFiles {
		t.Errorf("a run passes %d stays in %d files; at most %d in %d", len(stays), len(files), mostStays, mostFiles)
	}
}
