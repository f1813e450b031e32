//go:build unix

package deploy

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"github.com/sinew-robotics/sinew/internal/private"
)

// ownGroup makes a process the head of a group, so that its children end with it.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func askGroup(pid int)  { _ = syscall.Kill(-pid, syscall.SIGTERM) }
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

// lockFolder takes the lock of a supervisor, which the kernel gives back when its process ends, however it ends.
func lockFolder(folder string) (*os.File, error) {
	file, err := private.Open(filepath.Join(folder, lockName), os.O_CREATE|os.O_RDWR)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(errors.New("a supervisor runs already"), err, file.Close())
	}
	return file, nil
}
