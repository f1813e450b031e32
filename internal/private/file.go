package private

import (
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Open opens a file in a private folder, without following a link, and checks that it is a regular file of this user
// alone. flag is as for [os.OpenFile]; a new file gets mode 0600. With os.O_EXCL the file must not exist.
func Open(path string, flag int) (*os.File, error) {
	if err := Check(filepath.Dir(path)); err != nil {
		return nil, err
	}
	truncate := flag & os.O_TRUNC // truncate only after the check
	file, err := os.OpenFile(path, flag&^os.O_TRUNC|noFollow, 0o600)
	if err != nil {
		if info, e := os.Lstat(path); e == nil && info.Mode()&os.ModeSymlink != 0 && flag&os.O_EXCL == 0 {
			return nil, refuse(path, "it is a symbolic link", "remove it")
		}
		return nil, err
	}
	if err := checkFile(file, truncate != 0); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func checkFile(file *os.File, truncate bool) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return refuse(file.Name(), "it is not a regular file", "remove it")
	}
	if err := checkOwn(file.Name(), info, "remove it"); err != nil {
		return err
	}
	if truncate {
		return file.Truncate(0)
	}
	return nil
}

// Read returns the content of a file in a private folder.
func Read(path string) ([]byte, error) {
	file, err := Open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// Write replaces the content of a file in a private folder, or creates the file. Readers find either the old or the
// whole new content. The content may be lost in a power failure: such files describe running processes.
func Write(path string, content []byte) error {
	part := path + ".part-" + rand.Text()
	file, err := Open(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return nil
}
