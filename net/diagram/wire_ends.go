package diagram

import (
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/schema"
)

// Wire is what the two ends of a link between processes agree on. Its packets are CDR.
type Wire struct {
	Name     string       // of its source, block.port; of a buffered link with the depth behind it
	Type     *schema.Type // of a packet
	Size     int          // of a packet, in bytes
	Depth    int          // packets that may wait; 0: the newest counts
	Overflow Overflow
	From     string // process of its source
}

// WireState is what an end of a wire knows of it: the fields of link.State.
type WireState struct {
	Connected bool          // somebody is at the other end
	Packets   uint64        // sent, or received
	Lost      uint64        // never came, or were refused
	Stale     uint64        // came late or twice, and were dropped
	Rejected  uint64        // came from a stranger, or malformed
	Age       time.Duration // since the newest was sent, at the receiving end; 0 before it
	Problem   string        // why it is not connected, in words
}

// Outlet is the end of links to other processes: it sends what an output holds at the end of an activation, if it was
// written, or each value of an event or a buffered link.
type Outlet struct {
	Wire
	To     []string // processes that receive
	port   *block.Port
	queue  *lockfree.Queue // of an event or a buffered link
	value  *block.Port     // what is taken from the queue
	seen   uint64
	packet []byte
	send   func(packet []byte)
	state  func() WireState
}

// Bind makes the outlet send through a transport, before the run. state may be asked from any goroutine.
func (o *Outlet) Bind(send func(packet []byte), state func() WireState) {
	o.send, o.state = send, state
}

// State tells about the wire.
func (o *Outlet) State() WireState { return stateOf(o.state) }

// stateOf asks a transport for the state of an end, where there is one.
func stateOf(state func() WireState) WireState {
	if state == nil {
		return WireState{Problem: "no transport carries this link"}
	}
	return state()
}

// Publish sends what is new.
func (o *Outlet) Publish(clock.Time) {
	if o.queue != nil {
		for o.queue.Pop(o.value.Bytes()) {
			o.emit(o.value)
		}
		return
	}
	if n := *o.port.Count(); n != o.seen {
		o.seen = n
		o.emit(o.port)
	}
}

func (o *Outlet) emit(p *block.Port) {
	if o.send != nil {
		p.Encode(o.packet)
		o.send(o.packet)
	}
}

// Inlet is the end of a link from another process: it takes what has come at the start of an activation.
type Inlet struct {
	Wire
	To      string // the process it is in
	Thread  int    // that reads it
	Wakes   bool   // the thread is triggered by it
	shadow  *block.Port
	queues  []*lockfree.Queue
	packet  []byte
	receive func(packet []byte) (age time.Duration, ok bool)
	state   func() WireState
}

// Bind makes the inlet receive from a transport, before the run: receive fills the packet and tells how long ago it was
// sent, if it has a new one. state may be asked from any goroutine.
func (i *Inlet) Bind(receive func(packet []byte) (age time.Duration, ok bool), state func() WireState) {
	i.receive, i.state = receive, state
}

// State tells about the wire.
func (i *Inlet) State() WireState { return stateOf(i.state) }

// maxTaken bounds how many packets of a buffered link one activation takes.
const maxTaken = 256

// Fetch takes what has come until now.
func (i *Inlet) Fetch(now clock.Time) {
	if i.receive == nil {
		return
	}
	for range maxTaken {
		age, ok := i.receive(i.packet)
		if !ok || i.shadow.Decode(i.packet) != nil {
			return
		}
		*i.shadow.Written() = now.Add(-age)
		for _, q := range i.queues {
			q.Push(i.shadow.Bytes())
		}
		if i.Depth == 0 {
			return
		}
	}
}
