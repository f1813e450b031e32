package udp

import (
	"fmt"
	"net"
	"net/netip"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link/remote"
)

const (
	socketBytes = 4 << 20               // what the system does not grant costs packets, which are counted
	longest     = 20 * time.Millisecond // of one wait at the socket; then the bell and the end are looked at
	lookAgain   = 10 * time.Millisecond // how long datagrams may lie when the one that reads has gone away
	drainAtOnce = 64                    // datagrams, so that a flood does not hold up a poll
)

// Open opens a host whose links are carried by UDP, at c.Local.
func Open(c remote.Config) (*remote.Host, error) {
	s, err := listen(c.Local)
	if err != nil {
		return nil, fmt.Errorf("open the host %s at UDP address %q: %w", c.Name, c.Local, err)
	}
	return remote.New(c, &carrier{socket: s, buffer: make([]byte, 2048)})
}

// carrier shares one socket among all that wait. Whoever holds the token reads.
type carrier struct {
	socket *socket
	host   *remote.Host
	quit   atomic.Bool
	work   sync.WaitGroup

	token  atomic.Bool
	buffer []byte // the token's
	bell   rt.Wake
	visits atomic.Uint64           // how often others than the host's thread have read
	lonely atomic.Pointer[rt.Wake] // the bell of the only one that waits, while the host's thread reads
}

// Serve implements remote.Carrier.
func (c *carrier) Serve(h *remote.Host) {
	c.host = h
	c.work.Go(c.read)
}

// Write implements remote.Carrier.
func (c *carrier) Write(d []byte, to netip.AddrPort) bool { return c.socket.write(d, to) }

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

// Close implements remote.Carrier.
func (c *carrier) Close() error {
	if c.quit.Swap(true) {
		return nil
	}
	c.bell.Wake()
	c.work.Wait()
	for !c.token.CompareAndSwap(false, true) { // whoever waits sees quit within the longest wait
		time.Sleep(time.Millisecond)
	}
	return c.socket.close()
}

// take reads one datagram with the token, and gives it to the host.
func (c *carrier) take(timeout time.Duration, pinned bool) bool {
	n, from, ok := c.socket.read(c.buffer, timeout, pinned)
	if ok {
		c.host.Take(c.buffer[:n], from)
	}
	return ok
}

// read is the host's thread: it reads while several wait or nobody does.
func (c *carrier) read() {
	runtime.LockOSThread() // for good: the thread ends with the goroutine
	for visits := uint64(0); !c.quit.Load(); {
		if now := c.visits.Load(); c.host.Alone() && now != visits || !c.token.CompareAndSwap(false, true) {
			visits = now
			c.bell.Wait(lookAgain)
			continue
		}
		for !c.quit.Load() {
			if c.take(longest, false) && c.lonely.Load() != nil && c.host.Alone() {
				break // from now on it reads by itself
			}
		}
		c.visits.Add(1)
		c.token.Store(false)
		if b := c.lonely.Load(); b != nil {
			b.Wake()
		}
	}
}

// Wait implements remote.Carrier.
func (c *carrier) Wait(bell *rt.Wake, timeout time.Duration) {
	if !c.host.Alone() {
		if !c.token.Load() {
			c.bell.Wake()
		}
		bell.Wait(timeout)
		return
	}
	if !c.token.CompareAndSwap(false, true) {
		c.lonely.Store(bell)
		bell.Wait(timeout)
		c.lonely.Store(nil)
		return
	}
	end, pinned := rt.Now()+int64(timeout), c.host.Pinned()
	for left := timeout; !bell.Wait(0) && !c.quit.Load(); {
		if timeout >= 0 {
			if left = time.Duration(end - rt.Now()); left <= 0 {
				break
			}
		}
		if timeout < 0 || left > longest {
			left = longest
		}
		c.take(left, pinned)
	}
	c.visits.Add(1)
	c.token.Store(false)
	if !c.host.Alone() {
		c.bell.Wake()
	}
}

// Poll implements remote.Carrier.
func (c *carrier) Poll() {
	if c.token.Load() || !c.token.CompareAndSwap(false, true) {
		return
	}
	for range drainAtOnce {
		if !c.take(0, false) {
			break
		}
	}
	c.visits.Add(1)
	c.token.Store(false)
}
