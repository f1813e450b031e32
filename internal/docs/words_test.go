package docs

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// TestPlainWords holds the rules of words_list_test.go against pages, comments, messages and the console's strings.
func TestPlainWords(t *testing.T) {
	root := testkit.Root(t)
	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, file)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "node_modules" || e.Name() == "dist" || rel != "." && strings.HasPrefix(e.Name(), ".")):
			return filepath.SkipDir
		case e.IsDir() || !isOurs(rel):
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, fault := range faults(rel, text) {
			t.Error(fault)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// isOurs reports whether the text of a file is ours to word, by its path. Generated pages repeat strings of the code.
func isOurs(file string) bool {
	switch path.Ext(file) {
	case ".md":
		return !slices.Contains([]string{"cli/notices/third-party.md", "docs/reference/blocks.md", "docs/reference/commands.md"}, file)
	case ".go":
		return true
	case ".ts", ".svelte":
		return strings.HasPrefix(file, "console/ui/src/") || strings.HasPrefix(file, "console/ui/test/")
	case ".txtar", ".html", ".mjs":
		return true
	case ".json":
		return path.Base(file) != "package-lock.json"
	case ".c", ".h", ".m", ".py", ".star", ".yaml":
		return strings.HasPrefix(file, "clients/") || strings.HasPrefix(file, "examples/") || strings.HasPrefix(file, "models/")
	}
	return false
}

// faults returns the forbidden words of a file, with their places.
func faults(file string, text []byte) (list []string) {
	report := func(offset int, what, instead string) {
		line := bytes.Count(text[:offset], []byte("\n")) + 1
		list = append(list, fmt.Sprintf("%s:%d: %q: %s", file, line, spaces.ReplaceAllString(strings.ReplaceAll(what, "\n", " "), " "), instead))
	}
	if riddles.MatchString(path.Base(file)) {
		report(0, path.Base(file), "name the file by what a newcomer would search for")
	}
	if path.Ext(file) == ".go" {
		for _, m := range oneWord.FindAllSubmatchIndex(text, -1) {
			if name := string(text[m[2]:m[3]]); name != "TestMain" {
				report(m[2], name, "name the behaviour that the test asserts")
			}
		}
		for _, m := range testWords.FindAllSubmatchIndex(text, -1) {
			report(m[2], string(text[m[2]:m[3]]), "name the block, page, thread, …, and what it does")
		}
	}
	prose := proseOf(file, text)
	for _, r := range rules {
		if r.only != "" && r.only != path.Ext(file) {
			continue
		}
		for _, m := range r.word.FindAllIndex(prose, -1) {
			begin, end := m[0], m[1]
			around := prose[max(0, begin-40):min(len(prose), end+40)]
			if (r.unless == nil || !r.unless.Match(around)) && !isAllowed(file, around) {
				report(begin, string(prose[begin:end]), r.instead)
			}
		}
	}
	return list
}

func isAllowed(file string, around []byte) bool {
	for _, a := range allowed {
		if a.path == file && bytes.Contains(around, []byte(a.text)) {
			return true
		}
	}
	return false
}

var (
	lineStart = regexp.MustCompile(`(?m)^[ \t]*(///?|\*|#+|%+|>)[ \t]`)
	blank     = func(b []byte) []byte { return bytes.Repeat([]byte(" "), len(b)) }
)

// proseOf returns a text with blanks for the marks of comments. Of Go it keeps comments and string literals alone: what
// lies between them separates sentences.
func proseOf(file string, text []byte) []byte {
	if path.Ext(file) != ".go" {
		return lineStart.ReplaceAllFunc(text, blank)
	}
	prose := bytes.Clone(text)
	for i, c := range prose {
		if c != ' ' && c != '\t' && c != '\n' {
			prose[i] = '|'
		}
	}
	var s scanner.Scanner
	file1 := token.NewFileSet().AddFile(file, -1, len(text))
	s.Init(file1, text, nil, scanner.ScanComments)
	for {
		pos, tok, literal := s.Scan()
		offset := file1.Offset(min(pos, token.Pos(file1.Base()+file1.Size())))
		switch tok {
		case token.EOF:
			return prose
		case token.COMMENT:
			copy(prose[offset:], lineStart.ReplaceAllFunc([]byte(literal), blank))
			if strings.HasPrefix(literal, "//") {
				prose[offset], prose[offset+1] = ' ', ' '
			}
		case token.STRING:
			copy(prose[offset:], text[offset:offset+len(literal)])
		}
	}
}

func TestFaultsAreFoundInProseAlone(t *testing.T) {
	for _, c := range []struct {
		file, text string
		n          int
	}{
		{"a.go", "package a\n\n// run is\n// told when.\nvar told = who // a user who may\n", 1},
		{"a.go", "package a\n\nvar a = \"it waits so\\nlong\" + `so\nmany`\n", 1},
		{"a_test.go", "package a\n\nfunc TestRead(t *testing.T) {}\n", 1},
		{"a_test.go", "package a\n\nfunc TestHangKeepsNobody(t *testing.T) {}\n\nfunc TestTwinsAreToldApart(t *testing.T) {}\n", 1},
		{"a.go", "package a\n\n// F makes f called where a block falls\n// in error, too.\n", 3},
		{"past.go", "package a\n", 1},
		{"a.md", "Nobody tells\nany longer.\n\n> by\n> itself\n", 4},
		{"a.md", "colours that people tell apart, for as long as they like\n", 0},
		{"a.ts", "s.tell(1); // by itself", 1},
		{"a.go", "package a\n\n// What is left\n// is counted. What is it? Nothing.\n", 1},
		{"a.md", "What is left is counted. [What is left](b.md), \"what is left\", what it is.\n", 1},
		{"a.yaml", "# What is left.\n", 1},
		{"a.txtar", "# What is wrong is said.\nstdout told", 3},
		{"a.json", `{"description": "Who may sign in"}`, 1},
		{"a.html", "<p>whoever signs in", 1},
		{"a.go", "package a\n\n// Options say\n// which lines are printed.\n", 1},
	} {
		if found := faults(c.file, []byte(c.text)); len(found) != c.n {
			t.Errorf("%q has %d faults, expected %d: %q", c.text, len(found), c.n, found)
		}
	}
}
