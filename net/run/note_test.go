package run

import (
	"path/filepath"
	"strings"
	"testing"
)

const goodNote = `{"dir":"/x","file":"a.yaml","process":"p","system":"s"}`

// FuzzNote takes any text as the note of a core: it is refused, or belongs to this core and names a file.
func FuzzNote(f *testing.F) {
	for _, text := range []string{"", "null", "{}", "[]", goodNote, `{"dir":".","file":"a","system":"s","process":"p"}`, `{"params":[null]}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		n, err := parseNote(text, "s.p")
		if err == nil && (n.core() != "s.p" || !filepath.IsAbs(n.Dir) || n.File == "") {
			t.Errorf("accepted: %+v", n)
		}
	})
}

// TestBrokenNotesAreRefused changes one thing each.
func TestBrokenNotesAreRefused(t *testing.T) {
	if n, err := parseNote([]byte(goodNote), "s.p"); err != nil || n.File != "a.yaml" {
		t.Fatalf("%+v, %v", n, err)
	}
	for _, change := range [][2]string{{`"s"`, `"../s"`}, {`"s"`, `"z"`}, {`"p"`, `""`}, {`"/x"`, `"x"`}, {`"a.yaml"`, `""`}, {`{`, `[`}} {
		if n, err := parseNote([]byte(strings.Replace(goodNote, change[0], change[1], 1)), "s.p"); err == nil {
			t.Errorf("%s → %s: %+v", change[0], change[1], n)
		}
	}
}
