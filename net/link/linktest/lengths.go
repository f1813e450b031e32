package linktest

import (
	"bytes"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/link"
)

// ownLengths sends packets of several lengths over links whose packets vary: each arrives with its own.
func ownLengths(t *testing.T, p Pair) {
	for _, depth := range []int{0, 4} {
		s := spec("varies")
		if s.Varies, s.Depth = true, depth; depth > 0 {
			s.Name = "varies.buffered"
		}
		sendLengths(t, p, s, []int{64, 16, 24, 64, 56, 16, 32}, func(n, size int) []byte { return packet(uint64(n))[:size] })
	}
}

// longOwnLengths does so with packets that datagrams carry in several parts, of other numbers each time.
func longOwnLengths(t *testing.T, p Pair) {
	for _, depth := range []int{0, 4} {
		s := link.Spec{Name: "long", Schema: "uint8[<=9000] data\n", Size: 9000, Varies: true, Depth: depth}
		if depth > 0 {
			s.Name = "long.buffered"
		}
		lengths := []int{9000, 1, 1311, 1312, 1313, 8000, 2624, 2625, 7, 9000, 2623}
		sendLengths(t, p, s, lengths, func(n, size int) []byte { return bytes.Repeat([]byte{byte(n)}, size) })
	}
}

func sendLengths(t *testing.T, p Pair, s link.Spec, lengths []int, content func(n, size int) []byte) {
	t.Helper()
	tx, rx := ends(t, p, s)
	buffer := make([]byte, s.Size)
	for i, size := range lengths {
		sent := content(i+1, size)
		if err := tx.Send(sent); err != nil {
			t.Fatal(err)
		}
		stamp, err := rx.Receive(buffer, testkit.Patience())
		if err != nil {
			t.Fatalf("packet %d of %d bytes: %v", i+1, size, err)
		}
		if stamp.Size != size || !bytes.Equal(buffer[:stamp.Size], sent) {
			t.Errorf("packet %d of %d bytes arrived with %d", i+1, size, stamp.Size)
		}
	}
}
