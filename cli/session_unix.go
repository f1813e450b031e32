//go:build unix

package cli

import "syscall"

// terminate asks a process to end.
func terminate(pid int) { _ = syscall.Kill(pid, syscall.SIGTERM) }

// ownSession makes a process the head of a session of its own.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
