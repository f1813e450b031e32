//go:build unix

package proc

import "syscall"

// OwnSession makes a process the head of a session of its own: it ends neither with the terminal nor with the group of the process
// that starts it.
func OwnSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// keepFromChildren makes started processes not inherit a file descriptor.
func keepFromChildren(fd int) { syscall.CloseOnExec(fd) }
