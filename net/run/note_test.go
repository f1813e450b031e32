package run

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/cores"
	"github.com/sinew-robotics/sinew/net/system"
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

// TestNoteIsNeitherWrittenNorReadThroughALink puts a link into the user's own folder of shared memory.
func TestNoteIsNeitherWrittenNorReadThroughALink(t *testing.T) {
	testkit.UserFolder(t)
	precious := filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(precious, []byte(goodNote), 0o600); err != nil {
		t.Fatal(err)
	}
	path := cores.Note("s")
	if err := errors.Join(private.Make(filepath.Dir(path)), os.Symlink(precious, path)); err != nil {
		t.Fatal(err)
	}
	if n, err := readNote("s"); !errors.Is(err, private.ErrRefused) || !strings.Contains(err.Error(), path) {
		t.Errorf("reading gives %+v, %v", n, err)
	}
	if err := writeNote("s", &system.System{Path: "/x/a.yaml"}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(precious); string(text) != goodNote {
		t.Errorf("the file that the link names holds %q, %v", text, err)
	}
	if n, err := readNote("s"); err != nil || n.File != "/x/a.yaml" {
		t.Errorf("the note is %+v, %v", n, err)
	}
}
