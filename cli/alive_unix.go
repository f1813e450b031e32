//go:build unix

package cli

import "syscall"

// isAlive reports whether there is a process.
func isAlive(pid int) bool { return syscall.Kill(pid, 0) == nil }
