package tcp

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// unsent is the limit of bytes in the kernel that have not been sent once.
const unsent = 16 << 10

// nonBlocking writes to a connection without waiting.
type nonBlocking struct {
	raw  syscall.RawConn
	call func(fd uintptr) bool
	data []byte
	n    int
}

func (p *nonBlocking) prepare(raw syscall.RawConn) {
	p.raw = raw
	p.call = func(fd uintptr) bool {
		for {
			n, err := unix.SendmsgN(int(fd), p.data, nil, nil, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL)
			if err != unix.EINTR {
				p.n = max(n, 0)
				return true // done, whether it succeeded or not
			}
		}
	}
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_NOTSENT_LOWAT, unsent)
	})
}

// write returns how many bytes the kernel took.
func (p *nonBlocking) write(d []byte) int {
	p.data, p.n = d, 0
	_ = p.raw.Write(p.call) // an error occurs again when the rest is written
	return p.n
}
