package block

import (
	"reflect"
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/clock"
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
	queues  []*lockfree.Queue // of buffered links
	safe    *T
	info    *Port
	length  int
	held    bool // the value was given by hand, and what the block writes goes to beneath
	beneath T
}

// Write sets the value of the port. A slice is copied and must have the port's length; anything else panics.
func (o *Out[T]) Write(v T) {
	if dst := o.Slot(); o.slice {
		assign(dst, v)
	} else {
		*dst = v
	}
	o.Commit()
}

// Slot returns where the port's value lies, to be filled in place before [Out.Commit]. It is valid within a step.
func (o *Out[T]) Slot() *T {
	if o.held {
		return &o.beneath
	}
	return &o.value
}

// Commit makes what was put into [Out.Slot] the new value of the port.
func (o *Out[T]) Commit() {
	o.count++
	if o.now != nil {
		o.time = *o.now
	}
	for _, q := range o.queues {
		q.Push(memory(&o.value))
	}
}

// Value returns the value last written by the block.
func (o *Out[T]) Value() T { return *o.Slot() }

// Len returns the length of the port's slice, 0 where T is no slice.
func (o *Out[T]) Len() int { return o.length }

func (o *Out[T]) port() *Port { return o.info }

func (o *Out[T]) describe(p *Port) { o.info = p }

func (o *Out[T]) setLen(n int) { o.length = n }

func (o *Out[T]) pointer() unsafe.Pointer { return unsafe.Pointer(&o.value) }

func (o *Out[T]) bytes() []byte { return memory(&o.value) }

func (o *Out[T]) counter() *uint64 { return &o.count }

func (o *Out[T]) written() *clock.Time { return &o.time }

func (o *Out[T]) runBy(now *clock.Time) { o.now = now }

func (o *Out[T]) dataType() reflect.Type { return reflect.TypeFor[T]() }

func (o *Out[T]) allocate() {
	o.slice = makeSlice(&o.value, o.length)
	makeSlice(&o.beneath, o.length)
}

func (o *Out[T]) handPointer() unsafe.Pointer { return unsafe.Pointer(&o.value) }

// hide keeps what the block has written so far, because a value by hand is about to take its place.
func (o *Out[T]) hide() {
	if !o.held {
		assign(&o.beneath, o.value)
		o.held = true
	}
}

func (o *Out[T]) byHand() bool { return o.held }

// Release ends what an operator has begun: the port has the value again that the block wrote last.
func (o *Out[T]) Release() {
	if o.held {
		o.held = false
		assign(&o.value, o.beneath)
		o.Commit()
	}
}

// rest ends what was given by hand and writes the declared safe value, if there is one.
func (o *Out[T]) rest() {
	if o.safe == nil {
		o.Release()
	}
	o.held = false
	o.toSafe()
}

func (o *Out[T]) push(q *lockfree.Queue) { o.queues = append(o.queues, q) }

func (o *Out[T]) shadow() outlet {
	s := &Out[T]{info: o.info, length: o.length}
	s.slice = makeSlice(&s.value, o.length) // nobody overrides it
	return s
}

// toSafe writes the declared safe value, if there is one.
func (o *Out[T]) toSafe() {
	if o.safe != nil {
		o.Write(*o.safe)
	}
}

func (o *Out[T]) setSafe(text string) error {
	v := new(T)
	makeSlice(v, o.length)
	if err := parseInto(v, text); err != nil {
		return err
	}
	o.safe = v
	return nil
}
