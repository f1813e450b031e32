package durable_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/sinew-robotics/sinew/internal/durable"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := durable.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// names returns the names in a folder.
func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestWriteFileKeepsTheModeOfTheOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.yaml")
	for _, mode := range []fs.FileMode{0o640, 0o666} {
		write(t, path, "new", 0o640)
		if info, err := os.Stat(path); err != nil || info.Mode() != mode {
			t.Errorf("%v, %v, wants %v", info.Mode(), err, mode)
		}
		if err := os.Chmod(path, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWriteFileFollowsLinksAndKeepsThem(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "real")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"first": "second", "second": "real/a.yaml", "dangling": "real/new.yaml", "absolute": filepath.Join(other, "a.yaml")} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(other, "a.yaml"), "old", 0o644)
	for link, target := range map[string]string{"first": "a.yaml", "absolute": "a.yaml", "dangling": "new.yaml"} {
		write(t, filepath.Join(dir, link), "through "+link, 0o644)
		if text := read(t, filepath.Join(other, target)); text != "through "+link {
			t.Errorf("%s: the target has %q", link, text)
		}
		if info, err := os.Lstat(filepath.Join(dir, link)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v, %v", link, info.Mode(), err)
		}
	}
	if list := names(t, other); len(list) != 2 {
		t.Errorf("left in the folder: %q", list)
	}
}

func TestWriteFileRejectsWhatIsNotAFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, "/dev/null", filepath.Join(dir, "loop"), filepath.Join(dir, "none", "a")} {
		if err := durable.WriteFile(path, []byte("x"), 0o600); err == nil {
			t.Errorf("%s was written", path)
		}
	}
}

func TestUpdateRejectsAFileThatHasChanged(t *testing.T) {
	dir := t.TempDir()
	a, b, c := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "c")
	write(t, a, "one", 0o644)
	write(t, b, "two", 0o644)
	one, two := durable.Version([]byte("one")), durable.Version([]byte("two"))
	update := func(edits ...durable.Edit) error { return durable.Update(t.Context(), edits...) }
	if err := update(durable.Edit{Path: a, Was: one, Text: []byte("1")}, durable.Edit{Path: b, Was: one, Text: []byte("2")}); !errors.Is(err, durable.ErrChanged) {
		t.Errorf("the second has changed: %v", err)
	}
	if err := update(durable.Edit{Path: a, Was: durable.Absent, Text: []byte("1")}); !errors.Is(err, durable.ErrChanged) {
		t.Errorf("a file that should not exist: %v", err)
	}
	if err := update(durable.Edit{Path: c, Was: one, Text: []byte("1")}); !errors.Is(err, durable.ErrChanged) {
		t.Errorf("a file that has gone: %v", err)
	}
	if read(t, a) != "one" || read(t, b) != "two" || len(names(t, dir)) != 2 {
		t.Errorf("a refused update has written: %q", names(t, dir))
	}
	err := update(durable.Edit{Path: a, Was: one, Text: []byte("1")}, durable.Edit{Path: b, Was: two, Text: []byte("2")},
		durable.Edit{Path: c, Was: durable.Absent, Text: []byte("3")})
	if err != nil || read(t, a)+read(t, b)+read(t, c) != "123" {
		t.Errorf("%v", err)
	}
}
