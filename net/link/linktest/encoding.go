package linktest

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/schema"
)

// Encoded is an encoding as a link chooses it, with packets to try it on.
type Encoded struct {
	Coded   link.Coded
	Layout  *schema.Layout
	Packets [][]byte // that the encoding carries without an error, at least three
	// Near returns what is wrong with a decoded packet; nil: it must be equal.
	Near func(sent, got []byte) error
}

// RunEncoding runs the suite of encodings.
func RunEncoding(t *testing.T, e Encoded) {
	codec := func(t *testing.T) link.Codec {
		t.Helper()
		c, err := e.Coded.New(e.Layout, e.Coded.Options)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	near := e.Near
	if near == nil {
		near = func(sent, got []byte) error {
			if !bytes.Equal(sent, got) {
				return link.ErrMismatch
			}
			return nil
		}
	}
	// pass encodes all packets and decodes those that arrive.
	pass := func(t *testing.T, packets [][]byte, arrives func(n int) bool) (decoded [][]byte) {
		t.Helper()
		sender, receiver := codec(t), codec(t)
		encoded, plain := make([]byte, sender.Size()), make([]byte, e.Layout.Size())
		for i, packet := range packets {
			n, err := sender.Encode(encoded, packet)
			switch {
			case err != nil:
				t.Fatalf("packet %d: %v", i, err)
			case n > sender.Size() || !e.Layout.Bounded() && n != sender.Size():
				t.Fatalf("packet %d takes %d bytes, of %d", i, n, sender.Size())
			case !arrives(i):
				decoded = append(decoded, nil)
				continue
			}
			m, ok := receiver.Decode(plain, encoded[:n])
			if !ok || m != len(packet) {
				t.Fatalf("packet %d of %d bytes: decoded %v, %d bytes", i, len(packet), ok, m)
			}
			decoded = append(decoded, bytes.Clone(plain[:m]))
		}
		return decoded
	}
	t.Run("packets return", func(t *testing.T) {
		for i, got := range pass(t, e.Packets, func(int) bool { return true }) {
			if err := near(e.Packets[i], got); err != nil {
				t.Errorf("packet %d: %v", i, err)
			}
		}
	})
	t.Run("any packet may be missing", func(t *testing.T) {
		for i, got := range pass(t, e.Packets, func(n int) bool { return n%3 == 2 }) {
			if got == nil {
				continue
			}
			if err := near(e.Packets[i], got); err != nil {
				t.Errorf("packet %d: %v", i, err)
			}
		}
	})
	t.Run("a second pass changes nothing", func(t *testing.T) { // a value may cross several links
		once := pass(t, e.Packets, func(int) bool { return true })
		for i, twice := range pass(t, once, func(int) bool { return true }) {
			if !bytes.Equal(once[i], twice) {
				t.Errorf("packet %d: % x, then % x", i, once[i], twice)
			}
		}
	})
	t.Run("bytes of strangers", func(t *testing.T) {
		c, r := codec(t), testkit.Rand(t)
		plain := make([]byte, e.Layout.Size())
		for range 2000 {
			encoded := make([]byte, r.IntN(2*c.Size()+8))
			fill(r, encoded)
			if n, ok := c.Decode(plain, encoded); ok && (n < 0 || n > len(plain)) {
				t.Fatalf("% x is decoded to %d bytes", encoded, n)
			}
		}
		if !e.Layout.Bounded() {
			if _, ok := c.Decode(plain, make([]byte, c.Size()+1)); ok {
				t.Error("a packet that is too long is decoded")
			}
			if _, ok := c.Decode(plain, make([]byte, c.Size()-1)); ok {
				t.Error("a packet that is too short is decoded")
			}
		}
	})
	t.Run("no allocations", func(t *testing.T) {
		sender, receiver := codec(t), codec(t)
		encoded, plain := make([]byte, sender.Size()), make([]byte, e.Layout.Size())
		testkit.NoAllocs(t, 200, func() {
			n, _ := sender.Encode(encoded, e.Packets[0])
			_, _ = receiver.Decode(plain, encoded[:n])
		})
	})
}

// fill fills b with random bytes.
func fill(r *rand.Rand, b []byte) {
	for i := range b {
		b[i] = byte(r.Uint32())
	}
}
