package block

import (
	"fmt"
	"reflect"
	"time"
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// slot is what the ports of all types have in common.
type slot interface {
	Sized
	port() *port.Port
	describe(*port.Port)
	field() port.Field
}

// inputField is an In as nets see it: see [port.InputField].
type inputField[T any] In[T]

func (in *inputField[T]) DataType() reflect.Type { return reflect.TypeFor[T]() }

func (in *inputField[T]) SetLen(n int) { in.length = n } // a bound stays one

func (in *inputField[T]) Allocate() {
	makeSlice(&in.own, in.length, in.bounded)
	makeSlice(&in.hand.value, in.length, in.bounded)
}

func (in *inputField[T]) Length() *int {
	if !in.bounded {
		return nil
	}
	return &(*sliceHeader)(unsafe.Pointer(&in.own)).len
}

func (in *inputField[T]) Take(q *lockfree.Queue) bool { return take(&in.own, q, in.bounded) }

func (in *inputField[T]) Pointer() unsafe.Pointer {
	if in.src == nil {
		return unsafe.Pointer(&in.own)
	}
	return unsafe.Pointer(in.src)
}

func (in *inputField[T]) Bytes() []byte {
	if in.bounded {
		return room(&in.own)
	}
	return memory(&in.own)
}

func (in *inputField[T]) Counter() *uint64 {
	if in.count == nil {
		return &in.arrived
	}
	return in.count
}

func (in *inputField[T]) Written() *clock.Time { return &in.came }

func (in *inputField[T]) Age() time.Duration { return (*In[T])(in).Age() }

func (in *inputField[T]) RunBy(now *clock.Time) { in.now = now }

func (in *inputField[T]) New() bool { return (*In[T])(in).New() }

func (in *inputField[T]) Progress() port.Progress {
	return port.Progress{Count: &in.count, Seen: &in.seen}
}

func (in *inputField[T]) Linked() bool { return (*In[T])(in).Linked() }

// Alias makes the input read the memory of an Out of the same type; false where the types differ.
func (in *inputField[T]) Alias(src port.OutputField) bool {
	out, ok := src.(*outputField[T])
	if !ok {
		return false
	}
	in.link(&out.value, &out.count, &out.time)
	return true
}

// Receive makes the input read its own memory, which transfers fill.
func (in *inputField[T]) Receive() { in.link(&in.own, &in.arrived, &in.came) }

func (in *inputField[T]) link(src *T, count *uint64, time *clock.Time) {
	in.linked.src, in.linked.count, in.linked.time = src, count, time
	in.src, in.count, in.time = src, count, time
}

func (in *inputField[T]) Source() port.OutputField { return newShadow[T](in.length, in.bounded) }

func (in *inputField[T]) Drain(q *lockfree.Queue) {
	in.queue = q
	in.Receive()
}

// Refill fixes how many packets of a buffered link the next steps may read.
func (in *inputField[T]) Refill() { in.arrived = in.seen + uint64(in.queue.Len()) }

// Lapse makes the input read NoData while its link's value is too old; a value given by hand never is. It reports whether
// the input has lapsed.
func (in *inputField[T]) Lapse(late bool) bool {
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

func (in *inputField[T]) HandPointer() unsafe.Pointer { return unsafe.Pointer(&in.hand.value) }

// Hide makes the input read what was given by hand, which is new, and is new again whenever the link brings a value: a block with
// this input as trigger goes on running. Values of a buffered link do not count.
func (in *inputField[T]) Hide() {
	in.src, in.time, in.state = &in.hand.value, &in.hand.time, fed
	if n := in.linked.count; n != nil && *n > 0 && in.queue == nil {
		in.count, in.seen = n, *n-1
	} else {
		in.hand.count = in.seen + 1
		in.count = &in.hand.count
	}
	if in.now != nil {
		in.hand.time = *in.now
	}
}

func (in *inputField[T]) ByHand() bool { return (*In[T])(in).ByHand() }

func (in *inputField[T]) Release() { (*In[T])(in).Release() }

// outputField is an Out as nets see it: see [port.OutputField].
type outputField[T any] Out[T]

// newShadow returns an output with memory of its own, which is never overridden.
func newShadow[T any](length int, bounded bool) port.OutputField {
	s := &Out[T]{length: length}
	if bounded {
		s.setMaxLen(length)
	}
	(*outputField[T])(s).Allocate()
	return (*outputField[T])(s)
}

func (o *outputField[T]) DataType() reflect.Type { return reflect.TypeFor[T]() }

func (o *outputField[T]) SetLen(n int) { o.length = n } // a bound stays one

func (o *outputField[T]) Allocate() {
	o.elem, o.slice = isSlice[T]()
	makeSlice(&o.value, o.length, o.bound != nil)
	makeSlice(&o.beneath, o.length, o.bound != nil)
	if o.bound != nil {
		ref := ""
		if o.info != nil {
			ref = o.info.Ref()
		}
		o.bound.init(ref, o.length, (*sliceHeader)(unsafe.Pointer(&o.value)), (*sliceHeader)(unsafe.Pointer(&o.beneath)))
	}
}

func (o *outputField[T]) Length() *int {
	if o.bound == nil {
		return nil
	}
	return &(*sliceHeader)(unsafe.Pointer(&o.value)).len
}

func (o *outputField[T]) Take(q *lockfree.Queue) bool { return take(&o.value, q, o.bound != nil) }

func (o *outputField[T]) Pointer() unsafe.Pointer { return unsafe.Pointer(&o.value) }

func (o *outputField[T]) Bytes() []byte {
	if o.bound != nil {
		return room(&o.value)
	}
	return memory(&o.value)
}

func (o *outputField[T]) Counter() *uint64 { return &o.count }

func (o *outputField[T]) Written() *clock.Time { return &o.time }

func (o *outputField[T]) Age() time.Duration { return o.now.Sub(o.time) }

func (o *outputField[T]) RunBy(now *clock.Time) { o.now = now }

func (o *outputField[T]) Push(q *lockfree.Queue) { o.queues = append(o.queues, q) }

func (o *outputField[T]) Shadow() port.OutputField { return newShadow[T](o.length, o.bound != nil) }

func (o *outputField[T]) Commit() { (*Out[T])(o).Commit() }

func (o *outputField[T]) HandPointer() unsafe.Pointer { return unsafe.Pointer(&o.value) }

// Hide keeps what the block has written so far, because a value by hand is about to take its place.
func (o *outputField[T]) Hide() {
	if !o.held {
		assign(&o.beneath, o.value, o.bound != nil)
		o.held = true
	}
}

func (o *outputField[T]) ByHand() bool { return o.held }

// Release ends what an operator has begun: the output has the value again that the block wrote last.
func (o *outputField[T]) Release() {
	if o.held {
		o.held = false
		assign(&o.value, o.beneath, o.bound != nil)
		o.Commit()
	}
}

// Rest ends what was given by hand and writes the declared safe value, if there is one.
func (o *outputField[T]) Rest() {
	if o.safe == nil {
		o.Release()
	}
	o.held = false
	o.ToSafe()
}

// ToSafe writes the declared safe value, if there is one.
func (o *outputField[T]) ToSafe() {
	if o.safe != nil {
		(*Out[T])(o).Write(*o.safe)
	}
}

func (o *outputField[T]) SetSafe(text string) error {
	v := new(T)
	makeSlice(v, o.length, false)
	if err := parseInto(v, text); err != nil {
		return err
	}
	if n := lengthOf(v); o.slice && (n > o.length || n < o.length && o.bound == nil) {
		return fmt.Errorf("it has length %d, and the port %d", n, o.length)
	}
	o.safe = v
	return nil
}
