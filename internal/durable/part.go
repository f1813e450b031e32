package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is the maximum length of a chain of symbolic links.
const maxLinks = 40

// follow returns the path where the content is, or will be: the end of its symbolic links.
func follow(path string) (string, error) {
	for range maxLinks {
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return path, nil
		case err != nil:
			return "", err
		case info.Mode().IsRegular():
			return path, nil
		case info.Mode()&fs.ModeSymlink == 0:
			return "", errors.New("it is not a regular file")
		}
		next, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(next) {
			next = filepath.Join(filepath.Dir(path), next)
		}
		path = next
	}
	return "", fmt.Errorf("it leads through more than %d symbolic links", maxLinks)
}

// Suffixes of hidden files whose contents are being written.
const partSuffix = ".part"

func partPrefix(path string) string { return "." + filepath.Base(path) + "." }

// writePart writes a hidden file that will replace another file. The caller holds the folder's lock, so existing
// parts no longer have a writer.
func writePart(path string, text []byte, mode fs.FileMode) (part string, err error) {
	if err := removeParts(path); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(filepath.Dir(path), partPrefix(path)+"*"+partSuffix)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
		keepOwner(f, info)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// removeParts removes the parts that killed writers of a file have left.
func removeParts(path string) error {
	dir := filepath.Dir(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		random, ok := strings.CutPrefix(e.Name(), partPrefix(path))
		if random, isPart := strings.CutSuffix(random, partSuffix); ok && isPart && isNumber(random) && e.Type().IsRegular() {
			errs = append(errs, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return errors.Join(errs...)
}

// isNumber reports whether a text is a random string of os.CreateTemp.
func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
