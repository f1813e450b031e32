package exchange

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Misses of a thread, from where they happen to the list of a run: [Late] is what an inlet finds, a [MissWriter] sends it from the thread,
// [ReadMisses] takes it in the front, and [Misses] keeps it.

// Late is what a ticked link did not bring in time: Count packets, with ticks of their sender from First to Last. The zero value is none.
type Late struct {
	Count       int        // of packets, from 0
	First, Last clock.Time // nominal times of the sender's activations that wrote the earliest and the latest of them; without packets 0
}

// add adds packets with ticks from first to last.
func (l *Late) add(count int, first, last clock.Time) {
	if l.Count == 0 {
		l.First, l.Last = first, last
	}
	l.Count += count
	l.First, l.Last = min(l.First, first), max(l.Last, last) // where the sender was restarted, its ticks begin again
}

// NoExchange is the number of an exchange that stands for the thread itself, which did not run.
const NoExchange = ^uint32(0)

// Miss is what did not happen in an exchange of a thread: values that were not there at their ticks. Of [NoExchange], activations of the thread.
// The ticks need not follow one another: where there was no room for each, those that are near are one Miss.
type Miss struct {
	Exchange    uint32
	First, Last clock.Time    // ticks of the thread; of a value from another process, those of the value
	Count       uint64        // of values or activations, from 1
	Gap         time.Duration // longest time between two of them that were joined for want of room
}

// join adds another miss of the same exchange, whose ticks follow one another by period.
func (m *Miss) join(later Miss, period time.Duration) {
	if d := later.First.Sub(m.Last); d > period {
		m.Gap = max(m.Gap, d)
	}
	m.Gap = max(m.Gap, later.Gap)
	m.First, m.Last = min(m.First, later.First), max(m.Last, later.Last)
	m.Count += min(later.Count, math.MaxUint64-m.Count)
}

const missRecord = 36 // bytes: exchange, first, last, count, gap

func (m *Miss) encode(b []byte) {
	binary.LittleEndian.PutUint32(b, m.Exchange)
	binary.LittleEndian.PutUint64(b[4:], uint64(m.First))
	binary.LittleEndian.PutUint64(b[12:], uint64(m.Last))
	binary.LittleEndian.PutUint64(b[20:], m.Count)
	binary.LittleEndian.PutUint64(b[28:], uint64(m.Gap))
}

func decodeMiss(b []byte) Miss {
	return Miss{
		Exchange: binary.LittleEndian.Uint32(b),
		First:    clock.Time(binary.LittleEndian.Uint64(b[4:])), Last: clock.Time(binary.LittleEndian.Uint64(b[12:])),
		Count: binary.LittleEndian.Uint64(b[20:]), Gap: time.Duration(binary.LittleEndian.Uint64(b[28:])),
	}
}

// MissWriter sends the misses of one thread through a ring. Those that find no room are kept, joined by exchange, until there is some: a slow
// reader gets coarser names of misses, but all of them. It allocates nothing after it was made.
type MissWriter struct {
	ring   *lockfree.Ring
	period time.Duration
	kept   []Miss // by exchange, and of the thread at the end; Count 0: none
	n      int    // of those kept
}

// NewMissWriter returns the writer of a thread of that period, 0 if it is triggered, whose exchanges are numbered from 0 to exchanges-1.
func NewMissWriter(ring *lockfree.Ring, exchanges int, period time.Duration) *MissWriter {
	return &MissWriter{ring: ring, period: period, kept: make([]Miss, exchanges+1)}
}

// Write sends a miss, or keeps it where there is no room.
func (w *MissWriter) Write(m Miss) {
	k := &w.kept[min(m.Exchange, uint32(len(w.kept)-1))]
	switch {
	case k.Count > 0:
		k.join(m, w.period)
	case w.n > 0 || !w.send(m): // those kept before go first
		*k = m
		w.n++
	}
}

// Flush sends what is kept, as far as there is room, and reports whether nothing is left.
func (w *MissWriter) Flush() bool {
	if w.n == 0 {
		return true
	}
	for i := range w.kept {
		if k := &w.kept[i]; k.Count > 0 {
			if !w.send(*k) {
				return false
			}
			k.Count = 0
			w.n--
		}
	}
	return true
}

// Abandon counts what is kept as lost: the thread has ended, and no reader comes.
func (w *MissWriter) Abandon() {
	for i := range w.kept {
		w.ring.Lose(w.kept[i].Count)
		w.kept[i].Count = 0
	}
	w.n = 0
}

func (w *MissWriter) send(m Miss) bool {
	b := w.ring.TryReserve(missRecord)
	if b == nil {
		return false
	}
	m.encode(b)
	w.ring.Commit()
	return true
}

// ReadMisses takes the misses that wait in the ring of a [MissWriter]. Records that no writer sends are left out: the memory is that of another process.
func ReadMisses(ring *lockfree.Ring, read func(Miss)) {
	for b := ring.Next(); b != nil; b = ring.Next() {
		if len(b) == missRecord {
			if m := decodeMiss(b); m.Count > 0 && m.First <= m.Last {
				read(m)
			}
		}
		ring.Release()
	}
}

// MaxMisses is how many spans of misses a [Misses] holds, and more only for a net with thousands of exchanges.
const MaxMisses = 10_000

// ThreadMiss is a miss of one of several threads.
type ThreadMiss struct {
	Thread int // index
	Miss
}

// Misses is what the threads of a run have missed, in the order in which it became known: a miss that follows the one before in its
// exchange is one span with it. Where there are more than [MaxMisses] spans, neighbors of the same exchange are joined, at first the nearest ones, until half
// as many are left. So no miss is left out; [Miss].Gap is what that costs. The zero value is empty.
type Misses struct {
	spans []ThreadMiss
	last  map[exchangeKey]int // index of the last span of an exchange
	near  time.Duration       // spans no farther apart are joined
	limit int                 // of spans; 0: MaxMisses
}

type exchangeKey struct {
	thread   int
	exchange uint32
}

// Add adds a miss of a thread with that period, 0 if it is triggered.
func (l *Misses) Add(m ThreadMiss, period time.Duration) {
	if l.last == nil {
		l.last = map[exchangeKey]int{}
	}
	l.add(m, period)
	if limit := l.most(); len(l.spans) > limit {
		for l.near = max(2*l.near, time.Millisecond); ; l.near *= 2 {
			if l.coarsen(); len(l.spans) <= limit/2 || l.near > math.MaxInt64/4 {
				return
			}
		}
	}
}

// most returns the limit: an exchange keeps a span at least.
func (l *Misses) most() int {
	limit := l.limit
	if limit == 0 {
		limit = MaxMisses
	}
	return max(limit, 4*len(l.last))
}

func (l *Misses) add(m ThreadMiss, period time.Duration) {
	key := exchangeKey{m.Thread, m.Exchange}
	if i, known := l.last[key]; known && m.First.Sub(l.spans[i].Last) <= max(period, l.near) {
		l.spans[i].join(m.Miss, period)
		return
	}
	l.last[key] = len(l.spans)
	l.spans = append(l.spans, m)
}

// coarsen joins the spans of each exchange that are near. The time between two spans is a gap then, whatever the period is.
func (l *Misses) coarsen() {
	spans := l.spans
	l.spans = l.spans[:0]
	clear(l.last)
	for _, m := range spans {
		l.add(m, 0)
	}
}

// All returns the spans.
func (l *Misses) All() []ThreadMiss { return l.spans }
