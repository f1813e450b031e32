//go:build !unix

package deploy

import (
	"os"
	"syscall"
)

// ownGroup asks for nothing: this system has no groups of processes.
func ownGroup() *syscall.SysProcAttr { return nil }

// Detached asks for nothing.
func Detached() *syscall.SysProcAttr { return nil }

func askGroup(pid int) { killGroup(pid) }

func killGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}
