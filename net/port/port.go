package port

import (
	"reflect"
	"time"
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/schema"
)

// Kind is the kind of a port.
type Kind uint8

// The kinds of ports.
const (
	Input   Kind = iota // data that a block reads
	Output              // data that it writes
	Event               // occurrences that it emits
	Handler             // a reaction to events
)

// String returns the kind as people call it.
func (k Kind) String() string {
	return [...]string{"input", "output", "event", "handler"}[k]
}

// IsSource reports whether links begin at ports of this kind.
func (k Kind) IsSource() bool { return k == Output || k == Event }

// Part is the half of a block that a port belongs to.
type Part uint8

// The parts of a block.
const (
	Whole   Part = iota // the block has one direction: Step
	Sense               // from the sensors up
	Control             // from the commands down
)

// String returns the name of the method that is the part.
func (p Part) String() string {
	switch p {
	case Sense:
		return "Sense"
	case Control:
		return "Control"
	}
	return "Step"
}

// MaxPendingEvents is how many events wait in a handler, and how many of the events since its last activation a tap gets. One more
// drops the oldest and is counted.
const MaxPendingEvents = 16

// MaxSample is the largest value, in bytes of CDR, that tools can read and feed and that logs can record. Larger ones can only be
// linked.
const MaxSample = 16 << 20

// Port describes one port of a block to those that link, execute and inspect it. Its methods are for the diagram
// that builds the net and for the thread that runs the block.
type Port struct {
	Block    *Instance
	Index    int // in Block.Ports
	Name     string
	Doc      string
	Unit     string
	Kind     Kind
	Part     Part
	Trigger  bool
	Required bool // an input or handler that must be linked
	Watch    bool
	Missing  string       // what the block takes the input for until its first value: the tag missing, as written
	Late     bool         // an input with Missing that may have no value in the first activations, or none at all; set when a net is built
	Show     string       // what pictures take it for: the tag show, as written
	Safe     string       // the declared safe value, as written
	Type     *schema.Type // of the data
	layout   *schema.Layout
	length   int
	field    Field
	views    views
	limits   limits
}

// views are what a port's field is beside a Field; nil what it is not. They are found once: to look for them in a step would
// allocate now and then.
type views struct {
	in      InputField
	out     OutputField
	handler HandlerField
	hand    byHand
	events  sequence
}

// bind makes a field that of the port.
func (p *Port) bind(f Field) {
	p.field = f
	v := &p.views
	v.in, _ = f.(InputField)
	v.out, _ = f.(OutputField)
	v.handler, _ = f.(HandlerField)
	v.hand, _ = f.(byHand)
	v.events, _ = f.(sequence)
}

// kind returns what the port is, by its field.
func (p *Port) kind() Kind {
	switch v := &p.views; {
	case v.in != nil:
		return Input
	case v.out != nil:
		return Output
	case v.handler != nil:
		return Handler
	}
	return Event
}

// Ref names the port as in "joint1.position".
func (p *Port) Ref() string { return p.Block.Name + "." + p.Name }

// Len returns the length of the port's slice, or the most elements of a bounded one: 0 where it has none or it is not fixed yet.
func (p *Port) Len() int { return p.length }

// SetLen fixes the length of the port's slice.
func (p *Port) SetLen(n int) {
	p.length = n
	p.field.SetLen(n)
}

// Bounded reports whether each value of the port's slice has a length of its own, up to Len: its block has declared it in Setup.
func (p *Port) Bounded() bool { return p.field.Length() != nil }

// Elements returns how many elements the port has: those of its slice or array, of a bounded slice the most, 1 for any other value;
// 0 for a slice whose length is not fixed yet.
func (p *Port) Elements() int {
	if p.Type.Kind() == schema.Slice {
		return p.length
	}
	return p.Type.Count()
}

// ValueBytes returns the size of the port's value in memory, of a bounded slice that of its longest: 0 for a slice whose length is not fixed yet.
func (p *Port) ValueBytes() int64 {
	t := p.field.DataType()
	if t.Kind() == reflect.Slice {
		return int64(t.Elem().Size()) * int64(p.length)
	}
	return int64(t.Size())
}

// Copies returns how many values the port has room for.
func (p *Port) Copies() int {
	switch {
	case p.views.events != nil:
		return MaxPendingEvents + 1
	case p.Safe != "":
		return 3 // with that of an operator, and the safe one
	}
	return 2 // with that of an operator
}

// Allocate gives the port its memory, when its length is known.
func (p *Port) Allocate() error {
	p.field.Allocate()
	switch {
	case p.Bounded() && p.length > 0:
		p.Type = p.Type.Bounded(p.length)
		p.layout = p.Type.Layout()
	case p.Type.Kind() == schema.Slice:
		p.layout = p.Type.Layout(p.length)
	default:
		p.layout = p.Type.Layout()
	}
	if p.views.out != nil && p.Safe != "" {
		return p.views.out.SetSafe(p.Safe)
	}
	return nil
}

// Layout returns the layout of the port's data, once it is allocated.
func (p *Port) Layout() *schema.Layout { return p.layout }

// Encode writes the present value as CDR into dst, which has at least Size bytes, and returns the number of bytes written.
func (p *Port) Encode(dst []byte) int { return p.layout.Encode(dst, p.field.Pointer()) }

// Finite reports whether no floating-point number of the present value is NaN or infinite.
func (p *Port) Finite() bool { return p.layout.Finite(p.field.Pointer()) }

// Number returns the memory of an output of one float64; nil for other ports. A thread reads it without a call.
func (p *Port) Number() *float64 {
	if p.views.out == nil || p.Type.Kind() != schema.Float64 {
		return nil
	}
	return (*float64)(p.field.Pointer())
}

// Size returns the number of bytes of the present value in CDR; for an event or handler that of each.
func (p *Port) Size() int {
	if !p.layout.Bounded() {
		return p.layout.Size()
	}
	return p.layout.SizeOf(*(*int)(unsafe.Add(p.field.Pointer(), unsafe.Sizeof(uintptr(0))))) // of a slice, its length
}

// Bytes returns the port's own memory: the value, or all elements for which its slice has room.
func (p *Port) Bytes() []byte { return p.field.Bytes() }

// Length returns where the number of elements in the port's own memory is kept, if its slice is bounded; else nil.
func (p *Port) Length() *int { return p.field.Length() }

// ElementBytes returns the size of an element of the port's slice in memory.
func (p *Port) ElementBytes() int { return int(p.field.DataType().Elem().Size()) }

// Present returns the port's value in its own memory: Bytes, of a bounded slice only the elements that are there.
func (p *Port) Present() []byte {
	n := p.field.Length()
	if n == nil {
		return p.field.Bytes()
	}
	return p.field.Bytes()[:*n*p.ElementBytes()]
}

// Take takes the next value of a queue into the port's own memory, and reports whether there was one. It does not count it.
func (p *Port) Take(q *lockfree.Queue) bool { return p.field.Take(q) }

// Count returns where the number of values or events so far is kept.
func (p *Port) Count() *uint64 { return p.field.Counter() }

// Written returns where the time is kept at which the memory of an input or output was last written.
func (p *Port) Written() *clock.Time { return p.field.(timed).Written() }

// Age returns how long before the present activation the value of an input or output was acquired, or else written; of another port 0.
func (p *Port) Age() time.Duration {
	if f, ok := p.field.(timed); ok {
		return f.Age()
	}
	return 0
}

// RunBy sets where the thread of an input or output keeps its time.
func (p *Port) RunBy(now *clock.Time) {
	if f, ok := p.field.(timed); ok {
		f.RunBy(now)
	}
}

// Lapse makes the input p read NoData while late, unless it was fed by hand, and reports whether it does.
func (p *Port) Lapse(late bool) bool { return p.views.in.Lapse(late) }

// Linked reports whether the input p is linked.
func (p *Port) Linked() bool {
	return p.views.in != nil && p.views.in.Linked()
}

// New reports whether something waits at an input or handler.
func (p *Port) New() bool {
	switch {
	case p.views.in != nil:
		return p.views.in.New()
	case p.views.handler != nil:
		return p.views.handler.New()
	}
	return false
}

// Progress returns what an input or handler has got and what its block has taken of it.
func (p *Port) Progress() Progress { return p.field.(interface{ Progress() Progress }).Progress() }

// Shadow returns an output like the output or event p, with memory of its own: what another thread or process sees of p.
func (p *Port) Shadow() *Port {
	s := *p
	s.Kind = Output
	s.bind(p.field.(interface{ Shadow() OutputField }).Shadow())
	return &s
}

// SafeOutput returns an output like the output p that holds its declared safe value for good; nil where none is declared.
func (p *Port) SafeOutput() *Port {
	if p.Kind != Output || p.Safe == "" {
		return nil
	}
	s := p.Shadow()
	if err := s.views.out.SetSafe(p.Safe); err != nil {
		panic("port: " + err.Error()) // Allocate has accepted the text
	}
	s.ToSafe()
	return s
}

// Source returns an output as the input or handler p wants it, with memory of its own: what it sees of a block that is
// not written in Go.
func (p *Port) Source() *Port {
	s := *p
	s.Kind = Output
	s.bind(p.field.(reader).Source())
	return &s
}

// Push makes the output or event p put each of its values into q.
func (p *Port) Push(q *lockfree.Queue) { p.field.(pusher).Push(q) }

// Drain makes the input or handler p take its values from q.
func (p *Port) Drain(q *lockfree.Queue) { p.field.(reader).Drain(q) }

// Decode makes cdr the value of p, which [Port.Shadow] or [Port.Source] returned, and counts it.
// It fails as [schema.Layout.Decode] does, and the value stays.
func (p *Port) Decode(cdr []byte) error {
	err := p.layout.Decode(p.field.Pointer(), cdr)
	if err == nil {
		*p.field.Counter()++
	}
	return err
}

// Alias makes the input p read the memory of the output src; false where their Go types differ, or p does not take the lengths
// of src.
func (p *Port) Alias(src *Port) bool {
	return (p.length == src.length || p.Bounded() && p.length > src.length) && p.views.in.Alias(src.views.out)
}

// Receive makes the input p read its own memory, which transfers fill; they count what they bring with Count.
func (p *Port) Receive() { p.views.in.Receive() }

// Buffer makes the input p read from q what the output src writes.
func (p *Port) Buffer(src *Port, q *lockfree.Queue) {
	src.views.out.Push(q)
	p.views.in.Drain(q)
}

// Refill fixes how many packets of a buffered link the coming steps may read.
func (p *Port) Refill() { p.views.in.Refill() }

// Subscribe makes the handler p receive the event src, through q where they are in different threads; false where
// their Go types differ.
func (p *Port) Subscribe(src *Port, q *lockfree.Queue) bool {
	return p.views.handler.Subscribe(src.field.(EventField), q)
}

// AtOnce reports whether the handler p runs within Emit.
func (p *Port) AtOnce() bool {
	return p.views.handler != nil && p.views.handler.AtOnce()
}

// Deferred reports whether the handler p has a function that runs at the block's turn.
func (p *Port) Deferred() bool { return p.views.handler != nil && p.views.handler.Deferred() }

// Collect takes over the events that came to the handler p from other threads.
func (p *Port) Collect() { p.views.handler.Collect() }

// Dispatch runs the handler's function for the events that wait.
func (p *Port) Dispatch() { p.views.handler.Dispatch() }

// ToSafe writes the declared safe value of the output p, if it has one. A value given by hand stays before it.
func (p *Port) ToSafe() {
	if p.views.out != nil {
		p.views.out.ToSafe()
	}
}

// Rest is ToSafe for a block that is no longer executed: it ends what was given to the output by hand.
func (p *Port) Rest() {
	if p.views.out != nil {
		p.views.out.Rest()
	}
}

// EncodeEvent writes the n-th event of p, counted from 1, as CDR into dst and returns the number of bytes written. Only the last
// MaxPendingEvents are there.
func (p *Port) EncodeEvent(n uint64, dst []byte) int {
	return p.layout.Encode(dst, p.views.events.At(n))
}
