package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// place returns the path of a system's file on this host, also while the system does not run.
func (f *Files) place(ctx context.Context, system string) (string, error) {
	_, err := f.structure(ctx, system)
	path := f.systems.Files(system).Path
	if err != nil && path == "" {
		return "", err
	}
	return path, onThisHost(system, path)
}

// onThisHost returns an error where a system has no file here.
func onThisHost(system, path string) error {
	if path == "" {
		return fmt.Errorf("system %q was not started from a file", system)
	}
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the file of %q, %s, is not on the console's host: start a console there", system, path)
	}
	return err
}

// Folder returns the path of something in the folder of a system's file, or of the folder itself. It fails if the system is
// unknown or has no file.
func (f *Files) Folder(ctx context.Context, system string, inside ...string) (string, error) {
	path, err := f.place(ctx, system)
	if err != nil {
		return "", err
	}
	return filepath.Join(append([]string{filepath.Dir(path)}, inside...)...), nil
}

// maxName is the longest name of a file, in bytes, that pages may choose.
const maxName = 80

// checkFileName rejects names that are not plain file names on every operating system, so that none leads out of its folder.
func checkFileName(name string) error {
	switch {
	case name == "" || len(name) > maxName:
		return fmt.Errorf("name %q: must have 1 to %d bytes", name, maxName)
	case strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".") || strings.TrimSpace(name) != name:
		return fmt.Errorf("name %q: must not begin or end with a dot or a space", name)
	}
	for _, r := range name {
		if strings.ContainsRune(`/\:*?"<>|`, r) || !unicode.IsGraphic(r) && r != '\u200d' && r != '\ufe0f' {
			return fmt.Errorf("name %q: must not contain %q", name, r)
		}
	}
	return nil
}
