package block

import (
	"reflect"
	"time"
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/clock"
)

// In is an input port of type T. It reads the memory of the Out it is linked to where both are in one thread, and a
// copy taken at the start of the activation where they are not: within one activation an input from another thread
// never changes. An In that is not linked reads the zero value and NoData, until somebody feeds it.
type In[T any] struct {
	src     *T      // what Read reads: the linked Out's value or own
	count   *uint64 // how many values came so far
	seen    uint64  // how many of them were read
	own     T
	arrived uint64          // count of own, where no Out is aliased
	queue   *lockfree.Queue // of a buffered link
	info    *Port
	length  int
	time    *clock.Time // when what Read reads was written; nil: never
	came    clock.Time  // of own
	now     *clock.Time // of the thread; nil before the block is in one
	state   inState
	none    uint64   // count of a port that has lapsed: always 0
	linked  struct { // what a hand-fed value hides
		src   *T
		count *uint64
		time  *clock.Time
	}
	hand struct { // what was given by hand
		value T
		count uint64
		time  clock.Time
	}
}

// inState says what an input reads.
type inState uint8

const (
	reading inState = iota // its link, where it has one
	fed                    // what was given by hand
	lapsed                 // nothing: its link's value is too old
)

// Read returns the newest value and whether it is new since the last Read. On a buffered link it returns the oldest
// value that was not read yet. A slice is the port's memory: valid within the step, and not to be changed.
func (in *In[T]) Read() (T, Status) {
	if in.count == nil {
		return in.own, NoData
	}
	n := *in.count
	if n == in.seen {
		if n == 0 {
			return *in.src, NoData
		}
		return *in.src, OldData
	}
	if in.queue == nil || in.state == fed {
		in.seen = n
	} else {
		in.queue.Pop(in.bytes())
		in.seen++
	}
	return *in.src, NewData
}

// Value returns what the last Read found or, on an unbuffered link, the newest value; it does not count as reading.
func (in *In[T]) Value() T {
	if in.src == nil {
		return in.own
	}
	return *in.src
}

// New reports whether something came that was not read yet.
func (in *In[T]) New() bool { return in.count != nil && *in.count != in.seen }

// Age returns how long before this activation the value was written: in the time of the system, across processes and hosts
// too. Before the first value it is the time since the start. On a buffered link it is 0.
func (in *In[T]) Age() time.Duration {
	switch {
	case in.now == nil || in.queue != nil && in.state != fed:
		return 0
	case in.time == nil:
		return in.now.Sub(0)
	}
	return in.now.Sub(*in.time)
}

// Len returns the length of the port's slice, 0 where T is no slice.
func (in *In[T]) Len() int { return in.length }

// Feed gives the port a value by hand, as a test or an operator does. It hides the link until [In.Release].
func (in *In[T]) Feed(v T) {
	assign(&in.hand.value, v)
	in.hide()
}

// Release ends what [In.Feed] began: the port reads its link again, and where it has none the zero value and NoData.
func (in *In[T]) Release() {
	in.src, in.count, in.time, in.state = in.linked.src, in.linked.count, in.linked.time, reading
	switch {
	case in.count == nil || *in.count == 0:
		in.seen = 0
	case in.queue != nil:
		in.seen = *in.count
	default:
		in.seen = *in.count - 1
	}
}

// hide makes the port read what was given by hand, which is new.
func (in *In[T]) hide() {
	in.src, in.count, in.time, in.state = &in.hand.value, &in.hand.count, &in.hand.time, fed
	in.hand.count = in.seen + 1
	if in.now != nil {
		in.hand.time = *in.now
	}
}

func (in *In[T]) byHand() bool { return in.state == fed }

// lapse makes the port read NoData while its link's value is too old; a value given by hand never is. It reports whether
// the port has lapsed.
func (in *In[T]) lapse(late bool) bool {
	switch {
	case in.state == fed:
		return false
	case late:
		in.count, in.seen, in.state = &in.none, 0, lapsed
	case in.state == lapsed:
		in.Release()
	}
	return late
}

func (in *In[T]) isLinked() bool { return in.linked.src != nil }

func (in *In[T]) bytes() []byte { return memory(&in.own) }

func (in *In[T]) port() *Port { return in.info }

func (in *In[T]) describe(p *Port) { in.info = p }

func (in *In[T]) setLen(n int) { in.length = n }

func (in *In[T]) pointer() unsafe.Pointer {
	if in.src == nil {
		return unsafe.Pointer(&in.own)
	}
	return unsafe.Pointer(in.src)
}

func (in *In[T]) handPointer() unsafe.Pointer { return unsafe.Pointer(&in.hand.value) }

func (in *In[T]) counter() *uint64 {
	if in.count == nil {
		return &in.arrived
	}
	return in.count
}

func (in *In[T]) written() *clock.Time { return &in.came }

func (in *In[T]) runBy(now *clock.Time) { in.now = now }

func (in *In[T]) dataType() reflect.Type { return reflect.TypeFor[T]() }

func (in *In[T]) allocate() {
	makeSlice(&in.own, in.length)
	makeSlice(&in.hand.value, in.length)
}

// alias links the port to the memory of an Out of the same type; false where the types differ.
func (in *In[T]) alias(o outlet) bool {
	out, ok := o.(*Out[T])
	if !ok {
		return false
	}
	in.link(&out.value, &out.count, &out.time)
	return true
}

// receive makes the port read its own memory, which transfers fill.
func (in *In[T]) receive() {
	in.link(&in.own, &in.arrived, &in.came)
}

func (in *In[T]) link(src *T, count *uint64, time *clock.Time) {
	in.linked.src, in.linked.count, in.linked.time = src, count, time
	in.src, in.count, in.time = src, count, time
}

func (in *In[T]) source() outlet {
	s := &Out[T]{info: in.info, length: in.length}
	s.slice = makeSlice(&s.value, s.length) // nobody overrides it
	return s
}

func (in *In[T]) buffer(q *lockfree.Queue) {
	in.queue = q
	in.receive()
}

// refill fixes how many packets of a buffered link the next steps may read.
func (in *In[T]) refill() { in.arrived = in.seen + uint64(in.queue.Len()) }
