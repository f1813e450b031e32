package udp

import (
	"fmt"
	"net"
	"net/netip"
	"sync"

	"github.com/sinew-robotics/sinew/internal/inuse"
	"github.com/sinew-robotics/sinew/net/link/remote"
)

// Open opens an endpoint whose links are carried by UDP; it listens at c.Local. It fails if
// that address cannot be used.
func Open(c remote.Config) (*remote.Endpoint, error) {
	s, err := listen(c.Local)
	if err != nil {
		return nil, fmt.Errorf("open the host %s at UDP address %q: %w", c.Name, c.Local, inuse.Explain(err, "udp", c.Local, "choose another port, with port: of the host in the system file or --listen of a bridge"))
	}
	return remote.New(c, &carrier{socket: s})
}

// carrier has one socket for all callers and, if the system supports it, one more for each peer, connected to it:
// such a socket costs less per datagram, and the peer's receiver may read it itself.
type carrier struct {
	socket *socket
	host   *remote.Endpoint
	main   *reader
	work   sync.WaitGroup
}

// Serve implements remote.Carrier.
func (c *carrier) Serve(h *remote.Endpoint) {
	c.host = h
	c.main = newReader(c.socket, h, func() bool { return false })
	c.work.Go(c.main.run)
}

// Open implements remote.Carrier.
func (c *carrier) Open(to netip.AddrPort, alone func() bool) remote.Path {
	s, err := c.socket.connect(to)
	if err != nil {
		return nil // the carrier's own socket is used
	}
	r := newReader(s, c.host, alone)
	c.work.Go(r.run)
	return r
}

// Write implements remote.Carrier.
func (c *carrier) Write(d []byte, to netip.AddrPort) bool { return c.socket.writeTo(d, to) }

// Addr implements remote.Carrier.
func (c *carrier) Addr() netip.AddrPort { return c.socket.local }

// Resolve implements remote.Carrier.
func (c *carrier) Resolve(address string) (netip.AddrPort, error) {
	a, err := net.ResolveUDPAddr("udp", address)
	if err != nil {
		return netip.AddrPort{}, err
	}
	return netip.AddrPortFrom(a.AddrPort().Addr().Unmap(), a.AddrPort().Port()), nil
}

// Close implements remote.Carrier. The host has closed the paths.
func (c *carrier) Close() error {
	if c.main == nil {
		return c.socket.close() // it never served
	}
	c.main.Close()
	c.work.Wait()
	return nil
}
