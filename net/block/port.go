package block

import (
	"reflect"
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/schema"
)

// PortKind says what a port is.
type PortKind uint8

const (
	InPort PortKind = iota
	OutPort
	EventPort   // an Event
	HandlerPort // a Handler
)

// String returns the kind as people call it.
func (k PortKind) String() string {
	return [...]string{"input", "output", "event", "handler"}[k]
}

// IsSource reports whether links begin at ports of this kind.
func (k PortKind) IsSource() bool { return k == OutPort || k == EventPort }

// Port describes one port of a block to those that link, execute and inspect it. Its methods are for the diagram
// that builds the net and for the thread that runs the block.
type Port struct {
	Block   *Instance
	Index   int // in Block.Ports
	Name    string
	Doc     string
	Unit    string
	Kind    PortKind
	Part    Part
	Trigger bool
	Watch   bool
	Safe    string       // the declared safe value, as written
	Type    *schema.Type // of the data
	layout  *schema.Layout
	length  int
	field   slot
}

// slot is what the ports of all types have in common.
type slot interface {
	Sized
	port() *Port
	describe(*Port)
	dataType() reflect.Type
	allocate()
	pointer() unsafe.Pointer // of the present value
	bytes() []byte           // of the port's own memory
	counter() *uint64        // of values or events so far
}

// timed is a port whose values have a time.
type timed interface {
	written() *clock.Time // of the port's own memory
	runBy(now *clock.Time)
}

type outlet interface {
	slot
	timed
	pusher
	shadow() outlet
	toSafe()
	setSafe(string) error
}

type inlet interface {
	slot
	timed
	New() bool
	isLinked() bool
	reader
	alias(outlet) bool
	receive()
	refill()
	hide()
	lapse(late bool) bool
	Release()
}

// pusher puts each of its values into queues, too.
type pusher interface{ push(*lockfree.Queue) }

// reader takes values of one type from elsewhere: an input or a handler.
type reader interface {
	source() outlet // an output of its type
	buffer(*lockfree.Queue)
}

type emitter interface {
	slot
	pusher
	shadow() outlet
}

type receiver interface {
	slot
	reader
	New() bool
	connectEvent(e emitter, q *lockfree.Queue) bool
	isAtOnce() bool
	collect()
	dispatch()
	inject()
}

// Sized is a port or an operation whose slices get their length in Setup.
type Sized interface{ setLen(n int) }

// Ref names the port as in "joint1.position".
func (p *Port) Ref() string { return p.Block.Name + "." + p.Name }

// Len returns the length of the port's slice: 0 where it has none or nobody has said it yet.
func (p *Port) Len() int { return p.length }

// SetLen fixes the length of the port's slice.
func (p *Port) SetLen(n int) {
	p.length = n
	p.field.setLen(n)
}

// Allocate gives the port its memory, when its length is known.
func (p *Port) Allocate() error {
	p.field.allocate()
	if p.Type.Kind() == schema.Slice {
		p.layout = p.Type.Layout(p.length)
	} else {
		p.layout = p.Type.Layout()
	}
	if out, ok := p.field.(outlet); ok && p.Safe != "" {
		return out.setSafe(p.Safe)
	}
	return nil
}

// Layout returns the layout of the port's data, once it is allocated.
func (p *Port) Layout() *schema.Layout { return p.layout }

// Encode writes the present value as CDR into dst, which has at least Layout().Size() bytes.
func (p *Port) Encode(dst []byte) int { return p.layout.Encode(dst, p.field.pointer()) }

// Bytes returns the port's own memory: the value, or the elements of a slice.
func (p *Port) Bytes() []byte { return p.field.bytes() }

// Count returns where the number of values or events so far is kept.
func (p *Port) Count() *uint64 { return p.field.counter() }

// Written returns where the time is kept at which the memory of an input or output was last written.
func (p *Port) Written() *clock.Time { return p.field.(timed).written() }

// RunBy tells an input or output where its thread keeps its time.
func (p *Port) RunBy(now *clock.Time) {
	if f, ok := p.field.(timed); ok {
		f.runBy(now)
	}
}

// Lapse makes the input p read NoData while late, unless it was fed by hand, and reports whether it does.
func (p *Port) Lapse(late bool) bool { return p.field.(inlet).lapse(late) }

// Linked reports whether the input p is linked.
func (p *Port) Linked() bool {
	in, ok := p.field.(inlet)
	return ok && in.isLinked()
}

// New reports whether something waits at an input or handler.
func (p *Port) New() bool {
	switch f := p.field.(type) {
	case inlet:
		return f.New()
	case receiver:
		return f.New()
	}
	return false
}

// Fresh returns the test that [Port.New] makes, for the thread to keep.
func (p *Port) Fresh() interface{ New() bool } { return p.field.(interface{ New() bool }) }

// Shadow returns an output like the output or event p with memory of its own: what another thread or process sees of p.
func (p *Port) Shadow() *Port {
	s := *p
	s.Kind = OutPort
	s.field = p.field.(interface{ shadow() outlet }).shadow()
	return &s
}

// Source returns an output as the input or handler p wants it, with memory of its own: what it sees of a block that is
// not written in Go.
func (p *Port) Source() *Port {
	s := *p
	s.Kind = OutPort
	s.field = p.field.(reader).source()
	return &s
}

// Push makes the output or event p put each of its values into q.
func (p *Port) Push(q *lockfree.Queue) { p.field.(pusher).push(q) }

// Drain makes the input or handler p take its values from q.
func (p *Port) Drain(q *lockfree.Queue) { p.field.(reader).buffer(q) }

// Decode makes cdr the value of p, which [Port.Shadow] or [Port.Source] returned, and counts it.
func (p *Port) Decode(cdr []byte) error {
	err := p.layout.Decode(p.field.pointer(), cdr)
	if err == nil {
		*p.field.counter()++
	}
	return err
}

// Alias makes the input p read the memory of the output src; false where their Go types differ.
func (p *Port) Alias(src *Port) bool {
	return p.length == src.length && p.field.(inlet).alias(src.field.(outlet))
}

// Receive makes the input p read its own memory, which transfers fill; they count what they bring with Count.
func (p *Port) Receive() { p.field.(inlet).receive() }

// Buffer makes the input p read from q what the output src writes.
func (p *Port) Buffer(src *Port, q *lockfree.Queue) {
	src.field.(outlet).push(q)
	p.field.(inlet).buffer(q)
}

// Refill fixes how many packets of a buffered link the coming steps may read.
func (p *Port) Refill() { p.field.(inlet).refill() }

// Subscribe makes the handler p receive the event src, through q where they are in different threads; false where
// their Go types differ.
func (p *Port) Subscribe(src *Port, q *lockfree.Queue) bool {
	return p.field.(receiver).connectEvent(src.field.(emitter), q)
}

// AtOnce reports whether the handler p runs within Emit.
func (p *Port) AtOnce() bool {
	h, ok := p.field.(receiver)
	return ok && h.isAtOnce()
}

// Collect takes over the events that came to the handler p from other threads.
func (p *Port) Collect() { p.field.(receiver).collect() }

// Dispatch runs the handler's function for the events that wait.
func (p *Port) Dispatch() { p.field.(receiver).dispatch() }

// Feed gives an input, an output or a handler the value in cdr by hand. An input keeps it until it is released; an
// output until its block writes again.
func (p *Port) Feed(cdr []byte) error {
	switch f := p.field.(type) {
	case inlet:
		if err := p.decodeOwn(cdr); err != nil {
			return err
		}
		f.hide()
	case receiver:
		if err := p.layout.Decode(f.pointer(), cdr); err != nil {
			return err
		}
		f.inject()
	default:
		if err := p.layout.Decode(f.pointer(), cdr); err != nil {
			return err
		}
		*f.counter()++
	}
	return nil
}

// decodeOwn decodes into the memory that the input owns, whatever it reads at present.
func (p *Port) decodeOwn(cdr []byte) error {
	return p.layout.Decode(p.field.(interface{ ownPointer() unsafe.Pointer }).ownPointer(), cdr)
}

// Release ends what Feed began.
func (p *Port) Release() {
	if f, ok := p.field.(inlet); ok {
		f.Release()
	}
}

// ToSafe writes the declared safe value of the output p, if it has one.
func (p *Port) ToSafe() {
	if f, ok := p.field.(outlet); ok {
		f.toSafe()
	}
}

// PortOf returns what describes the port in a system, or nil before its block was added to one.
func PortOf(s interface{ port() *Port }) *Port { return s.port() }
