//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// inode names a folder whatever its path is.
func inode(folder fs.FileInfo) string {
	s, ok := folder.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%x-%x", s.Dev, s.Ino)
}

// keepOwner gives a new file the owner and the group of the old one, if the process may set them.
func keepOwner(f *os.File, old fs.FileInfo) {
	if s, ok := old.Sys().(*syscall.Stat_t); ok && f.Chown(int(s.Uid), int(s.Gid)) != nil {
		_ = f.Chown(-1, int(s.Gid)) // the file belongs to the writer now
	}
}

// syncFolder makes the names in a folder durable.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); !errors.Is(err, syscall.EINVAL) { // some file systems do not sync folders
		return err
	}
	return nil
}
