package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// goSnippet is Go code on a page, with the file that it is from.
var goSnippet = regexp.MustCompile("(?s)\n```go([^\n]*)\n(.*?)\n```")

// TestPagesShowTheExamples compares the Go code of all pages with the files that it is from, which other tests run: a
// page may leave lines out, and nothing else.
func TestPagesShowTheExamples(t *testing.T) {
	root := testkit.Root(t)
	for page, text := range pages(t, root) {
		if strings.HasPrefix(page, "docs/tutorial/") { // its files are compiled by TestTutorialCanBeTyped
			continue
		}
		for _, m := range goSnippet.FindAllStringSubmatch(text, -1) {
			file := strings.TrimSpace(m[1])
			source, err := os.ReadFile(filepath.Join(root, file))
			if file == "" || err != nil {
				t.Errorf("%s: code from the file %q, which is not there: write it as ```go FILE\n%s", page, file, m[2])
				continue
			}
			if line := missing(string(source), m[2]); line != "" {
				t.Errorf("%s shows %q, which %s does not have in this order", page, line, file)
			}
		}
	}
}

var spaces = regexp.MustCompile(`[ \t]+`) // gofmt aligns comments

// missing returns the first line of a snippet that does not follow those before it in a source.
func missing(source, snippet string) string {
	source = spaces.ReplaceAllString(source, " ")
	at := 0
	for line := range strings.SplitSeq(snippet, "\n") {
		line = strings.TrimSpace(spaces.ReplaceAllString(line, " "))
		i := strings.Index(source[at:], line)
		if i < 0 {
			return line
		}
		at += i + len(line)
	}
	return ""
}
