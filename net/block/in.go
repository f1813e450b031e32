package block

import (
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// In is an input port of type T. It reads the memory of the Out it is linked to where both are in one thread, and a
// copy taken at the start of the activation where they are not: within one activation an input from another thread
// never changes. An In that is not linked reads the zero value and NoData, until it is fed by hand.
type In[T any] struct {
	src     *T      // what Read reads: the linked Out's value or own
	count   *uint64 // how many values came so far
	seen    uint64  // how many of them were read
	own     T
	arrived uint64          // count of own, where no Out is aliased
	queue   *lockfree.Queue // of a buffered link
	info    *port.Port
	length  int
	bounded bool        // values have lengths of their own, up to length
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

// inState names what an input reads.
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
	switch {
	case in.queue == nil || in.state == fed:
		in.seen = n
	case in.bounded:
		(*inputField[T])(in).Take(in.queue)
		in.seen++
	default:
		in.queue.Pop(memory(&in.own))
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

// ByHand reports whether the port has a value that was given by hand, which hides those of its link.
func (in *In[T]) ByHand() bool { return in.state == fed }

// Linked reports whether a link leads to the port. It is false during Setup, when no links are known yet.
func (in *In[T]) Linked() bool { return in.linked.src != nil }

// Late reports whether an input with the tag missing may have no value while others have: it closes a loop, comes from another
// thread or is not linked. It is false during Setup.
func (in *In[T]) Late() bool { return in.info != nil && in.info.Late }

// Age returns how long before this activation the value was acquired ([Out.WriteAt]) or else written: in the time of the system, across
// processes and hosts too. Before the first value it is the time since the start. On a buffered link it is 0.
func (in *In[T]) Age() time.Duration {
	switch {
	case in.now == nil || in.queue != nil && in.state != fed:
		return 0
	case in.time == nil:
		return in.now.Sub(0)
	}
	return in.now.Sub(*in.time)
}

// Len returns the length of the port's slice, 0 where T is no slice. Where values have lengths of their own, it is the most
// elements of one: see [Setup.MaxLen].
func (in *In[T]) Len() int { return in.length }

// Feed gives the port a value by hand, as a test or an operator does. It hides the values of the link until [In.Release]; the
// input is new whenever the link brings one. It panics if v is a slice of a length that the port does not take.
func (in *In[T]) Feed(v T) {
	assign(&in.hand.value, v, in.bounded)
	(*inputField[T])(in).Hide()
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

func (in *In[T]) port() *port.Port { return in.info }

func (in *In[T]) describe(p *port.Port) { in.info = p }

func (in *In[T]) setLen(n int) { in.length, in.bounded = n, false }

func (in *In[T]) setMaxLen(n int) bool {
	in.length = n
	_, in.bounded = isSlice[T]()
	return in.bounded
}

func (in *In[T]) field() port.Field { return (*inputField[T])(in) }
