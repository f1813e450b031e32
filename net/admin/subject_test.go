package admin

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestEscapeIsOneToken checks that any text becomes one token of a subject, and that no two become the same.
func TestEscapeIsOneToken(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		if x := escape(a); strings.ContainsAny(x, ".*> \t\r\n") || x == "" && a != "" {
			t.Errorf("%q becomes %q", a, x)
		}
		if a != b && escape(a) == escape(b) {
			t.Errorf("%q and %q become the same", a, b)
		}
	})
	if x := escape("pid 1.out"); x != "pid%201%2Eout" {
		t.Errorf("got %q", x)
	}
}

// TestTapOfVanishedClientEnds lets the lease of one client of two run out, then the other's.
func TestTapOfVanishedClientEnds(t *testing.T) {
	ended := 0
	tap := &servedTap{subject: "x", end: func() { ended++ }, leases: map[string]time.Time{"gone": time.Now().Add(-2 * TapLease), "here": time.Now()}}
	b := tapBoard{taps: map[string]*servedTap{"x": tap}}
	if b.expire(); ended != 0 || len(tap.leases) != 1 {
		t.Errorf("%d ended, leases %v", ended, tap.leases)
	}
	tap.leases["here"] = time.Now().Add(-2 * TapLease)
	if b.expire(); ended != 1 || len(b.taps) != 0 {
		t.Errorf("%d ended, taps %v", ended, b.taps)
	}
}

// TestGapsAreCounted feeds a tap's client what a slow network leaves of a tap.
func TestGapsAreCounted(t *testing.T) {
	c := &Client{}
	var got []float64
	tap := &clientTap{client: c, sink: func(s Sample) { got = append(got, s.Value.(float64)) }}
	batch := func(run string, seqs ...uint64) {
		b := telemetry{Run: run}
		for _, n := range seqs {
			b.Samples = append(b.Samples, numbered{n, Sample{Value: float64(n)}})
		}
		tap.take(b)
	}
	batch("a", 7)       // what it held when this client came
	batch("a", 7, 8, 9) // the same again, and more
	batch("a", 13)      // three are lost
	batch("b", 1, 2)    // the process was started again
	batch("b", 2, 3)
	if c.Lost() != 3 || len(got) != 7 {
		t.Errorf("lost %d, got %v", c.Lost(), got)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(pack([]byte(`{"system":"x"}`)))
	f.Add([]byte{0x1f, 0x8b})
	f.Fuzz(func(t *testing.T, data []byte) {
		if plain, err := unpack(data); err == nil && len(plain) > MaxAnswerBytes {
			t.Errorf("%d bytes", len(plain))
		}
	})
}
