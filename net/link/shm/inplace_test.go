package shm

import (
	"bytes"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
)

// A further receiver of large packets gets the next one, and never an old one; a first receiver gets the newest.
func TestReceiversOfLargePacketsNeverGetAnOldOne(t *testing.T) {
	x := transport(t)
	s := link.Spec{Name: "large", Size: 1 << 20, Varies: true}
	tx, err := x.Send(s)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	send := func(n byte) {
		t.Helper()
		if err := tx.(link.Filler).Fill(100_000+int(n), 0, func(p []byte) {
			for i := range p {
				p[i] = n
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	take := func(rx link.Receiver) (n byte) {
		t.Helper()
		stamp, ok := rx.(link.Taker).Take(func(p []byte) {
			if n = p[0]; !bytes.Equal(p, bytes.Repeat([]byte{n}, 100_000+int(n))) {
				t.Errorf("packet %d has %d bytes", n, len(p))
			}
		})
		if ok != (n > 0) || ok && stamp.Size != 100_000+int(n) {
			t.Errorf("packet %d: %+v, %v", n, stamp, ok)
		}
		return n
	}
	open := func() link.Receiver {
		rx, err := x.Receive(s)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { rx.Close() })
		return rx
	}
	send(1)
	first := open()
	if n := take(first); n != 1 {
		t.Errorf("the first receiver got packet %d, want 1", n)
	}
	second := open()
	send(2)
	if a, b := take(first), take(second); a != 2 || b != 2 {
		t.Errorf("two receivers got packets %d and %d, want 2", a, b)
	}
	send(3) // stays in the seat of the second
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	send(4)
	third := open()
	if n := take(third); n != 0 {
		t.Errorf("a further receiver got the old packet %d", n)
	}
	send(5)
	if a, b := take(first), take(third); a != 5 || b != 5 {
		t.Errorf("two receivers got packets %d and %d, want 5", a, b)
	}
	fill, use := func([]byte) {}, func([]byte) {}
	testkit.NoAllocs(t, 100, func() {
		if err := tx.(link.Filler).Fill(200_000, 0, fill); err != nil {
			t.Error(err)
		}
		first.(link.Taker).Take(use)
	})
}
