package exchange

import (
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// Transfer copies the elements that a link selects from the memory of its source to the memory of its input. It is used where
// the input cannot read the source's memory itself.
type Transfer struct {
	recoding *Recoding // of an encoded link; nil: the source's values are taken as they are
	runs     []run
	src, dst []byte
	n, got   *int        // elements of a bounded source, and of a bounded input; else nil
	element  int         // bytes of an element
	from, to *uint64     // counts of source and input
	time     *clock.Time // when the source was written
	came     *clock.Time // when what the input has was
	carried  clock.Time  // when what was carried was
	seen     uint64      // count of the source that was carried last
	every    uint64
	pause    time.Duration
	next     clock.Time // not before this
}

// run is a stretch of bytes that lies together on both sides.
type run struct{ src, dst, n int }

// NewTransfer returns a transfer from an output, or its shadow in the receiving thread, to an input: element from[k] of the
// output becomes element to[k] of the input; nil chooses all elements in their order. It carries every n-th value, and none
// sooner than pause after the last one.
func NewTransfer(src, dst *port.Port, from, to []int, every int, pause time.Duration) *Transfer {
	dst.Receive()
	t := &Transfer{
		src: src.Bytes(), dst: dst.Bytes(), from: src.Count(), to: dst.Count(), time: src.Written(), came: dst.Written(),
		every: uint64(max(every, 1)), pause: pause, n: src.Length(), got: dst.Length(),
	}
	n := src.Elements()
	size := len(t.src) / n
	t.element = size
	if t.got != nil && t.n == nil {
		*t.got = n // each value has all elements
	}
	if from != nil {
		n = len(from)
	}
	for k := range n {
		r := run{size * index(from, k), size * index(to, k), size}
		if last := len(t.runs) - 1; last >= 0 && t.runs[last].src+t.runs[last].n == r.src && t.runs[last].dst+t.runs[last].n == r.dst {
			t.runs[last].n += size
			continue
		}
		t.runs = append(t.runs, r)
	}
	return t
}

// index returns which element of its port the k-th carried one is.
func index(chosen []int, k int) int {
	if chosen == nil {
		return k
	}
	return chosen[k]
}

// Recode makes the transfer take its values from a recoding, whose value is the transfer's source; nil: from the source itself.
func (t *Transfer) Recode(r *Recoding) { t.recoding = r }

// Carried returns a pointer to the time at which the last copied value was written.
func (t *Transfer) Carried() *clock.Time { return &t.carried }

// Carry copies a new value, at most as often as the link allows.
func (t *Transfer) Carry(now clock.Time) {
	if t.recoding != nil {
		t.recoding.renew()
	}
	n := *t.from
	if n == t.seen || t.seen != 0 && n-t.seen < t.every || now < t.next {
		return
	}
	t.seen = n
	if t.pause > 0 {
		t.next = now.Add(t.pause)
	}
	if t.n != nil { // it is carried whole
		*t.got = *t.n
		copy(t.dst, t.src[:*t.n*t.element])
	} else {
		t.carryRuns()
	}
	*t.to++
	t.carried = *t.time
	*t.came = t.carried
}

func (t *Transfer) carryRuns() {
	for _, r := range t.runs {
		copy(t.dst[r.dst:r.dst+r.n], t.src[r.src:r.src+r.n])
	}
}
