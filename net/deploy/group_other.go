//go:build !unix

package deploy

import (
	"os"
	"syscall"
)

// ownGroup asks for nothing: this system has no groups of processes.
func ownGroup() *syscall.SysProcAttr { return nil }

// detached asks for nothing.
func detached() *syscall.SysProcAttr { return nil }

func askGroup(pid int) { killGroup(pid) }

func killGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}
