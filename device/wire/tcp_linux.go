package wire

import (
	"net"
	"net/netip"

	"golang.org/x/sys/unix"
)

// endpoint is the address of a socket as the system wants it.
type endpoint struct {
	family int
	addr   unix.Sockaddr
}

// resolve finds the address of a host and port; an empty host is any address of this machine.
func resolve(network, host string) (endpoint, error) {
	var at netip.AddrPort
	if network == "tcp" {
		a, err := net.ResolveTCPAddr(network, host)
		if err != nil {
			return endpoint{}, err
		}
		at = a.AddrPort()
	} else {
		a, err := net.ResolveUDPAddr(network, host)
		if err != nil {
			return endpoint{}, err
		}
		at = a.AddrPort()
	}
	if ip := at.Addr().Unmap(); ip.Is4() || !at.Addr().IsValid() {
		a := &unix.SockaddrInet4{Port: int(at.Port())}
		if ip.IsValid() {
			a.Addr = ip.As4()
		}
		return endpoint{unix.AF_INET, a}, nil
	}
	return endpoint{unix.AF_INET6, &unix.SockaddrInet6{Port: int(at.Port()), Addr: at.Addr().As16()}}, nil
}

// socket opens a socket that never waits.
func (d *descriptor) socket(family, kind int) error {
	d.end(&d.faults.closed)
	fd, err := unix.Socket(family, kind|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return d.fail(err)
	}
	d.begin(fd, false)
	return nil
}

// tcp is a connection to a server.
type tcp struct {
	byteStream
	server endpoint
}

func newTCP(a *address) (Wire, error) {
	server, err := resolve("tcp", a.host)
	if err != nil {
		return nil, err
	}
	return &tcp{byteStream{newDescriptor(a.text)}, server}, nil
}

// Open implements [Wire].
func (t *tcp) Open() error {
	if err := t.socket(t.server.family, unix.SOCK_STREAM); err != nil {
		return err
	}
	_ = unix.SetsockoptInt(t.fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
	switch err := unix.Connect(t.fd, t.server.addr); err {
	case nil, unix.EINPROGRESS, unix.EINTR:
		t.connecting = true
		return nil
	default:
		return t.fail(err)
	}
}

// tcpListener is a server with one connection at a time.
type tcpListener struct {
	byteStream // the connection
	door       descriptor
	at         endpoint
}

func newTCPListener(a *address) (Wire, error) {
	at, err := resolve("tcp", a.host)
	if err != nil {
		return nil, err
	}
	return &tcpListener{byteStream{newDescriptor(a.text)}, newDescriptor(a.text), at}, nil
}

// Open begins to listen.
func (l *tcpListener) Open() error {
	_ = l.Close()
	if err := l.door.socket(l.at.family, unix.SOCK_STREAM); err != nil {
		return err
	}
	_ = unix.SetsockoptInt(l.door.fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1)
	if err := unix.Bind(l.door.fd, l.at.addr); err == unix.EADDRINUSE {
		return l.door.end(&l.door.faults.inUse)
	} else if err != nil {
		return l.door.fail(err)
	}
	if err := unix.Listen(l.door.fd, 1); err != nil {
		return l.door.fail(err)
	}
	return nil
}

// Close ends connection and server.
func (l *tcpListener) Close() error {
	_ = l.byteStream.Close()
	return l.door.Close()
}

// accept takes the next connection while there is none.
func (l *tcpListener) accept() error {
	if l.fault == nil {
		return nil
	}
	if l.door.fault != nil {
		return l.door.fault
	}
	fd, _, errno := unix.Syscall6(unix.SYS_ACCEPT4, uintptr(l.door.fd), 0, 0, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0, 0)
	if errno != 0 {
		return &l.door.faults.opening
	}
	_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
	l.begin(int(fd), false)
	return nil
}

// Read implements [Wire]. Without a connection it returns [ErrOpening].
func (l *tcpListener) Read(p []byte) (int, error) {
	if err := l.accept(); err != nil {
		return 0, err
	}
	return l.byteStream.Read(p)
}

// Write implements [Wire]. Without a connection it returns [ErrOpening].
func (l *tcpListener) Write(p []byte) (int, error) {
	if err := l.accept(); err != nil {
		return 0, err
	}
	return l.byteStream.Write(p)
}
