package exchange

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/clock"
)

// missedAt is a value that exchange e missed at a tick of 1 ms.
func missedAt(e uint32, tick int) Miss {
	at := clock.At(time.Duration(tick) * ms)
	return Miss{Exchange: e, First: at, Last: at, Count: 1}
}

func readAll(ring *lockfree.Ring) (list []Miss) {
	ReadMisses(ring, func(m Miss) { list = append(list, m) })
	return list
}

func newRing(bytes int) *lockfree.Ring {
	return lockfree.NewRing(lockfree.Memory(lockfree.RingSize(bytes)), bytes)
}

func TestMissesArriveAsTheyWereSent(t *testing.T) {
	ring := newRing(1 << 10)
	w := NewMissWriter(ring, 2, ms)
	sent := []Miss{missedAt(1, 3), {Exchange: NoExchange, First: 4e6, Last: 9e6, Count: 6}, {Exchange: 0, First: -1, Last: math.MaxInt64, Count: math.MaxUint64, Gap: 7}}
	for _, m := range sent {
		w.Write(m)
	}
	got := readAll(ring)
	if len(got) != len(sent) || !w.Flush() {
		t.Fatalf("got %+v", got)
	}
	for i, m := range got {
		if m != sent[i] {
			t.Errorf("got %+v, want %+v", m, sent[i])
		}
	}
}

// While the reader is away, misses are joined by exchange; none is lost, and the gap shows what was joined.
func TestMissesWithoutRoomAreKept(t *testing.T) {
	ring := newRing(200) // room for four
	w := NewMissWriter(ring, 3, ms)
	total := map[uint32]uint64{}
	write := func(e uint32, tick int) {
		w.Write(missedAt(e, tick))
		total[e]++
	}
	for tick := range 1000 {
		write(0, tick)
		if tick%10 == 0 {
			write(1, tick)
			write(NoExchange, tick)
		}
	}
	if w.Flush() {
		t.Fatal("there is room for all")
	}
	for tries := 0; ; tries++ {
		for _, m := range readAll(ring) {
			total[m.Exchange] -= m.Count
			if wide := m.Count > 1; wide && (m.Exchange == 0) != (m.Gap == 0) {
				t.Errorf("%+v: exchange 0 missed all ticks, the others each tenth", m)
			}
			if m.Exchange != 0 && m.Gap != 0 && m.Gap != 10*ms {
				t.Errorf("%+v: the gap is 10 ms", m)
			}
		}
		if w.Flush() && ring.Empty() {
			break
		}
		if tries > 10 {
			t.Fatal("a flush does not send what there is room for")
		}
	}
	for e, left := range total {
		if left != 0 {
			t.Errorf("of exchange %d, %d misses did not arrive", e, left)
		}
	}
	if ring.Lost() != 0 {
		t.Errorf("%d are counted as lost", ring.Lost())
	}
}

// Misses that a core takes with it are counted.
func TestAbandonedMissesAreCounted(t *testing.T) {
	ring := newRing(100) // room for two
	w := NewMissWriter(ring, 1, ms)
	for tick := range 10 {
		w.Write(missedAt(0, tick))
	}
	w.Abandon()
	if sent := uint64(len(readAll(ring))); sent+ring.Lost() != 10 || sent == 0 || !w.Flush() {
		t.Errorf("%d of 10 arrived, and %d are counted", sent, ring.Lost())
	}
}

func TestMissWriterAllocatesNothing(t *testing.T) {
	w := NewMissWriter(newRing(200), 3, ms)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for tick := range 10_000 {
		w.Write(missedAt(uint32(tick%3), tick))
		w.Flush()
	}
	runtime.ReadMemStats(&after)
	if n := after.Mallocs - before.Mallocs; n > 0 {
		t.Errorf("%d allocations", n)
	}
}

func TestMissesThatFollowAreOneSpan(t *testing.T) {
	var l Misses
	for _, m := range []Miss{missedAt(0, 1), missedAt(1, 1), missedAt(0, 2), missedAt(0, 4), missedAt(1, 2), missedAt(0, 5)} {
		l.Add(ThreadMiss{Thread: 0, Miss: m}, ms)
	}
	l.Add(ThreadMiss{Thread: 1, Miss: missedAt(0, 6)}, ms)
	want := []ThreadMiss{
		{0, Miss{0, 1e6, 2e6, 2, 0}}, {0, Miss{1, 1e6, 2e6, 2, 0}}, {0, Miss{0, 4e6, 5e6, 2, 0}}, {1, missedAt(0, 6)},
	}
	got := l.All()
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
}

// However many misses there are, the list is bounded, each tick that was missed lies in a span of its exchange, the counts are kept, and no
// span bridges more than its gap.
func TestListOfMissesGetsCoarserInsteadOfLosingSome(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	l := Misses{limit: 100}
	type missed struct {
		thread, tick int
		exchange     uint32
	}
	var all []missed
	for tick := range 20_000 {
		for thread := range 2 {
			for e := range uint32(3) {
				if random.IntN(10*int(e+1)) == 0 {
					all = append(all, missed{thread, tick, e})
					l.Add(ThreadMiss{thread, missedAt(e, tick)}, ms)
					if len(l.All()) > 100 {
						t.Fatalf("%d spans", len(l.All()))
					}
				}
			}
		}
	}
	count := uint64(0)
	for _, m := range l.All() {
		count += m.Count
		if m.Gap <= 0 || m.Gap > m.Last.Sub(m.First) {
			t.Errorf("%+v: the gap is not within the span", m)
		}
	}
	if count != uint64(len(all)) {
		t.Errorf("%d misses are named, want %d", count, len(all))
	}
	for _, m := range all {
		named := false
		for _, s := range l.All() {
			named = named || s.Thread == m.thread && s.Exchange == m.exchange && s.First <= clock.Time(m.tick)*1e6 && clock.Time(m.tick)*1e6 <= s.Last
		}
		if !named {
			t.Fatalf("%+v is in no span", m)
		}
	}
}

// A net with more exchanges than the list has room keeps a span of each.
func TestEachExchangeKeepsASpan(t *testing.T) {
	l := Misses{limit: 10}
	for tick := range 100 {
		for e := range uint32(50) {
			l.Add(ThreadMiss{0, missedAt(e, 1000*tick)}, ms)
		}
	}
	seen := map[uint32]bool{}
	for _, m := range l.All() {
		seen[m.Exchange] = true
	}
	if len(seen) != 50 || len(l.All()) > 200 {
		t.Errorf("%d spans of %d exchanges", len(l.All()), len(seen))
	}
}

// Another process can write the memory of the ring.
func FuzzReadMisses(f *testing.F) {
	record := make([]byte, missRecord)
	m := missedAt(3, 5)
	m.encode(record)
	f.Add(record)
	f.Add(binary.LittleEndian.AppendUint64(nil, math.MaxUint64))
	f.Fuzz(func(t *testing.T, data []byte) {
		ring := newRing(1 << 10)
		ring.Put(data)
		var l Misses
		ReadMisses(ring, func(m Miss) {
			if m.Count == 0 || m.First > m.Last {
				t.Errorf("got %+v", m)
			}
			l.Add(ThreadMiss{Miss: m}, ms)
			l.Add(ThreadMiss{Miss: m}, ms)
		})
	})
}
