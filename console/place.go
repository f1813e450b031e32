package console

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

// placeOf returns the path of a system's file on this host, also while the system does not run.
func (s *Server) placeOf(ctx context.Context, system string) (string, error) {
	_, err := s.structureOf(ctx, system, listPatience)
	path := s.catalog.known(system).file
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

// folderOf returns the folder of a system's file, or one of those in it.
func (s *Server) folderOf(ctx context.Context, system string, inside ...string) (string, error) {
	path, err := s.placeOf(ctx, system)
	if err != nil {
		return "", err
	}
	return filepath.Join(append([]string{filepath.Dir(path)}, inside...)...), nil
}

// maxName is how many bytes the name of a file has that pages may choose.
const maxName = 80

// checkFileName refuses names that are no plain names of a file on every system: with them nobody leaves a folder.
func checkFileName(name string) error {
	switch {
	case name == "" || len(name) > maxName:
		return fmt.Errorf("name %q: wants 1 to %d bytes", name, maxName)
	case strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".") || strings.TrimSpace(name) != name:
		return fmt.Errorf("name %q: must not begin or end with a dot or a space", name)
	}
	for _, r := range name {
		if strings.ContainsRune(`/\:*?"<>|`, r) || !unicode.IsGraphic(r) && r != '\u200d' && r != '\ufe0f' {
			return fmt.Errorf("name %q: must not have %q", name, r)
		}
	}
	return nil
}

// writeWhole writes a file beside its place and then gives it its name: nobody ever sees a part of it.
func writeWhole(path string, text []byte) error {
	part, err := writeBeside(path, text)
	if err != nil {
		return err
	}
	defer os.Remove(part)
	return os.Rename(part, path)
}

// writeBeside writes what may take the place of a file into a hidden one in the same folder, with the same mode.
func writeBeside(path string, text []byte) (part string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.part")
	if err != nil {
		return "", err
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}
