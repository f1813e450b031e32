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
	Show    string       // what pictures take it for: the tag show, as written
	Safe    string       // the declared safe value, as written
	Type    *schema.Type // of the data
	layout  *schema.Layout
	length  int
	field   slot
	views   views
}

// views are what a port's field is beside a slot; nil what it is not. They are found once: to look for them in a step would
// allocate now and then.
type views struct {
	in     inlet
	out    outlet
	hand   manual
	handle receiver
	events sequence
}

// bind makes a field that of the port.
func (p *Port) bind(s slot) {
	p.field, p.views = s, views{}
	p.views.in, _ = s.(inlet)
	p.views.out, _ = s.(outlet)
	p.views.hand, _ = s.(manual)
	p.views.handle, _ = s.(receiver)
	p.views.events, _ = s.(sequence)
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
	manual
	shadow() outlet
	Commit()
	rest()
	toSafe()
	setSafe(string) error
}

type inlet interface {
	slot
	timed
	manual
	New() bool
	isLinked() bool
	reader
	alias(outlet) bool
	receive()
	refill()
	lapse(late bool) bool
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
	sequence
	shadow() outlet
}

// sequence is an event or a handler: it remembers its last MaxPendingEvents events.
type sequence interface {
	at(n uint64) unsafe.Pointer // of the n-th event, counted from 1
	inject()                    // makes what lies at pointer happen
}

type receiver interface {
	slot
	reader
	sequence
	New() bool
	connectEvent(e emitter, q *lockfree.Queue) bool
	isAtOnce() bool
	collect()
	dispatch()
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
	if p.views.out != nil && p.Safe != "" {
		return p.views.out.setSafe(p.Safe)
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
func (p *Port) Lapse(late bool) bool { return p.views.in.lapse(late) }

// Linked reports whether the input p is linked.
func (p *Port) Linked() bool {
	return p.views.in != nil && p.views.in.isLinked()
}

// New reports whether something waits at an input or handler.
func (p *Port) New() bool {
	switch {
	case p.views.in != nil:
		return p.views.in.New()
	case p.views.handle != nil:
		return p.views.handle.New()
	}
	return false
}

// Fresh returns the test that [Port.New] makes, for the thread to keep.
func (p *Port) Fresh() interface{ New() bool } { return p.field.(interface{ New() bool }) }

// Shadow returns an output like the output or event p with memory of its own: what another thread or process sees of p.
func (p *Port) Shadow() *Port {
	s := *p
	s.Kind = OutPort
	s.bind(p.field.(interface{ shadow() outlet }).shadow())
	return &s
}

// Source returns an output as the input or handler p wants it, with memory of its own: what it sees of a block that is
// not written in Go.
func (p *Port) Source() *Port {
	s := *p
	s.Kind = OutPort
	s.bind(p.field.(reader).source())
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
	return p.length == src.length && p.views.in.alias(src.views.out)
}

// Receive makes the input p read its own memory, which transfers fill; they count what they bring with Count.
func (p *Port) Receive() { p.views.in.receive() }

// Buffer makes the input p read from q what the output src writes.
func (p *Port) Buffer(src *Port, q *lockfree.Queue) {
	src.views.out.push(q)
	p.views.in.buffer(q)
}

// Refill fixes how many packets of a buffered link the coming steps may read.
func (p *Port) Refill() { p.views.in.refill() }

// Subscribe makes the handler p receive the event src, through q where they are in different threads; false where
// their Go types differ.
func (p *Port) Subscribe(src *Port, q *lockfree.Queue) bool {
	return p.views.handle.connectEvent(src.field.(emitter), q)
}

// AtOnce reports whether the handler p runs within Emit.
func (p *Port) AtOnce() bool {
	return p.views.handle != nil && p.views.handle.isAtOnce()
}

// Collect takes over the events that came to the handler p from other threads.
func (p *Port) Collect() { p.views.handle.collect() }

// Dispatch runs the handler's function for the events that wait.
func (p *Port) Dispatch() { p.views.handle.dispatch() }

// ToSafe writes the declared safe value of the output p, if it has one. A value given by hand stays before it.
func (p *Port) ToSafe() {
	if p.views.out != nil {
		p.views.out.toSafe()
	}
}

// Rest is ToSafe for a block that is not executed any longer: it ends what was given to the output by hand.
func (p *Port) Rest() {
	if p.views.out != nil {
		p.views.out.rest()
	}
}

// EncodeEvent writes the n-th event of p, counted from 1, as CDR into dst. Only the last MaxPendingEvents are there.
func (p *Port) EncodeEvent(n uint64, dst []byte) int {
	return p.layout.Encode(dst, p.views.events.at(n))
}

// PortOf returns what describes the port in a system, or nil before its block was added to one.
func PortOf(s interface{ port() *Port }) *Port { return s.port() }
