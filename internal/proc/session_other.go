//go:build !unix

package proc

import "syscall"

// OwnSession asks for nothing: this system has no sessions.
func OwnSession() *syscall.SysProcAttr { return nil }

// keepFromChildren has nothing to do here.
func keepFromChildren(int) {}
