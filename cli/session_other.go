//go:build !unix

package cli

import "syscall"

// ownSession asks for nothing: this system has no sessions.
func ownSession() *syscall.SysProcAttr { return nil }

// isAlive knows nothing of other processes here.
func isAlive(int) bool { return false }

// terminate does nothing: no core runs apart here.
func terminate(int) {}
