package tcp

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/internal/inuse"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
)

const (
	patience  = 5 * time.Second // for a stream to connect, and for datagrams of a peer on it
	strangers = 64              // accepted streams on which no peer was authenticated; one more closes the oldest
)

// maxDatagram is the longest datagram, in bytes.
const maxDatagram = 1400

// Carrier returns the carrier tcp.
func Carrier() link.Carrier {
	return link.Carrier{Name: "tcp", Doc: "Streams of the Internet protocol, for firewalls.", MaxDatagram: maxDatagram, Open: open}
}

// open opens a carrier that listens at an address.
func open(local string) (link.Datagrams, error) {
	at, err := net.ResolveTCPAddr("tcp", local)
	if err != nil {
		return nil, err
	}
	listener, err := net.ListenTCP("tcp", at)
	if err != nil {
		return nil, inuse.Explain(err, "tcp", local, "choose another port, with port: of the host in the system file or --listen of a bridge")
	}
	ctx, quit := context.WithCancel(context.Background())
	return &carrier{listener: listener, ctx: ctx, quit: quit, streams: map[link.Address]*stream{}, dials: map[link.Address]bool{}}, nil
}

// carrier holds one stream for each address.
type carrier struct {
	host     link.Host
	listener *net.TCPListener
	ctx      context.Context
	quit     context.CancelFunc
	work     sync.WaitGroup

	mu      sync.RWMutex
	streams map[link.Address]*stream
	dials   map[link.Address]bool // addresses to dial; true while dialing
	unknown []*stream             // streams of unauthenticated senders, the oldest first
}

// Serve implements link.Datagrams.
func (c *carrier) Serve(h link.Host) {
	c.host = h
	c.work.Go(c.accept)
}

// Addr implements link.Datagrams.
func (c *carrier) Addr() link.Address { return unmapped(c.listener.Addr()) }

func unmapped(a net.Addr) link.Address {
	ap := a.(*net.TCPAddr).AddrPort()
	return link.Address{IP: netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port())}
}

// Resolve implements link.Datagrams.
func (c *carrier) Resolve(address string) (link.Address, error) {
	a, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return link.Address{}, err
	}
	to := unmapped(a)
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.dials[to]; !known {
		c.dials[to] = false
	}
	return to, nil
}

// Write implements link.Datagrams. A datagram for an address without a stream is lost, but starts dialing if the
// address may be dialed.
func (c *carrier) Write(d []byte, to link.Address) bool {
	c.mu.RLock()
	s := c.streams[to]
	calling, may := c.dials[to]
	c.mu.RUnlock()
	if s != nil {
		return s.write(d)
	}
	if may && !calling {
		c.dial(to, append([]byte(nil), d...))
	}
	return true
}

// dial opens a stream in the background and sends the first datagram on it.
func (c *carrier) dial(to link.Address, first []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dials[to] || c.ctx.Err() != nil {
		return
	}
	c.dials[to] = true
	c.work.Go(func() {
		dialer := net.Dialer{Timeout: patience}
		conn, err := dialer.DialContext(c.ctx, "tcp", to.String())
		c.mu.Lock()
		c.dials[to] = false
		c.mu.Unlock()
		if err != nil {
			return // the host will call again
		}
		if s := c.add(conn.(*net.TCPConn), to, false); s != nil {
			s.write(first)
			c.serve(s)
		}
	})
}

func (c *carrier) accept() {
	for {
		conn, err := c.listener.AcceptTCP()
		if c.ctx.Err() != nil {
			if err == nil {
				conn.Close()
			}
			return
		}
		if err != nil {
			select { // out of file descriptors: wait until some are closed
			case <-time.After(100 * time.Millisecond):
			case <-c.ctx.Done():
			}
			continue
		}
		if s := c.add(conn, unmapped(conn.RemoteAddr()), true); s != nil {
			c.work.Go(func() { c.serve(s) })
		}
	}
}

// add adds a stream, or closes the connection if there is no room for it.
func (c *carrier) add(conn *net.TCPConn, at link.Address, stranger bool) *stream {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() != nil || c.streams[at] != nil {
		conn.Close()
		return nil
	}
	s, err := newStream(conn, at)
	if err != nil {
		conn.Close()
		return nil
	}
	if stranger {
		if len(c.unknown) >= strangers {
			c.unknown[0].close()
			c.unknown = c.unknown[1:]
		}
		c.unknown = append(c.unknown, s)
	}
	c.streams[at] = s
	c.work.Go(func() { s.drain(c.host) })
	return s
}

// serve reads a stream to its end: until no datagram of a peer has arrived for patience.
func (c *carrier) serve(s *stream) {
	var proven int64
	s.read(func(d []byte) {
		if !c.host.Take(d, s.at) {
			return
		}
		if now := rt.Now(); proven == 0 || now-proven > int64(patience/5) {
			proven = now
			c.makeRoom(s)
			_ = s.conn.SetReadDeadline(time.Now().Add(patience))
		}
	})
	s.close()
	c.makeRoom(s)
	c.mu.Lock()
	delete(c.streams, s.at)
	c.mu.Unlock()
}

// makeRoom makes room for another unauthenticated stream.
func (c *carrier) makeRoom(s *stream) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unknown = slices.DeleteFunc(c.unknown, func(o *stream) bool { return o == s })
}

// Close implements link.Datagrams.
func (c *carrier) Close() error {
	c.quit()
	err := c.listener.Close()
	c.mu.Lock()
	for _, s := range c.streams {
		s.close()
	}
	c.mu.Unlock()
	c.work.Wait()
	return err
}
