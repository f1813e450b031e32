//go:build unix && !linux

package proc

import "syscall"

// Lives reports whether there is a process with this number.
func Lives(pid int) bool { return syscall.Kill(pid, 0) == nil }
