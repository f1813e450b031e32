//go:build !linux

package udp

import (
	"net"
	"net/netip"
	"time"
)

// socket is a UDP socket. One goroutine at a time may read; any may write.
type socket struct {
	conn  *net.UDPConn
	local netip.AddrPort
}

func listen(local string) (*socket, error) {
	at, err := net.ResolveUDPAddr("udp", local)
	if err != nil {
		return nil, err
	}
	conn, err := net.ListenUDP("udp", at)
	if err != nil {
		return nil, err
	}
	_ = conn.SetReadBuffer(socketBytes)
	_ = conn.SetWriteBuffer(socketBytes)
	return &socket{conn: conn, local: unmapped(conn.LocalAddr().(*net.UDPAddr).AddrPort())}, nil
}

func unmapped(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }

// write sends a datagram.
func (s *socket) write(d []byte, to netip.AddrPort) bool {
	_, _ = s.conn.WriteToUDPAddrPort(d, to)
	return true
}

// read waits for a datagram, at most for the timeout. Go cannot pin here.
func (s *socket) read(b []byte, timeout time.Duration, _ bool) (n int, from netip.AddrPort, ok bool) {
	if err := s.conn.SetReadDeadline(time.Now().Add(max(timeout, time.Microsecond))); err != nil {
		return 0, netip.AddrPort{}, false
	}
	n, from, err := s.conn.ReadFromUDPAddrPort(b)
	return n, unmapped(from), err == nil
}

func (s *socket) close() error { return s.conn.Close() }
