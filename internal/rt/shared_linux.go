package rt

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/sinew-robotics/sinew/internal/private"
)

// sharedVariable names another folder for the files of shared memory.
const sharedVariable = "SINEW_SHM"

// SharedFolder returns the private folder of this user's files of shared memory: $SINEW_SHM, else
// /dev/shm/sinew-UID, which is in memory, not on a disk. Processes that use different folders do not see each other's systems.
func SharedFolder() string {
	if set := os.Getenv(sharedVariable); set != "" {
		return set
	}
	return filepath.Join("/dev/shm", "sinew-"+strconv.Itoa(os.Getuid()))
}

// Shared is memory that processes of one user share under the name of a file. It has seats: a process that takes one
// holds it until it ends for any reason, and others see that.
type Shared struct {
	// The descriptor is not an os.File: the garbage collector closes an unreferenced one, while the memory stays mapped and the seats
	// with it are held, by a process that then cannot be found.
	fd  int
	mem []byte
}

// CreateShared creates zeroed memory of the given size, in a private folder. A file of that name must not exist.
func CreateShared(path string, size int) (*Shared, error) {
	file, err := private.Open(path, os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return nil, err
	}
	// Writing to memory that is not available would kill the process (SIGBUS): allocate all of it now, or fail.
	if err := unix.Fallocate(int(file.Fd()), 0, 0, int64(size)); err != nil {
		err = fmt.Errorf("%d bytes of shared memory for %s: %w", size, path, err)
		return nil, errors.Join(err, file.Close(), os.Remove(path))
	}
	return mapShared(file)
}

// OpenShared opens existing memory in a private folder. It rejects memory that another user created.
func OpenShared(path string) (*Shared, error) {
	file, err := private.Open(path, os.O_RDWR)
	if err != nil {
		return nil, err
	}
	return mapShared(file)
}

// mapShared maps the memory, and closes the file: a copy of its descriptor remains.
func mapShared(file *os.File) (*Shared, error) {
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	fd, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("keep %s open: %w", file.Name(), err)
	}
	mem, err := unix.Mmap(fd, 0, int(info.Size()), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("map %s: %w", file.Name(), err), unix.Close(fd))
	}
	return &Shared{fd: fd, mem: mem}, nil
}

// Bytes returns the memory.
func (s *Shared) Bytes() []byte { return s.mem }

// Take takes a seat, a small number; it returns false if another process or another opening of this one has it.
func (s *Shared) Take(seat int) bool {
	lock := unix.Flock_t{Type: unix.F_WRLCK, Start: int64(seat), Len: 1}
	return unix.FcntlFlock(uintptr(s.fd), unix.F_OFD_SETLK, &lock) == nil
}

// Taken reports whether another process or another opening of this one has the seat.
func (s *Shared) Taken(seat int) bool {
	lock := unix.Flock_t{Type: unix.F_WRLCK, Start: int64(seat), Len: 1}
	return unix.FcntlFlock(uintptr(s.fd), unix.F_OFD_GETLK, &lock) == nil && lock.Type != unix.F_UNLCK
}

// Leave gives up a seat.
func (s *Shared) Leave(seat int) {
	lock := unix.Flock_t{Type: unix.F_UNLCK, Start: int64(seat), Len: 1}
	_ = unix.FcntlFlock(uintptr(s.fd), unix.F_OFD_SETLK, &lock)
}

// Current reports whether path still names this memory.
func (s *Shared) Current(path string) bool {
	var named, own unix.Stat_t
	return unix.Stat(path, &named) == nil && unix.Fstat(s.fd, &own) == nil && named.Dev == own.Dev && named.Ino == own.Ino
}

// Close gives up the seats and the memory. The file remains until it is removed.
func (s *Shared) Close() error {
	err := unix.Munmap(s.mem)
	s.mem = nil
	return errors.Join(err, unix.Close(s.fd))
}

// CloseAfter gives up the seats of s, and its memory once owner is unreachable: until then holders of owner may still
// read it.
func CloseAfter[T any](s *Shared, owner *T) error {
	all := unix.Flock_t{Type: unix.F_UNLCK} // memory that stays mapped would keep them
	err := unix.FcntlFlock(uintptr(s.fd), unix.F_OFD_SETLK, &all)
	runtime.AddCleanup(owner, func(mem []byte) { _ = unix.Munmap(mem) }, s.mem)
	s.mem = nil
	return errors.Join(err, unix.Close(s.fd))
}
