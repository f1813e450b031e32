//go:build unix

package cli

import "syscall"

// terminate asks a process to end.
func terminate(pid int) { _ = syscall.Kill(pid, syscall.SIGTERM) }

// isAlive reports whether there is a process.
func isAlive(pid int) bool { return syscall.Kill(pid, 0) == nil }

// ownSession makes a process the head of a session of its own.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
