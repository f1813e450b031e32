package private

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxSecret is the maximum size of a file that Secret reads, in bytes.
const maxSecret = 1 << 16

// Secret returns the content of a file with a key or a token, at most 64 KiB, which lies where its user likes: it may be reached through
// links, in a folder that others read. It fails with [ErrRefused] unless the file is a regular one that belongs to this user or to root,
// and that group and others may not access: another user's file would hold a secret that this user knows.
func Secret(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = checkSecret(path, info) // before it is opened: a pipe would wait for its writer
	}
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err = file.Stat(); err == nil {
		err = checkSecret(path, info) // it may be another file now
	}
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(file, maxSecret+1))
	if err == nil && len(text) > maxSecret {
		err = fmt.Errorf("%s has more than %d bytes", path, maxSecret)
	}
	return text, err
}

// WriteSecret writes a new file with a key or a token, for its user alone. It fails where the path exists, also as a link that leads nowhere: the
// secret would become the content of a file that another user has chosen.
func WriteSecret(path string, secret []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|noFollow, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return refuse(path, "it exists, or is a symbolic link", "remove it, or name another file")
	}
	if err != nil {
		return err
	}
	_, err = file.Write(secret)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// checkSecret rejects a file that another user has written or may read.
func checkSecret(path string, info fs.FileInfo) error {
	owner, known := ownerOf(info)
	switch {
	case !info.Mode().IsRegular():
		return refuse(path, "it is not a regular file", "name another one")
	case !known:
		return nil
	case owner != os.Getuid() && owner != 0:
		return refuse(path, fmt.Sprintf("it belongs to %s, not to %s", describe(owner), describe(os.Getuid())), "make a new one, or chown it if its content is your own")
	case info.Mode().Perm()&0o077 != 0:
		return refuse(path, fmt.Sprintf("its mode %04o lets other users in", info.Mode().Perm()), "chmod 600 it, or make a new one if others have read it")
	}
	return nil
}
