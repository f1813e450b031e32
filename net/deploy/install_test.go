package deploy

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// home gives the test a home of its own.
func home(t testing.TB) string {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	return dir
}

func archive(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for name, text := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Mode: 0o755}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Files are copied as between two hosts: those that differ, with their modes, and nothing twice.
func TestCopySendsOnlyFilesThatDiffer(t *testing.T) {
	home := home(t)
	source := filepath.Join(t.TempDir(), "system.yaml")
	if err := os.WriteFile(source, []byte("system: a"), 0o750); err != nil {
		t.Fatal(err)
	}
	d, err := digestOf(os.Open, source)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(manifest{source: d})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range [][]string{{source}, {}} {
		var out bytes.Buffer
		if err := Compare("a", bytes.NewReader(text), &out); err != nil {
			t.Fatal(err)
		}
		var differ []string
		if err := json.Unmarshal(out.Bytes(), &differ); err != nil || strings.Join(differ, " ") != strings.Join(want, " ") {
			t.Fatalf("%v differ, want %v (%v)", differ, want, err)
		}
		var packed bytes.Buffer
		if err := pack(&packed, manifest{source: d}, differ); err != nil {
			t.Fatal(err)
		}
		if err := Unpack("a", &packed); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(filepath.Join(home, filesRoot("a"), source))
	if err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("the copy: %v, %v", info, err)
	}
	if err := pack(&bytes.Buffer{}, manifest{source: d}, []string{"/etc/passwd"}); err == nil {
		t.Error("a host was given a file that it must not have")
	}
}

// A connection that breaks in the middle of a copy is made again, twice at most.
func TestCopyOverAConnectionThatBreaksIsTriedAgain(t *testing.T) {
	for breaks, reached := range map[int]bool{0: true, 2: true, 3: false} {
		home(t)
		folder := t.TempDir()
		ssh, left := filepath.Join(folder, "ssh"), filepath.Join(folder, "left")
		script := `#!/bin/sh
for last; do :; done # what the host has to do
case $last in *'cat >'*)
	n=$(cat ` + left + `)
	echo $((n-1)) > ` + left + `
	if [ $n -gt 0 ]; then echo "the connection is broken" >&2; exit 255; fi;;
esac
exec sh -c "$last"
`
		if err := errors.Join(os.WriteFile(ssh, []byte(script), 0o700), os.WriteFile(left, []byte(strconv.Itoa(breaks)), 0o600)); err != nil {
			t.Fatal(err)
		}
		t.Setenv("SINEW_SSH", ssh)
		program, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		r := &Remote{Name: "right", SSH: "right"}
		err = r.install(t.Context(), program)
		if !reached {
			if !errors.Is(err, ErrUnreachable) || !strings.Contains(err.Error(), "copy the command sinew") {
				t.Errorf("%d breaks: error %v", breaks, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%d breaks: error %v", breaks, err)
			continue
		}
		want, _ := digestOf(os.Open, program)
		if got, err := digestOf(os.Open, r.Sinew); err != nil || strings.Fields(got)[0] != strings.Fields(want)[0] {
			t.Errorf("%d breaks: the copy has the digest %s (%v), want %s", breaks, got, err, want)
		}
	}
}

// TestUnpackStaysInside takes archives that lead out of the system's folder.
func TestUnpackStaysInside(t *testing.T) {
	home := home(t)
	if err := Unpack("a", bytes.NewReader(archive(t, map[string]string{"../../../../evil": "x", "/../../evil2": "x", "ok": "x"}))); err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(home, filesRoot("a"))
	_ = filepath.Walk(home, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() && !strings.HasPrefix(path, root) {
			t.Errorf("%s was written", path)
		}
		return nil
	})
	if err := os.Symlink(home, filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	if err := Unpack("a", bytes.NewReader(archive(t, map[string]string{"link/evil": "x"}))); err == nil {
		t.Error("a symbolic link led out of the folder")
	}
	for _, system := range []string{"", "..", "a/b", "../a"} {
		if err := Unpack(system, bytes.NewReader(nil)); err == nil {
			t.Errorf("system %q was taken", system)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(archive(f, map[string]string{"a/b": "text", "../c": "x"}))
	f.Add([]byte("no archive"))
	home := home(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		_ = Unpack("fuzz", bytes.NewReader(text))
		entries, err := os.ReadDir(home)
		if err != nil || len(entries) > 1 {
			t.Errorf("beside the folder: %v %v", entries, err)
		}
	})
}

func FuzzCompare(f *testing.F) {
	f.Add([]byte(`{"/a/b": "digest 644", "../../etc/passwd": ""}`))
	home(f)
	f.Fuzz(func(_ *testing.T, text []byte) { _ = Compare("fuzz", bytes.NewReader(text), &bytes.Buffer{}) })
}

// A shell reads a quoted word unchanged.
func TestQuotedWordsPassAShellUnchanged(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("SKIPPED: no shell here")
	}
	for _, word := range []string{"plain", "a b", `it's "$HOME" \ *`, "", "zwei\nZeilen", "-n", "`id`"} {
		out, err := exec.Command("sh", "-c", "printf %s "+quote(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q became %q (%v)", word, out, err)
		}
	}
}

func TestHostsOfAnotherPlatformAreRejected(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, c := range []struct{ uname, words string }{
		{"Darwin arm64", "it runs Darwin"}, {"Linux riscv64", "its processor is riscv64"},
	} {
		if err := checkMachine(file, c.uname); err == nil || !strings.Contains(err.Error(), c.words) && !strings.Contains(err.Error(), "no program for Linux") {
			t.Errorf("%s: %v, wants %q", c.uname, err, c.words)
		}
	}
}
