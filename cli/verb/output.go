package verb

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Create creates the file that a verb writes, or empties it. It is an error, and the file is left as it is, if it is one of those that
// the verb reads.
func Create(path string, reads ...string) (*os.File, error) {
	if there, err := os.Stat(path); err == nil {
		for _, name := range reads {
			if read, err := os.Stat(name); err == nil && os.SameFile(there, read) {
				return nil, fmt.Errorf("%s is the file that is read: name another to write", path)
			}
		}
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, explain(path, err)
	}
	return file, nil
}

// explain adds to the reason that a file cannot be created the remedy.
func explain(path string, err error) error {
	var where *fs.PathError
	if !errors.As(err, &where) {
		return err
	}
	remedy := "name another file"
	switch there, statErr := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		remedy = "create the folder " + filepath.Dir(path) + " first"
	case statErr == nil && there.IsDir():
		remedy = "name a file in it"
	case errors.Is(err, fs.ErrPermission):
		remedy = "you may not write there: name another file"
	}
	return fmt.Errorf("create %s: %w: %s", path, where.Err, remedy)
}
