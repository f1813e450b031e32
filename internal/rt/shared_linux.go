package rt

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// SharedFolder is where the files of shared memory lie: in memory, not on a disk.
const SharedFolder = "/dev/shm"

// Shared is memory that processes of one user share under the name of a file. It has seats: a process that takes one
// holds it until it ends, however it ends, and others see that.
type Shared struct {
	file *os.File
	mem  []byte
}

// CreateShared makes zeroed memory of the given size. A file of that name must not exist.
func CreateShared(path string, size int) (*Shared, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	// Memory that is not there would kill whoever writes to it (SIGBUS): have all of it now, or an error.
	if err := unix.Fallocate(int(file.Fd()), 0, 0, int64(size)); err != nil {
		err = fmt.Errorf("%d bytes of shared memory for %s: %w", size, path, err)
		return nil, errors.Join(err, file.Close(), os.Remove(path))
	}
	return mapShared(file)
}

// OpenShared opens memory that exists.
func OpenShared(path string) (*Shared, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return mapShared(file)
}

func mapShared(file *os.File) (*Shared, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	mem, err := unix.Mmap(int(file.Fd()), 0, int(info.Size()), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("map %s: %w", file.Name(), err), file.Close())
	}
	return &Shared{file: file, mem: mem}, nil
}

// Bytes returns the memory.
func (s *Shared) Bytes() []byte { return s.mem }

// Take takes a seat, a small number; false where another process or another opening of this one has it.
func (s *Shared) Take(seat int) bool {
	lock := unix.Flock_t{Type: unix.F_WRLCK, Start: int64(seat), Len: 1}
	return unix.FcntlFlock(s.file.Fd(), unix.F_OFD_SETLK, &lock) == nil
}

// Taken reports whether somebody else has the seat.
func (s *Shared) Taken(seat int) bool {
	lock := unix.Flock_t{Type: unix.F_WRLCK, Start: int64(seat), Len: 1}
	return unix.FcntlFlock(s.file.Fd(), unix.F_OFD_GETLK, &lock) == nil && lock.Type != unix.F_UNLCK
}

// Leave gives up a seat.
func (s *Shared) Leave(seat int) {
	lock := unix.Flock_t{Type: unix.F_UNLCK, Start: int64(seat), Len: 1}
	_ = unix.FcntlFlock(s.file.Fd(), unix.F_OFD_SETLK, &lock)
}

// Current reports whether path still names this memory.
func (s *Shared) Current(path string) bool {
	named, err := os.Stat(path)
	if err != nil {
		return false
	}
	own, err := s.file.Stat()
	return err == nil && os.SameFile(named, own)
}

// Close gives up the seats and the memory. The file stays until somebody removes it.
func (s *Shared) Close() error {
	err := unix.Munmap(s.mem)
	s.mem = nil
	return errors.Join(err, s.file.Close())
}
