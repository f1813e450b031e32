//go:build !linux

package tcp

import "syscall"

// nonBlocking is unavailable on this system: the goroutine that drains writes everything.
type nonBlocking struct{}

func (p *nonBlocking) prepare(syscall.RawConn) {}

func (p *nonBlocking) write([]byte) int { return 0 }
