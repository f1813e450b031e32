package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// The README shows code of the examples: line by line what runs in their tests.
func TestReadmeShowsTheExamples(t *testing.T) {
	root := testkit.Root(t)
	shown := section(read(t, root, "README.md"), "## The library alone")
	code := spaces.ReplaceAllString(read(t, root, "examples/library/main.go"), " ")
	at := 0
	for line := range strings.SplitSeq(shown, "\n") {
		line = strings.TrimSpace(spaces.ReplaceAllString(line, " "))
		i := strings.Index(code[at:], line)
		if i < 0 {
			t.Fatalf("README.md shows %q, which examples/library does not have in this order", line)
		}
		at += i + len(line)
	}
	if at == 0 {
		t.Error("the section shows no code")
	}
}

var spaces = regexp.MustCompile(` +`) // gofmt aligns comments

// section returns the first Go code below a heading.
func section(page, heading string) string {
	_, after, _ := strings.Cut(page, heading)
	_, after, _ = strings.Cut(after, "```go\n")
	code, _, _ := strings.Cut(after, "```")
	return code
}

func read(t *testing.T, root, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
