package sockets

import (
	"errors"
	"net"
	"net/netip"
	"os"
)

// lookups is how often a table is read for a connection: a read may miss one while others begin and end.
const lookups = 3

// ErrGone means that no process has the other end of a connection open any more, so that its user is not known.
var ErrGone = errors.New("its program has closed it already")

// Listeners returns the numbers of the sockets that listen at a port of a network (tcp or udp).
func Listeners(network string, port int) (numbers []string) {
	for e := range entries(network) {
		if int(e.local.Port()) == port && (network == "udp" || e.state == listening) {
			numbers = append(numbers, e.number)
		}
	}
	return numbers
}

// Peer returns the user who runs the other end of a TCP connection within this machine; known is false on a system without tables. It
// fails with [ErrGone] for an end that is closed: the kernel then shows user 0 instead of its own.
func Peer(conn net.Conn) (uid int, known bool, err error) {
	if _, err := os.Stat("/proc/net/tcp"); err != nil {
		return 0, false, nil
	}
	own, other := addressOf(conn.LocalAddr()), addressOf(conn.RemoteAddr())
	for range lookups {
		for e := range entries("tcp") {
			if e.local == other && e.remote == own && e.number != "0" {
				return e.user, true, nil
			}
		}
	}
	return 0, true, ErrGone
}

// addressOf returns a TCP address as tables hold it: without a zone, and IPv4 not as part of IPv6.
func addressOf(a net.Addr) netip.AddrPort {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	at := tcp.AddrPort()
	return netip.AddrPortFrom(at.Addr().Unmap().WithZone(""), at.Port())
}
