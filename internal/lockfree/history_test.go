package lockfree

import (
	"encoding/binary"
	"sync/atomic"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

func put(h *History, number int64, value uint64) {
	binary.LittleEndian.PutUint64(h.Slot(), value)
	h.Publish(number)
}

// A random sequence of calls gives what a list of all packets gives.
func TestHistoryReturnsTheNewestUpToANumber(t *testing.T) {
	rng := testkit.Rand(t)
	for range 2000 {
		h := NewHistory(8)
		last := map[int64]uint64{} // published, by number
		unread := map[int64]bool{} // not taken since
		var written, taken int64 = 0, -1
		for value := uint64(1); value < 60; value++ {
			if rng.IntN(2) == 0 {
				written += int64(rng.IntN(3))
				put(h, written, value)
				last[written], unread[written] = value, true
				delete(last, written-HistoryKept) // its slot was taken over
				continue
			}
			number := max(0, written-2+int64(rng.IntN(4)))
			want := int64(-1)
			for n := number; n > number-HistoryKept && n >= max(taken, 0) && want < 0; n-- {
				if unread[n] && last[n] != 0 {
					want = n
				}
			}
			packet, fresh := h.Fetch(number)
			if fresh != (want >= 0) || fresh && binary.LittleEndian.Uint64(packet) != last[want] {
				t.Fatalf("up to %d of %d: got %v (new: %v), want number %d with %d", number, written, packet, fresh, want, last[want])
			}
			if fresh {
				unread[want], taken = false, want
			}
		}
	}
}

func TestHistoryReportsThatItsWriterIsFarAhead(t *testing.T) {
	h := NewHistory(8)
	for n := range int64(6) {
		put(h, n, uint64(n))
	}
	for number, want := range map[int64]bool{0: true, 1: true, 2: false, 5: false} {
		if h.Passed(number) != want {
			t.Errorf("number %d after 5: passed %v", number, !want)
		}
	}
	if packet, fresh := h.Fetch(1); fresh {
		t.Errorf("packet 1 was replaced, but %d was fetched", packet[0])
	}
}

// Writer and reader run freely: the reader gets the packet of its number or an older one, never a torn or a later one.
func TestHistoryIsNeverTornAndNeverEarly(t *testing.T) {
	const words, count = 32, 200_000
	h := NewHistory(8 * words)
	var written atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := range int64(count) {
			slot := h.Slot()
			for i := range words {
				binary.LittleEndian.PutUint64(slot[8*i:], uint64(n))
			}
			h.Publish(n)
			written.Store(n)
		}
	}()
	exact := 0
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true
		default:
		}
		number := written.Load()
		packet, fresh := h.Fetch(number)
		if !fresh {
			continue
		}
		got := binary.LittleEndian.Uint64(packet)
		for i := range words {
			if x := binary.LittleEndian.Uint64(packet[8*i:]); x != got {
				t.Fatalf("a torn packet: %d beside %d", x, got)
			}
		}
		if int64(got) > number {
			t.Fatalf("asked for packet %d, got %d", number, got)
		}
		if int64(got) == number {
			exact++
		}
	}
	if exact == 0 {
		t.Error("no packet was the one that was asked for")
	}
}

func TestHistoryAllocatesNothing(t *testing.T) {
	h, n := NewHistory(64), int64(0)
	testkit.NoAllocs(t, 1000, func() {
		put(h, n, 1)
		h.Fetch(n)
		n++
	})
}
