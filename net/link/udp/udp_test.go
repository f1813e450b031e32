package udp

import (
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/link/linktest"
)

func pair(t testing.TB) (*Transport, *Transport) {
	t.Helper()
	var ids [2]Identity
	for i := range ids {
		var err error
		if ids[i], err = NewIdentity(); err != nil {
			t.Fatal(err)
		}
	}
	open := func(c Config) *Transport {
		c.Local, c.Period = "127.0.0.1:0", 30*time.Millisecond
		x, err := Listen(c)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { x.Close() })
		return x
	}
	waits := open(Config{Identity: ids[0], Trust: ids[1].Public()})
	return open(Config{Identity: ids[1], Trust: ids[0].Public(), Peer: waits.Addr().String()}), waits
}

func TestConformance(t *testing.T) {
	linktest.Run(t, func(t *testing.T) linktest.Pair {
		dials, waits := pair(t)
		return linktest.Pair{Sending: dials, Receiving: waits}
	})
}

// TestReplaysAndForgeries gives datagrams to the receive path that no peer has just sent.
func TestReplaysAndForgeries(t *testing.T) {
	dials, waits := pair(t)
	for begin := time.Now(); !dials.alive() || !waits.alive(); time.Sleep(time.Millisecond) {
		if time.Since(begin) > 5*time.Second {
			t.Fatal("no session")
		}
	}
	s := dials.current.Load()
	from, nonce := dials.Addr(), new([12]byte)
	sealed := s.seal(append(make([]byte, headBytes+dataBytes), make([]byte, 100)...)[:headBytes+dataBytes], nonce)
	waits.Close() // so that this goroutine has the receive path to itself
	original := append([]byte(nil), sealed...)
	forged := append([]byte(nil), sealed...)
	forged[20] ^= 1
	before := waits.rejected.Load()
	waits.datagram(forged, from)
	if waits.rejected.Load() != before+1 {
		t.Error("a forged datagram was not counted")
	}
	stale := waits.stale.Load()
	waits.datagram(sealed, from)
	waits.datagram(original, from)
	if waits.stale.Load() != stale+1 {
		t.Error("a replayed datagram was not counted")
	}
}

func FuzzDatagram(f *testing.F) {
	_, waits := pair(f)
	waits.Close()
	for _, kind := range []byte{0, kindFirst, kindSecond, kindSealed} {
		f.Add(append([]byte{kind}, make([]byte, 64)...))
	}
	f.Fuzz(func(t *testing.T, d []byte) {
		waits.datagram(append([]byte(nil), d...), waits.dial)
		waits.frame(d)
	})
}
