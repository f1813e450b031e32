//go:build !linux

package udp

import (
	"errors"
	"net"
	"net/netip"
	"time"
)

const socketBytes = 4 << 20 // the system may grant less; then packets may be lost, which is counted

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

// writeTo sends a datagram.
func (s *socket) writeTo(d []byte, to netip.AddrPort) bool {
	_, _ = s.conn.WriteToUDPAddrPort(d, to)
	return true
}

// connect fails: one socket serves all peers.
func (s *socket) connect(netip.AddrPort) (*socket, error) { return nil, errors.ErrUnsupported }

func (s *socket) write([]byte) bool { panic("udp: a socket that is not connected has no write") }

// read waits for a datagram without limit: only the reader's thread reads here.
func (s *socket) read(b []byte, _ time.Duration, _ bool) (n int, from netip.AddrPort, ok bool) {
	n, from, err := s.conn.ReadFromUDPAddrPort(b)
	return n, unmapped(from), err == nil
}

func (s *socket) bound(time.Duration) {}

// interrupt ends all reads, now and later.
func (s *socket) interrupt() { _ = s.conn.SetReadDeadline(time.Unix(1, 0)) }

func (s *socket) close() error { return s.conn.Close() }
