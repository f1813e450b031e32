package exchange

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/port"
)

// Inlet is the receiving end of a link from another process. At the start of a phase of its thread it takes what has come.
type Inlet struct {
	Spec
	To       string // process of this end
	Thread   int    // index of the thread that reads it
	Wakes    bool   // the thread is triggered by it
	shadow   *port.Port
	queues   []*lockfree.Queue
	packet   []byte
	receiver Receiver
	taker    link.Taker          // the receiver, if a bounded value is decoded from where it arrives
	decode   func(packet []byte) // for taker; made once
	failed   bool                // decode found no value

	malformed *atomic.Uint64 // packets whose bytes are no value of the type
}

// Receiver is the part of a [link.Receiver] that an inlet uses.
type Receiver interface {
	TryReceive(packet []byte) (link.Stamp, bool)
	State() link.State
}

// NewInlet returns the inlet of a process and a thread. shadow takes the values: see [port.Port.Shadow] and
// [port.Port.Source].
func NewInlet(spec Spec, to string, thread int, shadow *port.Port) *Inlet {
	return &Inlet{Spec: spec, To: to, Thread: thread, shadow: shadow, packet: make([]byte, spec.Size), malformed: &atomic.Uint64{}}
}

// Shadow returns the port that holds the newest value.
func (i *Inlet) Shadow() *port.Port { return i.shadow }

// Queue makes the input or handler p take each value from a queue of its own.
func (i *Inlet) Queue(p *port.Port) {
	q := NewQueue(len(i.shadow.Bytes()), i.Depth, i.Overflow)
	i.queues = append(i.queues, q)
	p.Drain(q)
}

// Bind makes the inlet receive from a transport. It is called before the net runs.
func (i *Inlet) Bind(r Receiver) {
	i.receiver = r
	if taker, ok := r.(link.Taker); ok && i.varies() && i.Depth == 0 {
		i.taker = taker
		i.decode = func(packet []byte) { i.failed = i.shadow.Decode(packet) != nil }
	}
}

// State returns the state of this end of the link. Any goroutine may call it.
func (i *Inlet) State() link.State {
	s := unbound
	if i.receiver != nil {
		s = i.receiver.State()
	}
	if n := i.malformed.Load(); n > 0 {
		s.Rejected += n
		if s.Problem == "" {
			s.Problem = fmt.Sprintf("%d packets were dropped: their bytes are no value of the port's type", n)
		}
	}
	s.Name, s.From, s.To = i.Name, i.From, i.To
	return s
}

// maxTaken bounds how many packets of a buffered link one activation takes.
const maxTaken = 256

// fetchInPlace takes the newest packet from where it has arrived. If that memory was damaged meanwhile, the value is left without
// elements rather than with those of two packets.
func (i *Inlet) fetchInPlace(now clock.Time) {
	before := *i.shadow.Count()
	stamp, ok := i.taker.Take(i.decode)
	switch {
	case ok && i.failed:
		i.malformed.Add(1)
	case ok:
		*i.shadow.Written() = now.Add(-stamp.Age)
	case *i.shadow.Count() != before:
		*i.shadow.Count() = before
		*i.shadow.Length() = 0
	}
}

// Fetch takes the packets that have arrived until now.
func (i *Inlet) Fetch(now clock.Time) {
	if i.taker != nil {
		i.fetchInPlace(now)
		return
	}
	for range maxTaken {
		age, n, ok := i.receive()
		if !ok {
			return
		}
		if i.shadow.Decode(i.packet[:n]) != nil {
			i.malformed.Add(1)
			return
		}
		*i.shadow.Written() = now.Add(-age)
		for _, q := range i.queues {
			q.Push(i.shadow.Present())
		}
		if i.Depth == 0 {
			return
		}
	}
}

// receive fills the first n bytes of the packet and returns how long ago it was sent, if there is a new one.
func (i *Inlet) receive() (age time.Duration, n int, ok bool) {
	if i.receiver == nil {
		return 0, 0, false
	}
	stamp, ok := i.receiver.TryReceive(i.packet)
	return stamp.Age, stamp.Size, ok
}
