package durable

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// NewFile is the mode of files that [Update] creates.
const NewFile fs.FileMode = 0o644

// Absent is the version of a file that does not exist.
const Absent = "absent"

// ErrChanged is the cause of an update that was rejected because a file has changed.
var ErrChanged = errors.New("it has changed since it was read")

// Edit is the new content of a file.
type Edit struct {
	Path string // a symbolic link is followed
	Was  string // Version of the content that the edit replaces, or Absent; "": any
	Text []byte
}

// Version returns a name for a content: equal contents have equal names.
func Version(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// WriteFile replaces a file's content, whatever it was. An existing file keeps its mode, and its owner if the process
// may set it; a new file gets the given mode, regardless of the umask.
func WriteFile(path string, text []byte, mode fs.FileMode) error {
	return update(context.Background(), []Edit{{Path: path, Text: text}}, mode)
}

// Update makes several edits. It compares all files before it writes the first one: if one has changed, the error is
// [ErrChanged] and none is written. The context ends the wait for other writers.
func Update(ctx context.Context, edits ...Edit) error { return update(ctx, edits, NewFile) }

func update(ctx context.Context, edits []Edit, mode fs.FileMode) error {
	paths := make([]string, len(edits))
	for i, e := range edits {
		var err error
		if paths[i], err = follow(e.Path); err != nil {
			return fmt.Errorf("write %s: %w", e.Path, err)
		}
	}
	unlock, err := lock(ctx, paths)
	if err != nil {
		return err
	}
	defer unlock()
	for i, e := range edits {
		if err := compare(paths[i], e.Was); err != nil {
			return fmt.Errorf("write %s: %w", e.Path, err)
		}
	}
	parts := make([]string, 0, len(edits))
	defer func() {
		for _, part := range parts {
			_ = os.Remove(part) // parts that were renamed are gone
		}
	}()
	for i, e := range edits { // errors of space or permission occur before anything is replaced
		part, err := writePart(paths[i], e.Text, mode)
		if err != nil {
			return fmt.Errorf("write %s: %w", e.Path, err)
		}
		parts = append(parts, part)
	}
	for i, e := range edits {
		if err := errors.Join(os.Rename(parts[i], paths[i]), syncFolder(filepath.Dir(paths[i]))); err != nil {
			return fmt.Errorf("write %s: %w", e.Path, err)
		}
	}
	return nil
}

// Remove deletes a file, or a symbolic link itself, while no other process writes in its folder.
func Remove(ctx context.Context, path string) error {
	unlock, err := lock(ctx, []string{path})
	if err != nil {
		return err
	}
	defer unlock()
	return errors.Join(os.Remove(path), syncFolder(filepath.Dir(path)))
}

// compare returns [ErrChanged] if a file has another version.
func compare(path, was string) error {
	if was == "" {
		return nil
	}
	is := Absent
	text, err := os.ReadFile(path)
	switch {
	case err == nil:
		is = Version(text)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if is != was {
		return ErrChanged
	}
	return nil
}
