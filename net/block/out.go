package block

import (
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// Out is an output port of type T. Blocks of the same thread read its memory; other threads get what it holds at the
// end of the activation. While an operator overrides it, others see the operator's value, as often as the block writes, and
// the block sees its own.
type Out[T any] struct {
	value   T
	count   uint64      // how often it was written
	time    clock.Time  // of the last write
	now     *clock.Time // of the thread; nil before the block is in one
	slice   bool
	elem    uintptr           // size of a slice's element
	bound   *listBound        // of a port whose values have lengths of their own; nil: all have one length
	queues  []*lockfree.Queue // of buffered links
	safe    *T
	info    *port.Port
	length  int
	held    bool // the value was given by hand, and what the block writes goes to beneath
	beneath T
}

// Write sets the value of the port. A slice is copied and must have the port's length; anything else panics. Where values have
// lengths of their own ([Setup.MaxLen]), a longer one panics with a [LengthError], which puts the block in error, and the
// port keeps its value.
func (o *Out[T]) Write(v T) {
	if dst := o.Slot(); !o.slice {
		*dst = v
	} else if to, from := (*sliceHeader)(unsafe.Pointer(dst)), (*sliceHeader)(unsafe.Pointer(&v)); o.bound != nil {
		o.bound.assign(o.held, to, from)
	} else {
		copySlice[T](to, from, o.elem)
	}
	o.Commit()
}

// WriteAt is Write for a value that was acquired at time t, before this activation: a measurement that took its time. Links, logs and
// [In.Age] carry that time. A time behind the activation counts as the activation's.
func (o *Out[T]) WriteAt(v T, t clock.Time) {
	o.Write(v)
	o.time = min(o.time, t)
}

// Slot returns where the port's value lies, to be filled in place before [Out.Commit]. It is valid within a step. A slice
// whose values have lengths of their own holds the last value and has room for the most elements: *slot = (*slot)[:n], or
// append((*slot)[:0], …).
func (o *Out[T]) Slot() *T {
	if o.held {
		return &o.beneath
	}
	return &o.value
}

// Commit makes what was put into [Out.Slot] the new value of the port. Where values have lengths of their own, more than the most
// elements panic with a [LengthError], which puts the block in error, and the port is left without elements.
func (o *Out[T]) Commit() {
	if o.bound != nil {
		o.bound.settle(o.held, (*sliceHeader)(unsafe.Pointer(o.Slot())))
	}
	o.count++
	if o.now != nil {
		o.time = *o.now
	}
	for _, q := range o.queues {
		q.Push(memory(&o.value))
	}
}

// CommitAt is Commit for a value that was acquired at time t: see [Out.WriteAt].
func (o *Out[T]) CommitAt(t clock.Time) {
	o.Commit()
	o.time = min(o.time, t)
}

// Value returns the value last written by the block.
func (o *Out[T]) Value() T { return *o.Slot() }

// Len returns the length of the port's slice, 0 where T is no slice. Where values have lengths of their own, it is the most
// elements of one.
func (o *Out[T]) Len() int { return o.length }

func (o *Out[T]) port() *port.Port { return o.info }

func (o *Out[T]) describe(p *port.Port) { o.info = p }

func (o *Out[T]) setLen(n int) { o.length, o.bound = n, nil }

func (o *Out[T]) setMaxLen(n int) bool {
	elem, ok := isSlice[T]()
	if o.length = n; ok && o.bound == nil {
		o.bound = &listBound{elem: elem}
	}
	return ok
}

func (o *Out[T]) field() port.Field { return (*outputField[T])(o) }
