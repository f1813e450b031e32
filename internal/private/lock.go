package private

import (
	"errors"
	"os"
)

// ErrLocked means that another process holds a lock.
var ErrLocked = errors.New("another process holds it")

// FileLock is a lock that one process of this user holds. The kernel releases it when the process ends for any
// reason.
type FileLock struct{ file *os.File }

// Lock takes the lock of a file in a private folder, which it creates. If another process holds the lock it returns
// [ErrLocked] without waiting.
func Lock(path string) (*FileLock, error) {
	file, err := Open(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if !lock(file) || !names(path, file) { // otherwise its previous holder has removed it meanwhile
		return nil, errors.Join(ErrLocked, file.Close())
	}
	return &FileLock{file}, nil
}

// names reports whether a path still names an open file.
func names(path string, file *os.File) bool {
	named, err := os.Lstat(path)
	if err != nil {
		return false
	}
	own, err := file.Stat()
	return err == nil && os.SameFile(named, own)
}

// Close releases the lock and removes its file.
func (l *FileLock) Close() error {
	_ = os.Remove(l.file.Name()) // fails if the system keeps open files, or the folder is gone
	return l.file.Close()
}
