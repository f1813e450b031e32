//go:build !unix

package candidate

import (
	"os"
	"syscall"
)

// boundToThis does nothing: a child ends when its input ends.
func boundToThis() *syscall.SysProcAttr { return nil }

// killGroup kills a child.
func killGroup(p *os.Process) { _ = p.Kill() }

// limitChild does nothing: only the deadline ends a check here.
func limitChild() error { return nil }
