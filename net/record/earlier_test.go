package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// begin makes room at a path and writes a log of one sample there.
func begin(t *testing.T, path string, keep int, value float64) (earlier string) {
	t.Helper()
	earlier, err := SetAside(path, keep)
	if err != nil {
		t.Fatal(err)
	}
	var s Sink
	if filepath.Ext(path) == ".csv" {
		s, err = CreateCSV(path)
	} else {
		s, err = Create(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	l := layoutFor[float64](t)
	id, err := s.AddChannel("x", l)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Write(Sample{Channel: id, CDR: cdrOf(t, l, value)}), s.Close()); err != nil {
		t.Fatal(err)
	}
	return earlier
}

func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func valueIn(t *testing.T, path string) float64 {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_, v, err := r.Series("x")
	if err != nil || len(v) != 1 {
		t.Fatal(v, err)
	}
	return v[0]
}

func TestNewestRunKeepsTheNameAndEarlierOnesGetNumbers(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.mcap")
	for i := range 14 {
		earlier := begin(t, path, 10, float64(i))
		want := ""
		if i > 0 {
			want = filepath.Join(dir, fmt.Sprintf("run-%d.mcap", i))
		}
		if earlier != want {
			t.Fatalf("run %d: the earlier log is %q, want %q", i, earlier, want)
		}
	}
	if v := valueIn(t, path); v != 13 {
		t.Errorf("%s has run %v, want the newest, 13", path, v)
	}
	want := []string{"run.mcap"}
	for i := 5; i <= 13; i++ { // nine besides the newest; run-N holds the N-th run from 1
		name := fmt.Sprintf("run-%d.mcap", i)
		want = append(want, name)
		if v := valueIn(t, filepath.Join(dir, name)); v != float64(i-1) {
			t.Errorf("%s has run %v, want %d", name, v, i-1)
		}
	}
	got := files(t, dir)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("kept are %q, want %q", got, want)
	}
}

func TestOnlyOwnLogsAreDeleted(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.mcap")
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("run-1.mcap", []byte("my notes"))
	begin(t, filepath.Join(dir, "run-2.mcap"), 10, 2) // written under that name: a run of another path
	write("run-3.mcap", nil)
	if err := os.Symlink("run-2.mcap", filepath.Join(dir, "run-4.mcap")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "run-5.mcap"), 0o755); err != nil {
		t.Fatal(err)
	}
	write("run-06.mcap", []byte("six"))
	write("runs-1.mcap", []byte("other"))
	before := files(t, dir)
	for i := range 6 {
		begin(t, path, 1, float64(100+i))
	}
	after := files(t, dir)
	for _, name := range append(before, "run.mcap") {
		if !slices.Contains(after, name) {
			t.Errorf("%s was deleted", name)
		}
	}
	if len(after) != len(before)+1 {
		t.Errorf("there are %q: want run.mcap beside %q", after, before)
	}
	if v := valueIn(t, filepath.Join(dir, "run-2.mcap")); v != 2 {
		t.Errorf("run-2.mcap has changed: %v", v)
	}
}

func TestForeignFilesLinksAndFoldersAreRejected(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(
		os.WriteFile(at("notes.mcap"), []byte("my notes"), 0o644),
		os.WriteFile(at("numbers.csv"), []byte("a,b\n1,2\n"), 0o644),
		os.WriteFile(at("other.mcap"), foreignLog(t), 0o644),
		os.Symlink("notes.mcap", at("link.mcap")), os.Symlink("none", at("dangling.mcap")), os.Mkdir(at("folder.mcap"), 0o755),
	); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"notes.mcap": "not a log of sinew", "numbers.csv": "not a log of sinew", "other.mcap": "not a log of sinew",
		"link.mcap": "a link to notes.mcap", "dangling.mcap": "a link to none", "folder.mcap": "is a folder",
	} {
		if _, err := SetAside(at(name), 10); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), at(name)) {
			t.Errorf("%s: %v, want an error with %q", name, err, want)
		}
		if _, err := Create(at(name)); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: created: %v", name, err)
		}
		if _, err := CreateCSV(at(name)); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: created: %v", name, err)
		}
	}
	if text, err := os.ReadFile(at("notes.mcap")); err != nil || string(text) != "my notes" {
		t.Errorf("the notes are now %q, %v", text, err)
	}
}

// foreignLog returns a log as another program writes it.
func foreignLog(t *testing.T) []byte {
	t.Helper()
	d := &disk{}
	if _, err := newWriter("x.mcap", "", d); err != nil {
		t.Fatal(err)
	}
	return []byte(strings.Replace(string(d.contents()), library, "bagel", 1))
}

func TestLogOfACrashIsSetAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.mcap")
	begin(t, path, 10, 1)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)-50], 0o644); err != nil {
		t.Fatal(err)
	}
	earlier := begin(t, path, 10, 2)
	if cut, err := os.ReadFile(earlier); err != nil || string(cut) != string(whole[:len(whole)-50]) {
		t.Errorf("the log of the crash has changed: %d bytes, were %d; %v", len(cut), len(whole)-50, err)
	}
}

func TestTablesAreNumberedAndNeverDeleted(t *testing.T) {
	dir := t.TempDir()
	for i := range 5 {
		begin(t, filepath.Join(dir, "run.csv"), 2, float64(i))
	}
	if got := files(t, dir); len(got) != 5 {
		t.Errorf("kept are %q, want all 5", got)
	}
}

// TestConcurrentRunsLoseNoLog lets many writers start logs at one path.
func TestConcurrentRunsLoseNoLog(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.mcap")
	const runs, each = 8, 10
	made := make(chan int)
	for range runs {
		go func() {
			n := 0
			for n < each {
				if _, err := SetAside(path, 1000); err != nil {
					t.Error(err)
					break
				}
				w, err := Create(path)
				if errors.Is(err, fs.ErrExist) {
					continue
				}
				if err != nil {
					t.Error(err)
					break
				}
				n++
				if err := w.Close(); err != nil {
					t.Error(err)
				}
			}
			made <- n
		}()
	}
	total := 0
	for range runs {
		total += <-made
	}
	if got := files(t, dir); total != runs*each || len(got) != total {
		t.Errorf("%d logs were started, %d exist", total, len(got))
	}
}
