package diagram

import (
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Transfer carries what a link selects from the memory of its source to the memory of its input, where reading the
// source's own memory would not do.
type Transfer struct {
	runs     []run
	src, dst []byte
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

// newTransfer makes the transfer of a link from src, which is the link's output or its shadow in the receiving thread.
func newTransfer(l *link, src *block.Port) *Transfer {
	l.to.Receive()
	t := &Transfer{
		src: src.Bytes(), dst: l.to.Bytes(), from: src.Count(), to: l.to.Count(), time: src.Written(), came: l.to.Written(),
		every: uint64(max(l.Every, 1)), pause: l.Pause,
	}
	n := carried(l.from, l.From)
	size := len(t.src) / elements(l.from)
	for k := range n {
		r := run{size * index(l.From, k), size * index(l.To, k), size}
		if last := len(t.runs) - 1; last >= 0 && t.runs[last].src+t.runs[last].n == r.src && t.runs[last].dst+t.runs[last].n == r.dst {
			t.runs[last].n += size
			continue
		}
		t.runs = append(t.runs, r)
	}
	return t
}

// index returns which element of its port the k-th carried one is.
func index(e End, k int) int {
	if e.Elements == nil {
		return k
	}
	return e.Elements[k]
}

// Carry copies what is new, as often as the link allows.
func (t *Transfer) Carry(now clock.Time) {
	n := *t.from
	if n == t.seen || t.seen != 0 && n-t.seen < t.every || now < t.next {
		return
	}
	t.seen = n
	if t.pause > 0 {
		t.next = now.Add(t.pause)
	}
	for _, r := range t.runs {
		copy(t.dst[r.dst:r.dst+r.n], t.src[r.src:r.src+r.n])
	}
	*t.to++
	t.carried = *t.time
	*t.came = t.carried
}
