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

// relay is a network in user space: it forwards the datagrams of a caller at its near side to an address, and back.
type relay struct {
	t    testing.TB
	near *net.UDPConn
	to   *net.UDPAddr
	work sync.WaitGroup

	mu     sync.Mutex
	caller netip.AddrPort
	far    *net.UDPConn // the caller's address at the other side
	seed   *rand.Rand
	fate   func(r *rand.Rand, d []byte, there bool) []delivery
	record [][]byte // datagrams of the caller
}

// delivery is what happens to a datagram: it arrives after a delay.
type delivery struct {
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

// move gives the caller another address at the far side.
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

// tamper sets what happens to datagrams; nil: they arrive.
func (r *relay) tamper(f func(r *rand.Rand, d []byte, there bool) []delivery) {
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
		all := []delivery{{d: d}}
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
func relayed(t testing.TB) (robot, operator *remote.Peer, between *relay) {
	t.Helper()
	operatorID, robotID := identity(t), identity(t)
	r := host(t, remote.Config{Name: "robot", Identity: robotID})
	d := host(t, remote.Config{Name: "operator", Identity: operatorID})
	between = newRelay(t, r.Addr().IP)
	operator = join(t, r, remote.PeerConfig{Name: "operator", Key: operatorID.Public()})
	robot = join(t, d, remote.PeerConfig{Name: "robot", Key: robotID.Public(), Address: between.near.LocalAddr().String()})
	return robot, operator, between
}
