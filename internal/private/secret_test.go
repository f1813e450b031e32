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
