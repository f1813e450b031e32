package lockfree

import (
	"encoding/binary"
	"runtime"
	"sync"
	"testing"
)

const packets = 200_000

// fill writes a packet whose words all equal n, so that a torn packet shows.
func fill(b []byte, n uint64) {
	for i := 0; i < len(b); i += 8 {
		binary.LittleEndian.PutUint64(b[i:], n)
	}
}

func read(t *testing.T, b []byte) uint64 {
	n := binary.LittleEndian.Uint64(b)
	for i := 8; i < len(b); i += 8 {
		if m := binary.LittleEndian.Uint64(b[i:]); m != n {
			t.Fatalf("torn packet: word 0 is %d, word %d is %d", n, i/8, m)
		}
	}
	return n
}

func TestLatestGivesWholeAndNewestPackets(t *testing.T) {
	l := NewLatest(Memory(LatestSize(1024)), 1024)
	if _, fresh := l.Fetch(); fresh {
		t.Fatal("an unwritten Latest reports a fresh packet")
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := uint64(1); n <= packets; n++ {
			fill(l.Slot(), n)
			l.Publish()
		}
	})
	last := uint64(0)
	for last < packets {
		b, fresh := l.Fetch()
		if !fresh {
			runtime.Gosched()
			continue
		}
		n := read(t, b)
		if n <= last {
			t.Fatalf("packet %d came after %d", n, last)
		}
		last = n
	}
	wg.Wait()
	if b, fresh := l.Fetch(); fresh || read(t, b) != packets {
		t.Fatal("the newest packet must stay readable, and not be fresh twice")
	}
}

func TestQueueKeepsOrderAndCountsDrops(t *testing.T) {
	for _, policy := range []Overflow{DropOldest, DropNewest} {
		t.Run(policy.String(), func(t *testing.T) {
			q := NewQueue(Memory(QueueSize(64, 7)), 64, 7, policy)
			var wg sync.WaitGroup
			done := make(chan struct{})
			wg.Go(func() {
				b := make([]byte, 64)
				for n := uint64(1); n <= packets; n++ {
					fill(b, n)
					q.Push(b)
				}
				close(done)
			})
			b := make([]byte, 64)
			got, last := uint64(0), uint64(0)
			for ended := false; ; {
				if q.Pop(b) {
					n := read(t, b)
					if n <= last {
						t.Fatalf("packet %d came after %d", n, last)
					}
					last, got = n, got+1
					continue
				}
				if ended {
					break
				}
				select {
				case <-done:
					ended = true
				default:
					runtime.Gosched()
				}
			}
			wg.Wait()
			if got+q.Dropped() != packets {
				t.Fatalf("%d received + %d dropped is not %d sent", got, q.Dropped(), packets)
			}
		})
	}
}

func TestFullQueueDropsByPolicy(t *testing.T) {
	for policy, want := range map[Overflow]uint64{DropOldest: 4, DropNewest: 1} {
		q := NewQueue(Memory(QueueSize(8, 3)), 8, 3, policy)
		b := make([]byte, 8)
		for n := uint64(1); n <= 6; n++ {
			fill(b, n)
			q.Push(b)
		}
		if q.Len() != 3 || q.Dropped() != 3 {
			t.Errorf("%v: %d wait and %d dropped, want 3 and 3", policy, q.Len(), q.Dropped())
		}
		if q.Pop(b); read(t, b) != want {
			t.Errorf("%v: first packet is %d, want %d", policy, read(t, b), want)
		}
	}
}

func TestRingCarriesRecordsOfAnyLength(t *testing.T) {
	r := NewRing(Memory(RingSize(4096)), 4096)
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := uint64(1); n <= packets; {
			b := r.Reserve(int(8 + n%40*8))
			if b == nil {
				runtime.Gosched()
				continue
			}
			fill(b, n)
			r.Commit()
			n++
		}
	})
	for n := uint64(1); n <= packets; {
		b := r.Next()
		if b == nil {
			runtime.Gosched()
			continue
		}
		if got := read(t, b); got != n || len(b) != int(8+n%40*8) {
			t.Fatalf("record %d has number %d and length %d", n, got, len(b))
		}
		r.Release()
		n++
	}
	wg.Wait()
	if r.Put(make([]byte, 5000)) || r.Lost() == 0 {
		t.Fatal("a record larger than the ring must be refused and counted")
	}
}

func BenchmarkLatestPutGet1kB(b *testing.B) {
	l := NewLatest(Memory(LatestSize(1024)), 1024)
	var src, dst [1024]byte
	for b.Loop() {
		copy(l.Slot(), src[:])
		l.Publish()
		packet, _ := l.Fetch()
		copy(dst[:], packet)
	}
}
