//go:build !linux

package proc

import (
	"errors"
	"syscall"
	"time"
)

// Process is a process of this user: on Linux.
type Process struct {
	PID, Group, Session int
	Mark, Command       string
	Since               time.Time
}

type identity struct{ pid int }

func (p *Process) identity() identity { return identity{p.PID} }

// Marked finds nothing here.
func Marked(string, func(string) bool) []*Process { return nil }

// Holders finds nothing here.
func Holders(_ string, n int) []*Process { return make([]*Process, n) }

// Alive returns false on this system.
func (p *Process) Alive() bool { return false }

// Signal fails here.
func (p *Process) Signal(syscall.Signal) error {
	return errors.New("sinew finds processes of others on Linux only")
}
