package wire

import (
	"errors"
	"fmt"
	"net"
	"unsafe"

	"golang.org/x/sys/unix"
)

// multicastCAN carries CAN frames in UDP multicast, as the interface udp_multicast of python-can does: every program that has joined the
// group is a node of the bus.
type multicastCAN struct {
	descriptor // receives
	group      endpoint
	index      int        // of the network interface; 0: as the system routes the group
	sending    descriptor // its address tells own frames from those of others
	own        [unix.SizeofSockaddrInet6]byte
	ownSize    uint32
	from       [unix.SizeofSockaddrInet6]byte
	buffer     [512]byte
}

func newMulticastCAN(a *address) (Wire, error) {
	group, err := resolve("udp", a.host)
	if err != nil {
		return nil, err
	}
	m := &multicastCAN{descriptor: newDescriptor(a.text), group: group, sending: newDescriptor(a.text)}
	if at, err := net.ResolveUDPAddr("udp", a.host); err != nil || !at.IP.IsMulticast() {
		return nil, errors.New("expected the address of a multicast group, such as 239.74.163.2")
	}
	if name := a.options.Get("interface"); name != "" {
		i, err := net.InterfaceByName(name)
		if err != nil {
			return nil, fmt.Errorf("interface=%s: %w", name, err)
		}
		m.index = i.Index
	}
	return m, nil
}

// Open joins the group.
func (m *multicastCAN) Open() error {
	_ = m.Close()
	if err := m.listen(); err != nil {
		return m.fail(err)
	}
	if err := m.speak(); err != nil {
		_ = m.sending.Close()
		return m.fail(err)
	}
	return nil
}

func (m *multicastCAN) listen() error {
	if err := m.socket(m.group.family, unix.SOCK_DGRAM); err != nil {
		return err
	}
	if err := unix.SetsockoptInt(m.fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1); err != nil { // other programs of this machine
		return err
	}
	if err := unix.Bind(m.fd, m.group.addr); err != nil {
		return err
	}
	if group, ok := m.group.addr.(*unix.SockaddrInet4); ok {
		return unix.SetsockoptIPMreqn(m.fd, unix.IPPROTO_IP, unix.IP_ADD_MEMBERSHIP, &unix.IPMreqn{Multiaddr: group.Addr, Ifindex: int32(m.index)})
	}
	group, _ := m.group.addr.(*unix.SockaddrInet6) // resolve returns no others
	return unix.SetsockoptIPv6Mreq(m.fd, unix.IPPROTO_IPV6, unix.IPV6_JOIN_GROUP, &unix.IPv6Mreq{Multiaddr: group.Addr, Interface: uint32(m.index)})
}

func (m *multicastCAN) speak() error {
	if err := m.sending.socket(m.group.family, unix.SOCK_DGRAM); err != nil {
		return err
	}
	var err error
	if m.group.family == unix.AF_INET {
		err = unix.SetsockoptIPMreqn(m.sending.fd, unix.IPPROTO_IP, unix.IP_MULTICAST_IF, &unix.IPMreqn{Ifindex: int32(m.index)})
	} else {
		err = unix.SetsockoptInt(m.sending.fd, unix.IPPROTO_IPV6, unix.IPV6_MULTICAST_IF, m.index)
	}
	if err == nil {
		err = unix.Connect(m.sending.fd, m.group.addr)
	}
	if err != nil {
		return err
	}
	m.ownSize = uint32(len(m.own))
	if _, _, errno := unix.Syscall(unix.SYS_GETSOCKNAME, uintptr(m.sending.fd), uintptr(unsafe.Pointer(&m.own)), uintptr(unsafe.Pointer(&m.ownSize))); errno != 0 {
		return errno
	}
	return nil
}

// Close leaves the group.
func (m *multicastCAN) Close() error { return errors.Join(m.sending.Close(), m.descriptor.Close()) }

// Read implements [Wire]. It skips datagrams that are not frames, and frames of CAN FD.
func (m *multicastCAN) Read(p []byte) (int, error) {
	if len(p) < frameBytes {
		return 0, &m.faults.frame
	}
	for {
		if err := m.ready(); err != nil {
			return 0, err
		}
		size := uint32(len(m.from))
		n, _, errno := unix.Syscall6(unix.SYS_RECVFROM, uintptr(m.fd), uintptr(unsafe.Pointer(&m.buffer)), uintptr(len(m.buffer)),
			0, uintptr(unsafe.Pointer(&m.from)), uintptr(unsafe.Pointer(&size)))
		switch errno {
		case 0:
		case unix.EINTR:
			continue
		case unix.EAGAIN:
			return 0, nil
		default:
			return 0, m.fail(errno)
		}
		if size == m.ownSize && m.from == m.own {
			continue
		}
		if f, ok := parsePythonCAN(m.buffer[:n]); ok {
			return len(appendFrame(p[:0], f)), nil
		}
	}
}

// Write implements [Wire].
func (m *multicastCAN) Write(p []byte) (int, error) {
	f, ok := parseFrame(p)
	if !ok {
		return 0, &m.faults.frame
	}
	if err := m.ready(); err != nil {
		return 0, err
	}
	if n, err := m.sending.write(appendPythonCAN(m.buffer[:0], f)); err != nil || n == 0 {
		return 0, err
	}
	return len(p), nil
}
