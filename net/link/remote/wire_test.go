package remote

import (
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
)

const period = 10 * time.Millisecond

// wire joins hosts in memory. fate decides what happens to each datagram.
type wire struct {
	mu    sync.Mutex
	ends  map[link.Address]*wireEnd
	fate  func(d []byte, from, to link.Address) [][]byte // nil: each arrives
	ports uint16
}

type datagram struct {
	d    []byte
	from link.Address
}

// wireEnd is a carrier.
type wireEnd struct {
	*wire
	at    link.Address
	inbox chan datagram
	work  sync.WaitGroup
}

func newWire() *wire { return &wire{ends: map[link.Address]*wireEnd{}} }

func (w *wire) end() *wireEnd {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ports++
	e := &wireEnd{wire: w, at: link.Address{IP: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(w.ports)}), 7400)}, inbox: make(chan datagram, 256)}
	w.ends[e.at] = e
	return e
}

// tamper sets fate.
func (w *wire) tamper(fate func(d []byte, from, to link.Address) [][]byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fate = fate
}

// carrier returns a carrier that opens the end.
func (e *wireEnd) carrier() link.Carrier {
	return link.Carrier{Name: "wire", MaxDatagram: 1400, Open: func(string) (link.Datagrams, error) { return e, nil }}
}

func (e *wireEnd) Serve(h link.Host) {
	e.work.Go(func() {
		for l := range e.inbox {
			h.Take(l.d, l.from)
		}
	})
}

func (e *wireEnd) Write(d []byte, to link.Address) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := [][]byte{slices.Clone(d)}
	if e.fate != nil {
		all = e.fate(all[0], e.at, to)
	}
	for _, d := range all {
		if other := e.ends[to]; other != nil {
			select {
			case other.inbox <- datagram{d, e.at}:
			default: // lost
			}
		}
	}
	return true
}

func (e *wireEnd) Resolve(address string) (link.Address, error) {
	ip, err := netip.ParseAddrPort(address)
	return link.Address{IP: ip}, err
}
func (e *wireEnd) Addr() link.Address { return e.at }

func (e *wireEnd) Close() error {
	e.mu.Lock()
	delete(e.ends, e.at)
	close(e.inbox)
	e.mu.Unlock()
	e.work.Wait()
	return nil
}

func identity(t testing.TB) Identity {
	t.Helper()
	id, err := NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func host(t testing.TB, w *wire, c Config) *Endpoint {
	t.Helper()
	c.Period = period
	h, err := Open(w.end().carrier(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

func join(t testing.TB, h *Endpoint, c PeerConfig) *Peer {
	t.Helper()
	p, err := h.Peer(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// pair returns two hosts of which the operator calls the robot. change modifies their configurations.
func pair(t testing.TB, w *wire, change func(operator, robot *Config)) (robot, operator *Peer) {
	t.Helper()
	d, r := Config{Name: "operator", Identity: identity(t)}, Config{Name: "robot", Identity: identity(t)}
	operatorKey, robotKey := d.Identity.Public(), r.Identity.Public()
	if change != nil {
		change(&d, &r)
	}
	dh, rh := host(t, w, d), host(t, w, r)
	operator = join(t, rh, PeerConfig{Name: "operator", Key: operatorKey})
	return join(t, dh, PeerConfig{Name: "robot", Key: robotKey, Address: rh.Addr().String()}), operator
}

func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	testkit.Await(t, what, ok)
}

func connected(t testing.TB, peers ...*Peer) {
	t.Helper()
	for _, p := range peers {
		eventually(t, "the peer "+p.name+" is connected", func() bool { return p.State().Connected })
	}
}

// stopKeeper stops a host's keeper, so that the test can act as the keeper.
func stopKeeper(h *Endpoint) {
	close(h.quit)
	h.keeper.Wait()
	h.quit = make(chan struct{}) // for Close
}

// idleHost returns a host that stays idle for an hour.
func idleHost(t testing.TB, c Config) (*Endpoint, *wireEnd) {
	t.Helper()
	testkit.NoLeaks(t)
	e := newWire().end()
	c.Period = time.Hour
	h, err := Open(e.carrier(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h, e
}
