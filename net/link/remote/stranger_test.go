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

var stranger = netip.MustParseAddrPort("192.0.2.7:4000")

// TestStrangersCostNothing counts what datagrams of strangers allocate in the thread that reads, and that they are counted.
func TestStrangersCostNothing(t *testing.T) {
	h, _ := quiet(t, Config{Name: "robot", Identity: identity(t)})
	still(h)
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
		t.Errorf("%d of %d datagrams of a stranger were counted", got, n)
	}
}

// nowhere is a carrier that loses all.
type nowhere struct{ *wireEnd }

func (nowhere) Write([]byte, netip.AddrPort) bool { return true }

// TestCallsOfStrangersCostNothing does the same for what the keeper does about somebody without a cookie.
func TestCallsOfStrangersCostNothing(t *testing.T) {
	h, e := quiet(t, Config{Name: "robot", Identity: identity(t)})
	still(h)
	h.carrier = nowhere{e}
	d := make([]byte, firstBytes+noiseFirst)
	d[0], d[1], d[2] = kindFirst, Version, modeSealed
	testkit.NoAllocs(t, 1000, func() { h.answer(d, stranger) })
}

// TestCallersProveTheirAddress walks through what a host does for somebody who calls.
func TestCallersProveTheirAddress(t *testing.T) {
	own, theirs := identity(t), identity(t)
	h, e := quiet(t, Config{Name: "robot", Identity: own})
	join(t, h, PeerConfig{Name: "desk", Key: theirs.Public()})
	caller, _ := quiet(t, Config{Name: "desk", Identity: theirs})
	a, err := caller.newAttempt(join(t, caller, PeerConfig{Name: "robot", Key: own.Public()}))
	if err != nil {
		t.Fatal(err)
	}
	inbox := &wireEnd{wire: e.wire, at: stranger, inbox: make(chan letter, 16)}
	e.wire.ends[stranger] = inbox
	call := func(from netip.AddrPort) []byte {
		t.Helper()
		h.answer(a.first, from)
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
	for range 100 { // without a cookie there is nothing but cookies
		if d := call(stranger); d == nil || d[0] != kindCookie {
			t.Fatalf("the answer to a call without a cookie is %v", d)
		}
	}
	copy(a.first[boundBytes:], call(stranger)[answerBytes:])
	elsewhere := netip.AddrPortFrom(netip.MustParseAddr("192.0.2.8"), 4000)
	e.wire.ends[elsewhere] = inbox
	if d := call(elsewhere); d == nil || d[0] != kindCookie {
		t.Fatalf("the answer to a call with somebody else's cookie is %v", d)
	}
	if sessions() != 0 {
		t.Fatal("a session was made without a proof")
	}
	if d := call(stranger); d == nil || d[0] != kindSecond {
		t.Fatalf("the answer to a call with a cookie is %v", d)
	}
	for range 100 { // as often as it likes, an address is answered now and then only
		call(stranger)
	}
	if n := sessions(); n > 1+int((rt.Now()-a.begun)/slotEvery) {
		t.Errorf("%d sessions were made for a caller who calls all the time", n)
	}
	for i := range 20 { // of a hundred callers with the same name, only the last ones' sessions are kept
		h.guard.last = [slots]int64{}
		if d := call(stranger); d == nil || d[0] != kindSecond {
			t.Fatalf("call %d: %v", i, d)
		}
	}
	if n := sessions(); n > 4 {
		t.Errorf("%d sessions wait for their callers", n)
	}
}

func TestWindow(t *testing.T) {
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
				t.Fatalf("counter %d was taken twice", n)
			case !fresh && !seen[n] && !late:
				t.Fatalf("counter %d was refused, the highest is %d", n, top)
			}
			seen[n], top = seen[n] || fresh, max(top, n)
		}
	}
	if windowBits-64 < 1024 {
		t.Error("the window is shorter than 1024 datagrams")
	}
}

// FuzzTake gives a host whatever a stranger may send, to the end of the handshake.
func FuzzTake(f *testing.F) {
	own, theirs := identity(f), identity(f)
	h, _ := quiet(f, Config{Name: "robot", Identity: own})
	p := join(f, h, PeerConfig{Name: "desk", Key: theirs.Public(), Address: "10.0.0.99:7400"})
	still(h)
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
			h.shake(&m)
		default:
		}
		if p.serials != before {
			t.Error("a stranger has got a session")
		}
	})
}

// FuzzFrame gives a host whatever a peer may seal.
func FuzzFrame(f *testing.F) {
	h, _ := quiet(f, Config{Name: "robot", Insecure: true})
	p := join(f, h, PeerConfig{Name: "desk"})
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
