package private

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// pathLimit is the maximum length of a socket's path, in bytes.
const pathLimit = len(syscall.RawSockaddrUnix{}.Path) - 1

// peerOf returns the user who runs the other end of a socket.
func peerOf(fd uintptr) (uid int, known bool, err error) {
	peer, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, false, err
	}
	return int(peer.Uid), true, nil
}

// shorten returns a path of the same socket that the system accepts; done releases it.
func shorten(path string) (short string, done func(), err error) {
	if len(path) <= pathLimit {
		return path, func() {}, nil
	}
	folder, err := os.OpenFile(filepath.Dir(path), unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return "", nil, err
	}
	short = filepath.Join("/proc/self/fd", fmt.Sprint(folder.Fd()), filepath.Base(path))
	if len(short) > pathLimit {
		_ = folder.Close()
		return "", nil, fmt.Errorf("socket %s: its name is longer than %d bytes", path, pathLimit-len(short)+len(filepath.Base(path)))
	}
	return short, func() { _ = folder.Close() }, nil
}
