package port

import (
	"reflect"
	"time"
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Field is what the fields of all kinds of ports have in common. Package block implements it and the interfaces below.
type Field interface {
	DataType() reflect.Type    // of one value
	SetLen(n int)              // fixes the length of a slice
	Allocate()                 // makes the memory of a slice
	Pointer() unsafe.Pointer   // of the present value
	Bytes() []byte             // of the port's own memory: the value, or all elements for which a slice has room
	Length() *int              // of the slice there, where values have lengths of their own; else nil
	Take(*lockfree.Queue) bool // takes the next value of a queue into the port's own memory
	Counter() *uint64          // of values or events so far
}

// OutputField is the field of an output.
type OutputField interface {
	Field
	timed
	pusher
	byHand
	Shadow() OutputField // an output of its type, with memory of its own
	Commit()
	Rest()
	ToSafe()
	SetSafe(text string) error
}

// InputField is the field of an input.
type InputField interface {
	Field
	timed
	byHand
	reader
	New() bool
	Linked() bool
	Alias(src OutputField) bool
	Receive()
	Refill()
	Lapse(late bool) bool
}

// EventField is the field of an event.
type EventField interface {
	Field
	pusher
	sequence
	Shadow() OutputField
}

// HandlerField is the field of a handler.
type HandlerField interface {
	Field
	reader
	sequence
	New() bool
	Subscribe(src EventField, q *lockfree.Queue) bool
	AtOnce() bool
	Deferred() bool
	Collect()
	Dispatch()
}

// Progress is where an input or handler counts: a thread asks it before each step whether something is new, without a call.
type Progress struct {
	Count **uint64 // of values that came so far; nil behind it: the input is not linked
	Seen  *uint64  // how many of them the block has taken
}

// New reports whether something waits.
func (p Progress) New() bool { return *p.Count != nil && **p.Count != *p.Seen }

// timed is a field whose values have a time.
type timed interface {
	Written() *clock.Time // of the port's own memory
	Age() time.Duration   // of the present value
	RunBy(now *clock.Time)
}

// pusher also puts each of its values into queues.
type pusher interface{ Push(q *lockfree.Queue) }

// reader takes values of one type from elsewhere: an input or a handler.
type reader interface {
	Source() OutputField // an output of its type
	Drain(q *lockfree.Queue)
}

// sequence is an event or a handler: it remembers its last MaxPendingEvents events.
type sequence interface {
	At(n uint64) unsafe.Pointer // of the n-th event, counted from 1
	Inject()                    // makes what lies at Pointer happen
}

// byHand is a field that keeps a value given by hand until it is released.
type byHand interface {
	HandPointer() unsafe.Pointer
	Hide() // what is there without the value by hand
	ByHand() bool
	Release()
}
