package tcp

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// unsent is how many bytes may wait in the kernel that were not even sent once.
const unsent = 16 << 10

// prompt writes to a connection without waiting.
type prompt struct {
	raw  syscall.RawConn
	call func(fd uintptr) bool
	data []byte
	n    int
}

func (p *prompt) prepare(raw syscall.RawConn) {
	p.raw = raw
	p.call = func(fd uintptr) bool {
		for {
			n, err := unix.SendmsgN(int(fd), p.data, nil, nil, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL)
			if err != unix.EINTR {
				p.n = max(n, 0)
				return true // done, whatever came of it
			}
		}
	}
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_NOTSENT_LOWAT, unsent)
	})
}

// write returns how many bytes the kernel took.
func (p *prompt) write(d []byte) int {
	p.data, p.n = d, 0
	_ = p.raw.Write(p.call) // an error shows again to whoever writes the rest
	return p.n
}
