package udp

import (
	"net"
	"net/netip"
	"sync"

	"github.com/sinew-robotics/sinew/internal/inuse"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/remote"
)

// Carrier returns the carrier udp. Its datagrams pass Ethernet and common tunnels unfragmented.
func Carrier() link.Carrier {
	return link.Carrier{Name: "udp", Doc: "Datagrams of the Internet protocol.", MaxDatagram: 1400, Open: open}
}

// open opens a carrier that listens at an address.
func open(local string) (link.Datagrams, error) {
	s, err := listen(local)
	if err != nil {
		return nil, inuse.Explain(err, "udp", local, "choose another port, with port: of the host in the system file or --listen of a bridge")
	}
	return &carrier{socket: s}, nil
}

// carrier has one socket for all callers and, if the system supports it, one more for each peer, connected to it:
// such a socket costs less per datagram, and the peer's receiver may read it itself.
type carrier struct {
	socket *socket
	main   *reader
	work   sync.WaitGroup
}

// Serve implements link.Datagrams.
func (c *carrier) Serve(h link.Host) {
	c.main = newReader(c.socket, h, func() bool { return false })
	c.work.Go(c.main.run)
}

// Open opens a path to a peer, for [remote.Endpoint].
func (c *carrier) Open(h *remote.Endpoint, to link.Address, alone func() bool) remote.Path {
	s, err := c.socket.connect(to.IP)
	if err != nil {
		return nil // the carrier's own socket is used
	}
	r := newReader(s, h, alone)
	r.again, r.pinned = h.Period()/2, h.Pinned()
	c.work.Go(r.run)
	return r
}

// Write implements link.Datagrams.
func (c *carrier) Write(d []byte, to link.Address) bool { return c.socket.writeTo(d, to.IP) }

// Addr implements link.Datagrams.
func (c *carrier) Addr() link.Address { return link.Address{IP: c.socket.local} }

// Resolve implements link.Datagrams.
func (c *carrier) Resolve(address string) (link.Address, error) {
	a, err := net.ResolveUDPAddr("udp", address)
	if err != nil {
		return link.Address{}, err
	}
	return link.Address{IP: netip.AddrPortFrom(a.AddrPort().Addr().Unmap(), a.AddrPort().Port())}, nil
}

// Close implements link.Datagrams. The host has closed the paths.
func (c *carrier) Close() error {
	if c.main == nil {
		return c.socket.close() // it never served
	}
	c.main.Close()
	c.work.Wait()
	return nil
}
