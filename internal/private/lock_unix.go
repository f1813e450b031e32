//go:build unix

package private

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock takes the lock of an open file; it returns false if another process holds it.
func lock(file *os.File) bool { return unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil }
