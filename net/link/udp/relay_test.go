package udp

import (
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link/remote"
)

// relay is a network in user space: it forwards the datagrams of somebody who calls at its near side to an address, and back.
type relay struct {
	t    testing.TB
	near *net.UDPConn
	to   *net.UDPAddr
	work sync.WaitGroup

	mu     sync.Mutex
	caller netip.AddrPort
	far    *net.UDPConn // as whom the caller appears at the other side
	seed   *rand.Rand
	fate   func(r *rand.Rand, d []byte, there bool) []fate
	record [][]byte // of the way there
}

// fate is what becomes of a datagram: it arrives after a while.
type fate struct {
	d     []byte
	after time.Duration
}

func newRelay(t testing.TB, to netip.AddrPort) *relay {
	t.Helper()
	r := &relay{t: t, to: net.UDPAddrFromAddrPort(to), seed: testkit.Rand(t)}
	r.near = r.socket()
	r.move()
	r.work.Go(func() { r.forward(r.near, true) })
	t.Cleanup(func() {
		r.near.Close()
		r.mu.Lock()
		r.far.Close()
		r.mu.Unlock()
		r.work.Wait()
	})
	return r
}

func (r *relay) socket() *net.UDPConn {
	c, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

// move lets the caller appear at another address.
func (r *relay) move() netip.AddrPort {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.far != nil {
		r.far.Close()
	}
	far := r.socket()
	r.far = far
	r.work.Go(func() { r.forward(far, false) })
	return far.LocalAddr().(*net.UDPAddr).AddrPort()
}

// tamper sets what becomes of datagrams; nil: they arrive.
func (r *relay) tamper(f func(r *rand.Rand, d []byte, there bool) []fate) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fate = f
}

func (r *relay) recorded() [][]byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.record)
}

func (r *relay) forward(from *net.UDPConn, there bool) {
	buffer := make([]byte, 2048)
	for {
		n, at, err := from.ReadFromUDPAddrPort(buffer)
		if err != nil {
			return
		}
		d := slices.Clone(buffer[:n])
		r.mu.Lock()
		all := []fate{{d: d}}
		if there {
			r.caller = at
			if len(r.record) < 5000 {
				r.record = append(r.record, slices.Clone(d))
			}
		}
		if r.fate != nil {
			all = r.fate(r.seed, d, there)
		}
		r.mu.Unlock()
		for _, f := range all {
			if f.after > 0 {
				time.AfterFunc(f.after, func() { r.deliver(f.d, there) })
			} else {
				r.deliver(f.d, there)
			}
		}
	}
}

func (r *relay) deliver(d []byte, there bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if there {
		_, _ = r.far.WriteToUDP(d, r.to)
	} else {
		_, _ = r.near.WriteToUDPAddrPort(d, r.caller)
	}
}

// relayed is pair with a relay between the two.
func relayed(t testing.TB) (robot, desk *remote.Peer, between *relay) {
	t.Helper()
	deskID, robotID := identity(t), identity(t)
	r := open(t, remote.Config{Name: "robot", Identity: robotID})
	d := open(t, remote.Config{Name: "desk", Identity: deskID})
	between = newRelay(t, r.Addr())
	desk = join(t, r, remote.PeerConfig{Name: "desk", Key: deskID.Public()})
	robot = join(t, d, remote.PeerConfig{Name: "robot", Key: robotID.Public(), Address: between.near.LocalAddr().String()})
	return robot, desk, between
}

func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for begin := time.Now(); !ok(); time.Sleep(time.Millisecond) {
		if time.Since(begin) > 10*time.Second {
			t.Fatalf("it did not happen that %s", what)
		}
	}
}
