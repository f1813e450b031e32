package remote

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"testing"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
)

var stranger = link.Address{IP: netip.MustParseAddrPort("192.0.2.7:4000")}

// TestUnknownSendersCostNothing counts the allocations that datagrams of unknown senders cause in the reading thread,
// and checks that they are counted.
func TestUnknownSendersCostNothing(t *testing.T) {
	h, _ := idleHost(t, Config{Name: "robot", Identity: identity(t)})
	stopKeeper(h)
	r := testkit.Rand(t)
	d, n := make([]byte, 2000), uint64(0)
	testkit.NoAllocs(t, 2000, func() {
		size := r.IntN(len(d))
		for i := range size {
			d[i] = byte(r.Uint32())
		}
		if size > 0 {
			d[0] = byte(n % 8)
		}
		h.Take(d[:size], stranger)
		n++
	})
	if got := h.Rejected(); got+uint64(cap(h.shakes)) < n {
		t.Errorf("%d of %d datagrams of an unknown sender were counted", got, n)
	}
}

// nowhere is a carrier that loses every datagram.
type nowhere struct{ *wireEnd }

func (nowhere) Write([]byte, link.Address) bool { return true }

// TestCallersWithoutCookieCostNothing counts the allocations of the keeper for callers without a cookie.
func TestCallersWithoutCookieCostNothing(t *testing.T) {
	h, e := idleHost(t, Config{Name: "robot", Identity: identity(t)})
	stopKeeper(h)
	h.carrier = nowhere{e}
	d := make([]byte, firstBytes+noiseFirst)
	d[0], d[1], d[2] = kindFirst, Version, modeSealed
	testkit.NoAllocs(t, 1000, func() { h.handleCall(d, stranger) })
}

// TestCallersProveTheirAddress follows a call from the first message to the session.
func TestCallersProveTheirAddress(t *testing.T) {
	own, theirs := identity(t), identity(t)
	h, e := idleHost(t, Config{Name: "robot", Identity: own})
	join(t, h, PeerConfig{Name: "operator", Key: theirs.Public()})
	caller, _ := idleHost(t, Config{Name: "operator", Identity: theirs})
	a, err := caller.newAttempt(join(t, caller, PeerConfig{Name: "robot", Key: own.Public()}))
	if err != nil {
		t.Fatal(err)
	}
	inbox := &wireEnd{wire: e.wire, at: stranger, inbox: make(chan datagram, 16)}
	e.wire.ends[stranger] = inbox
	call := func(from link.Address) []byte {
		t.Helper()
		h.handleCall(a.first, from)
		select {
		case l := <-inbox.inbox:
			if len(l.d) >= len(a.first) {
				t.Errorf("an answer of %d bytes to a call of %d: it could be used to flood others", len(l.d), len(a.first))
			}
			return l.d
		default:
			return nil
		}
	}
	sessions := func() int {
		h.in.Lock()
		defer h.in.Unlock()
		return len(h.sessions)
	}
	for range 100 { // callers without a cookie get nothing but cookies
		if d := call(stranger); d == nil || d[0] != kindCookie {
			t.Fatalf("the answer to a call without a cookie is %v", d)
		}
	}
	copy(a.first[boundBytes:], call(stranger)[answerBytes:])
	elsewhere := link.Address{IP: netip.MustParseAddrPort("192.0.2.8:4000")}
	e.wire.ends[elsewhere] = inbox
	if d := call(elsewhere); d == nil || d[0] != kindCookie {
		t.Fatalf("the answer to a call with the cookie of another address is %v", d)
	}
	if sessions() != 0 {
		t.Fatal("a session was made without a proof")
	}
	if d := call(stranger); d == nil || d[0] != kindSecond {
		t.Fatalf("the answer to a call with a cookie is %v", d)
	}
	for range 100 { // however often an address calls, the answers are limited
		call(stranger)
	}
	if n := sessions(); n > 1+int((rt.Now()-a.begun)/slotEvery) {
		t.Errorf("%d sessions were made for a caller that calls all the time", n)
	}
	for i := range 20 { // of a hundred callers with the same name, only the last ones' sessions are kept
		h.guard.last = [slots]int64{}
		if d := call(stranger); d == nil || d[0] != kindSecond {
			t.Fatalf("call %d: %v", i, d)
		}
	}
	if n := sessions(); n > 4 {
		t.Errorf("%d sessions wait for confirmation", n)
	}
}

func TestWindowAcceptsEachCounterOnce(t *testing.T) {
	r := testkit.Rand(t)
	for range 50 {
		var w window
		seen, top := map[uint64]bool{}, uint64(0)
		for range 5000 {
			n := top + 1
			switch r.IntN(20) {
			case 0:
				n += r.Uint64N(3 * windowBits)
			case 1, 2, 3, 4, 5, 6:
				n -= min(n, r.Uint64N(2*windowBits))
			}
			fresh := w.take(n)
			switch late := n+windowBits-64 < top+1; {
			case fresh && seen[n]:
				t.Fatalf("counter %d was accepted twice", n)
			case !fresh && !seen[n] && !late:
				t.Fatalf("counter %d was rejected, the highest is %d", n, top)
			}
			seen[n], top = seen[n] || fresh, max(top, n)
		}
	}
	if windowBits-64 < 1024 {
		t.Error("the window is shorter than 1024 datagrams")
	}
}

// FuzzTake sends a host arbitrary datagrams of an unknown sender, up to the end of the handshake.
func FuzzTake(f *testing.F) {
	own, theirs := identity(f), identity(f)
	h, _ := idleHost(f, Config{Name: "robot", Identity: own})
	p := join(f, h, PeerConfig{Name: "operator", Key: theirs.Public(), Address: "10.0.0.99:7400"})
	stopKeeper(h)
	a, err := h.newAttempt(p)
	if err != nil {
		f.Fatal(err)
	}
	p.attempt = a
	s := &session{peer: p, ours: 7, begun: rt.Now(), limits: standard}
	key := [32]byte{1}
	s.out, _ = sealer(key)
	s.in, _ = sealer(key)
	h.adopt(s, stranger)
	sealed := s.seal(make([]byte, headBytes+80, 200), new([12]byte))
	sealed[4] = 7
	for kind := range byte(8) {
		f.Add(append([]byte{kind, Version, modeSealed}, make([]byte, 90)...))
	}
	f.Add(slices.Clone(a.first))
	f.Add(sealed)
	f.Fuzz(func(t *testing.T, d []byte) {
		h.guard.last = [slots]int64{}
		if len(d) >= firstBytes && d[0] == kindFirst {
			copy(d[boundBytes:firstBytes], h.guard.cookie(stranger, 0)) // what a real address gets
		}
		if len(d) >= answerBytes && (d[0] == kindSecond || d[0] == kindCookie) {
			binary.LittleEndian.PutUint32(d[4:], a.ours)
			p.attempt = a
		}
		before := p.serials
		h.Take(slices.Clone(d), stranger)
		select {
		case m := <-h.shakes:
			h.handleHandshake(&m)
		default:
		}
		if p.serials != before {
			t.Error("an unknown sender got a session")
		}
	})
}

// FuzzFrame gives a host arbitrary bodies sealed by a peer.
func FuzzFrame(f *testing.F) {
	h, _ := idleHost(f, Config{Name: "robot", Insecure: true})
	p := join(f, h, PeerConfig{Name: "operator"})
	spec := link.Spec{Name: "data", Size: 3000, Depth: 2}
	rx, err := p.Receive(spec)
	if err != nil {
		f.Fatal(err)
	}
	defer rx.Close()
	tx, err := p.Send(spec)
	if err != nil {
		f.Fatal(err)
	}
	defer tx.Close()
	e, _ := p.end(spec)
	data := make([]byte, dataBytes+376)
	data[0], data[2], data[4] = frameData, 2, 3
	binary.LittleEndian.PutUint64(data[8:], e.id)
	binary.LittleEndian.PutUint64(data[16:], e.digest)
	f.Add(data)
	f.Add(append([]byte{frameBeat}, make([]byte, beatBytes+2*endBytes)...))
	order := uint64(0)
	f.Fuzz(func(t *testing.T, d []byte) {
		order++
		if len(d) >= 24 && d[0] == frameData {
			binary.LittleEndian.PutUint64(d[8:], e.id)
			binary.LittleEndian.PutUint64(d[16:], e.digest)
		}
		p.take(d, order, rt.Now())
		rx.TryReceive(make([]byte, spec.Size))
	})
}
