package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// drawn is a file with functions in the drawing of docs/concepts/run.md.
var drawn = regexp.MustCompile(`(\w[\w/]*\.go) +(\w+(?:, \w+)*)`)

func TestDrawingOfARunNamesExistingFunctions(t *testing.T) {
	root := testkit.Root(t)
	page, err := os.ReadFile(filepath.Join(root, "docs/concepts/run.md"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, m := range drawn.FindAllStringSubmatch(string(page), -1) {
		source, err := os.ReadFile(filepath.Join(root, m[1]))
		if err != nil {
			t.Error(err)
			continue
		}
		for name := range strings.SplitSeq(m[2], ", ") {
			n++
			if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + name + `\(`).Match(source) {
				t.Errorf("%s has no function %s", m[1], name)
			}
		}
	}
	if n < 20 {
		t.Errorf("the drawing names %d functions", n)
	}
}
