//go:build unix && !linux

package candidate

import (
	"os"
	"syscall"
)

// boundToThis puts a child into its own process group. It ends when its input ends.
func boundToThis() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a child that has not been waited for, with the processes that it started.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// limitChild does nothing: these systems cannot limit the memory of Go programs, so only the deadline ends a check.
func limitChild() error { return nil }
