//go:build unix

package private

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestSecretIsReadFromAFileOfThisUserAlone(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "token"), filepath.Join(dir, "link")
	must(t, os.WriteFile(path, []byte("secret"), 0o600), os.Symlink(path, link))
	for _, p := range []string{path, link} {
		if text, err := Secret(p); string(text) != "secret" || err != nil {
			t.Errorf("%s: %q, %v", p, text, err)
		}
	}
	for _, mode := range []os.FileMode{0o640, 0o604, 0o620} {
		must(t, os.Chmod(path, mode))
		_, err := Secret(link)
		refused(t, err, link, "lets other users in", "chmod 600")
	}
	pipe := filepath.Join(dir, "pipe")
	must(t, syscall.Mkfifo(pipe, 0o600))
	_, err := Secret(pipe)
	refused(t, err, pipe, "not a regular file", "")
	must(t, os.Chmod(path, 0o600), os.WriteFile(path, make([]byte, maxSecret+1), 0o600))
	if _, err := Secret(path); err == nil || !strings.Contains(err.Error(), "more than 65536 bytes") {
		t.Errorf("a file that is too large: %v", err)
	}
}

func TestSecretThatAnotherUserOwnsIsRefused(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: only root may give a file to another user")
	}
	path := filepath.Join(t.TempDir(), "token")
	must(t, os.WriteFile(path, []byte("known to its owner"), 0o600), os.Chown(path, 12345, 12345))
	_, err := Secret(path)
	refused(t, err, path, "belongs to user 12345", "make a new one")
}

func TestSecretIsWrittenIntoANewFileOnly(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(at("old"), []byte("old"), 0o644), os.Symlink(at("old"), at("link")), os.Symlink(at("victim"), at("dangling")))
	for _, name := range []string{"old", "link", "dangling"} {
		refused(t, WriteSecret(at(name), []byte("secret")), at(name), "exists", "name another file")
	}
	if _, err := os.Lstat(at("victim")); err == nil {
		t.Error("a secret was written through a link")
	}
	if text, err := os.ReadFile(at("old")); string(text) != "old" || err != nil {
		t.Errorf("the old file is %q, %v", text, err)
	}
	must(t, WriteSecret(at("new"), []byte("secret")))
	if text, err := Secret(at("new")); string(text) != "secret" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}
