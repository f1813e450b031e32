package udp

import (
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const socketBytes = 4 << 20 // the system may grant less; then packets may be lost, which is counted

// socket is a UDP socket that bypasses the Go network poller. One goroutine at a time may read; any may write.
type socket struct {
	fd    int
	six   bool // an IPv6 socket, which also carries IPv4
	local netip.AddrPort
	name  address // of local
	from  address // used by the reader
	size  uint32
	poll  unix.PollFd
	until unix.Timespec
}

// address is a sockaddr_in or sockaddr_in6.
type address [unix.SizeofSockaddrInet6]byte

func listen(local string) (*socket, error) {
	at, err := net.ResolveUDPAddr("udp", local)
	if err != nil {
		return nil, err
	}
	s := &socket{six: at.IP == nil || at.IP.To4() == nil, fd: -1}
	if s.six {
		s.fd, err = unix.Socket(unix.AF_INET6, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		s.six = err == nil || at.IP != nil // without IPv6 in the system, any address means any of IPv4
	}
	if !s.six {
		s.fd, err = unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("open a socket: %w", err)
	}
	s.tune()
	if err = s.bind(at); err != nil {
		unix.Close(s.fd)
		return nil, err
	}
	return s, nil
}

// connect opens another socket at the same port, for one address. The system prefers it for datagrams from there. The
// port is shared for a moment only, so that no other process can take it.
func (s *socket) connect(to netip.AddrPort) (*socket, error) {
	family := unix.AF_INET
	if s.six {
		family = unix.AF_INET6
	}
	fd, err := unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	c := &socket{fd: fd, six: s.six, local: s.local}
	c.tune()
	share := func(yes int) {
		for _, fd := range [...]int{s.fd, c.fd} {
			_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEPORT, yes)
		}
	}
	share(1)
	err = s.call(unix.SYS_BIND, c.fd, s.name)
	share(0)
	if err == nil {
		name, _ := encode(to, s.six)
		err = s.call(unix.SYS_CONNECT, c.fd, name)
	}
	if err != nil {
		unix.Close(fd)
		return nil, err
	}
	return c, nil
}

// call makes a system call with an address of the socket's family.
func (s *socket) call(number uintptr, fd int, name address) error {
	n := uintptr(unix.SizeofSockaddrInet4)
	if s.six {
		n = unix.SizeofSockaddrInet6
	}
	if _, _, e := unix.Syscall(number, uintptr(fd), uintptr(unsafe.Pointer(&name)), n); e != 0 {
		return e
	}
	return nil
}

// tune sets optional socket options. No datagram needs fragmentation, but it is allowed for tunnels that must
// fragment.
func (s *socket) tune() {
	s.bound(longest)
	if unix.SetsockoptInt(s.fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, socketBytes) != nil {
		_ = unix.SetsockoptInt(s.fd, unix.SOL_SOCKET, unix.SO_RCVBUF, socketBytes)
	}
	_ = unix.SetsockoptInt(s.fd, unix.SOL_SOCKET, unix.SO_SNDBUF, socketBytes)
	_ = unix.SetsockoptInt(s.fd, unix.IPPROTO_IP, unix.IP_MTU_DISCOVER, unix.IP_PMTUDISC_DONT)
	if s.six {
		_ = unix.SetsockoptInt(s.fd, unix.IPPROTO_IPV6, unix.IPV6_V6ONLY, 0)
		_ = unix.SetsockoptInt(s.fd, unix.IPPROTO_IPV6, unix.IPV6_MTU_DISCOVER, unix.IPV6_PMTUDISC_DONT)
	}
}

func (s *socket) bind(at *net.UDPAddr) error {
	to := at.AddrPort()
	var name unix.Sockaddr
	if s.six {
		six := &unix.SockaddrInet6{Port: int(to.Port()), ZoneId: zone(to.Addr())}
		if at.IP != nil {
			six.Addr = to.Addr().As16()
		}
		name = six
	} else {
		four := &unix.SockaddrInet4{Port: int(to.Port())}
		if at.IP != nil {
			four.Addr = to.Addr().Unmap().As4()
		}
		name = four
	}
	if err := unix.Bind(s.fd, name); err != nil {
		return fmt.Errorf("bind: %w", err)
	}
	s.size = uint32(len(s.name))
	if _, _, e := unix.Syscall(unix.SYS_GETSOCKNAME, uintptr(s.fd), uintptr(unsafe.Pointer(&s.name)), uintptr(unsafe.Pointer(&s.size))); e != 0 {
		return fmt.Errorf("get the socket's address: %w", e)
	}
	s.local = s.name.decode()
	return nil
}

// zone returns the number of an address's interface, for IPv6 link-local addresses.
func zone(a netip.Addr) uint32 {
	if a.Zone() == "" {
		return 0
	}
	if n, err := strconv.ParseUint(a.Zone(), 10, 32); err == nil {
		return uint32(n)
	}
	if i, err := net.InterfaceByName(a.Zone()); err == nil {
		return uint32(i.Index)
	}
	return 0
}

func (a *address) decode() netip.AddrPort {
	port := binary.BigEndian.Uint16(a[2:])
	if binary.NativeEndian.Uint16(a[:]) == unix.AF_INET {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(a[4:8])), port)
	}
	ip := netip.AddrFrom16([16]byte(a[8:24])).Unmap()
	if scope := binary.NativeEndian.Uint32(a[24:]); scope != 0 && ip.Is6() {
		ip = ip.WithZone(strconv.Itoa(int(scope)))
	}
	return netip.AddrPortFrom(ip, port)
}

// encode returns the address for a socket of the family, and its length.
func encode(to netip.AddrPort, six bool) (a address, n uintptr) {
	binary.BigEndian.PutUint16(a[2:], to.Port())
	if !six {
		binary.NativeEndian.PutUint16(a[:], unix.AF_INET)
		ip := to.Addr().Unmap()
		if !ip.Is4() {
			return a, 0
		}
		four := ip.As4()
		copy(a[4:], four[:])
		return a, unix.SizeofSockaddrInet4
	}
	binary.NativeEndian.PutUint16(a[:], unix.AF_INET6)
	ip := to.Addr().As16()
	copy(a[8:], ip[:])
	binary.NativeEndian.PutUint32(a[24:], zone(to.Addr()))
	return a, unix.SizeofSockaddrInet6
}

// writeTo sends a datagram; it returns false if the system has no room for it now.
func (s *socket) writeTo(d []byte, to netip.AddrPort) bool {
	name, n := encode(to, s.six)
	return s.send(d, &name, n)
}

// write sends a datagram like writeTo, on a connected socket.
func (s *socket) write(d []byte) bool { return s.send(d, nil, 0) }

func (s *socket) send(d []byte, name *address, n uintptr) bool {
	for {
		_, _, e := unix.RawSyscall6(unix.SYS_SENDTO, uintptr(s.fd), uintptr(unsafe.Pointer(unsafe.SliceData(d))), uintptr(len(d)),
			unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL, uintptr(unsafe.Pointer(name)), n)
		if e != unix.EINTR {
			return e != unix.EAGAIN && e != unix.ENOBUFS
		}
	}
}

// bound sets how long a read with the longest timeout may wait.
func (s *socket) bound(d time.Duration) {
	wait := unix.NsecToTimeval(int64(max(d, 0))) // 0 means no limit
	_ = unix.SetsockoptTimeval(s.fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &wait)
}

// interrupt ends all reads, now and later.
func (s *socket) interrupt() { _ = unix.Shutdown(s.fd, unix.SHUT_RD) }

// read waits for a datagram, at most for the timeout; if that is longest or forever, as long as [socket.bound] has
// set.
func (s *socket) read(b []byte, timeout time.Duration, pinned bool) (n int, from netip.AddrPort, ok bool) {
	flags := uintptr(unix.MSG_DONTWAIT)
	switch {
	case timeout >= longest || timeout == forever:
		flags = 0
	case timeout > 0:
		s.poll, s.until = unix.PollFd{Fd: int32(s.fd), Events: unix.POLLIN}, unix.NsecToTimespec(int64(timeout))
		if ready, e := call(pinned, unix.SYS_PPOLL, uintptr(unsafe.Pointer(&s.poll)), 1, uintptr(unsafe.Pointer(&s.until)), 0, 0, 0); e != 0 || ready == 0 {
			return 0, netip.AddrPort{}, false
		}
	}
	s.size = uint32(len(s.from))
	got, e := call(pinned && flags == 0, unix.SYS_RECVFROM, uintptr(s.fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), flags,
		uintptr(unsafe.Pointer(&s.from)), uintptr(unsafe.Pointer(&s.size)))
	if e != 0 || s.size == 0 { // no size: it was interrupted
		return 0, netip.AddrPort{}, false
	}
	return int(got), s.from.decode(), true
}

// call makes a system call. If pinned, the Go scheduler is not involved.
//
//go:uintptrescapes
func call(pinned bool, number, a, b, c, d, e, f uintptr) (uintptr, unix.Errno) {
	if pinned {
		procPin()
		n, _, err := unix.RawSyscall6(number, a, b, c, d, e, f)
		procUnpin()
		return n, err
	}
	n, _, err := unix.Syscall6(number, a, b, c, d, e, f)
	return n, err
}

func (s *socket) close() error { return unix.Close(s.fd) }

//go:linkname procPin runtime.procPin
func procPin() int

//go:linkname procUnpin runtime.procUnpin
func procUnpin()
