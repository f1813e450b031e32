//go:build !unix

package deploy

import (
	"os"
	"path/filepath"
	"syscall"

	"github.com/sinew-robotics/sinew/internal/private"
)

// ownGroup asks for nothing: this system has no groups of processes.
func ownGroup() *syscall.SysProcAttr { return nil }

func askGroup(pid int) { killGroup(pid) }

func killGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}

// lockFolder locks nothing: the socket shows whether a supervisor runs.
func lockFolder(folder string) (*os.File, error) {
	return private.Open(filepath.Join(folder, lockName), os.O_CREATE|os.O_RDWR)
}
