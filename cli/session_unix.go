//go:build unix

package cli

import "syscall"

// ownSession makes a process the head of a session of its own.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
