package wire

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// datagrams is a descriptor that carries datagrams.
type datagrams struct{ descriptor }

// Read implements [Wire].
func (s *datagrams) Read(p []byte) (int, error) {
	n, _, err := s.read(p)
	return n, err
}

// Write implements [Wire].
func (s *datagrams) Write(p []byte) (int, error) { return s.write(p) }

// udp is a socket for one peer.
type udp struct {
	datagrams
	peer endpoint
}

func newUDP(a *address) (Wire, error) {
	peer, err := resolve("udp", a.host)
	if err != nil {
		return nil, err
	}
	return &udp{datagrams{newDescriptor(a.text)}, peer}, nil
}

// Open implements [Wire].
func (u *udp) Open() error {
	if err := u.socket(u.peer.family, unix.SOCK_DGRAM); err != nil {
		return err
	}
	if err := unix.Connect(u.fd, u.peer.addr); err != nil {
		return u.fail(err)
	}
	return nil
}

// udpListener is a socket that answers the latest sender.
type udpListener struct {
	datagrams
	at   endpoint
	peer [unix.SizeofSockaddrInet6]byte
	size uint32 // of peer; 0: no datagram has come yet
}

func newUDPListener(a *address) (Wire, error) {
	at, err := resolve("udp", a.host)
	if err != nil {
		return nil, err
	}
	return &udpListener{datagrams: datagrams{newDescriptor(a.text)}, at: at}, nil
}

// Open implements [Wire].
func (u *udpListener) Open() error {
	if err := u.socket(u.at.family, unix.SOCK_DGRAM); err != nil {
		return err
	}
	u.size = 0
	if err := unix.Bind(u.fd, u.at.addr); err == unix.EADDRINUSE {
		return u.end(&u.faults.inUse)
	} else if err != nil {
		return u.fail(err)
	}
	return nil
}

// Read implements [Wire].
func (u *udpListener) Read(p []byte) (int, error) {
	if err := u.ready(); err != nil {
		return 0, err
	}
	size := uint32(len(u.peer))
	for {
		n, _, errno := unix.Syscall6(unix.SYS_RECVFROM, uintptr(u.fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)),
			0, uintptr(unsafe.Pointer(&u.peer)), uintptr(unsafe.Pointer(&size)))
		switch errno {
		case 0:
			u.size = size
			return int(n), nil
		case unix.EINTR, unix.ECONNREFUSED: // the latter is about an answer to a peer that has left
		case unix.EAGAIN:
			return 0, nil
		default:
			return 0, u.fail(errno)
		}
	}
}

// Write sends to the sender of the latest datagram; before the first one it returns [ErrOpening].
func (u *udpListener) Write(p []byte) (int, error) {
	if err := u.ready(); err != nil {
		return 0, err
	}
	if u.size == 0 {
		return 0, &u.faults.opening
	}
	for {
		_, _, errno := unix.Syscall6(unix.SYS_SENDTO, uintptr(u.fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)),
			0, uintptr(unsafe.Pointer(&u.peer)), uintptr(u.size))
		switch errno {
		case 0, unix.ECONNREFUSED:
			return len(p), nil
		case unix.EINTR:
		case unix.EAGAIN, unix.ENOBUFS:
			return 0, nil
		default:
			return 0, u.fail(errno)
		}
	}
}
