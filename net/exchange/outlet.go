package exchange

import (
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/port"
)

// Outlet is the sending end of links to other processes. At the end of a phase of its thread it sends what an output holds, if it was
// written, or each value of an event or a buffered link.
type Outlet struct {
	Spec
	To      []string // processes that receive
	port    *port.Port
	queue   *lockfree.Queue // of an event or a buffered link
	value   *port.Port      // what is taken from the queue
	seen    uint64
	safe    *port.Port // holds the declared safe value; nil: there is none, or values are queued
	packet  []byte
	encoder *encoder // of an encoded link
	sender  Sender
	filler  link.Filler         // the sender, if it takes packets in place
	given   *port.Port          // what encode encodes
	encode  func(packet []byte) // for filler; made once
	Direct  bool                // of a ticked link: a reader waits for each activation, so each sends
	tick    clock.Time          // of the activation that sends
	leader  LeaderTime
	number  uint64 // of the last value of a ticked link
}

// Sender is the part of a [link.Sender] that an outlet uses.
type Sender interface {
	Forward(packet []byte, age time.Duration) error
	State() link.State
}

// NewOutlet returns the outlet of an allocated output or event.
func NewOutlet(spec Spec, port *port.Port) *Outlet {
	o := &Outlet{Spec: spec, port: port, packet: make([]byte, spec.Link().Size), encoder: newEncoder(&spec)}
	if spec.Depth == 0 {
		o.safe = port.SafeOutput()
		return o
	}
	o.value = port.Shadow()
	o.queue = NewQueue(len(o.value.Bytes()), spec.Depth, spec.Overflow)
	port.Push(o.queue)
	return o
}

// Bind makes the outlet send through a transport. It is called before the net runs.
func (o *Outlet) Bind(s Sender) {
	o.sender = s
	if o.Ticked == 0 && o.encoder == nil {
		o.filler, _ = s.(link.Filler)
	}
	o.encode = func(packet []byte) { o.given.Encode(packet) }
}

// State returns the state of this end of the link. Any goroutine may call it.
func (o *Outlet) State() link.State {
	s := unbound
	if o.sender != nil {
		s = o.sender.State()
	}
	if o.encoder != nil {
		o.encoder.describe(&s)
	}
	s.Name, s.From, s.To, s.Outgoing = o.Name, o.From, strings.Join(o.To, ", "), true
	return s
}

// unbound is the state of an end that no transport carries.
var unbound = link.State{Problem: "no transport carries this link"}

// Publish sends the values that were written since the last call. t is the nominal time of the activation that ends.
func (o *Outlet) Publish(t clock.Time, leader LeaderTime) {
	o.tick, o.leader = t, leader
	if o.queue != nil {
		for o.value.Take(o.queue) {
			o.number++
			o.emit(o.value, t)
		}
		return
	}
	switch n := *o.port.Count(); {
	case n != o.seen:
		o.seen = n
		o.number++
		o.emit(o.port, *o.port.Written())
	case o.Direct && n > 0: // for readers that wait
		o.emit(o.port, *o.port.Written())
	}
}

// Hold sends the declared safe value, if there is one, instead of the output's value: see [Channel.Hold].
func (o *Outlet) Hold(t clock.Time, leader LeaderTime) {
	if o.safe != nil {
		o.tick, o.leader = t, leader
		o.number++
		o.emit(o.safe, t)
	}
}

// Resume makes the next Publish send the output's value even if it was not written since: see [Channel.Resume].
func (o *Outlet) Resume() {
	if o.queue == nil && *o.port.Count() > 0 {
		o.seen = *o.port.Count() - 1
	}
}

// WithoutSafe returns the name of the output, as block.port, if receivers keep its last value while its thread hangs: it
// declares no safe value.
func (o *Outlet) WithoutSafe() (ref string, ok bool) {
	if o.queue != nil || o.safe != nil {
		return "", false
	}
	return o.port.Ref(), true
}

// emit sends a value that was written at a time.
func (o *Outlet) emit(p *port.Port, written clock.Time) {
	age := o.tick.Sub(written)
	switch {
	case o.filler != nil:
		o.given = p
		_ = o.filler.Fill(p.Size(), age, o.encode)
	case o.sender != nil:
		n := o.put(p)
		if o.Ticked > 0 {
			end := trailer{o.tick.Add(-o.leader.Ahead), written.Add(-o.leader.Ahead), o.number}
			if o.leader.Free {
				end.tick = noTick
			}
			end.put(o.packet[n:])
			n += trailerSize
		}
		o.send(o.packet[:n], age)
	}
}

// put writes a value into the packet and returns its length.
func (o *Outlet) put(p *port.Port) int {
	if o.encoder != nil {
		return o.encoder.encode(o.packet, p)
	}
	return p.Encode(o.packet)
}

// send sends a packet of an age. The sender's state reports failures.
func (o *Outlet) send(packet []byte, age time.Duration) { _ = o.sender.Forward(packet, age) }
