package private

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock takes the lock of an open file; it returns false if another process holds it.
func lock(file *os.File) bool {
	return windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped)) == nil
}
