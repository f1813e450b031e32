package exchange

import (
	"fmt"
	"math"
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
	To       string   // process of this end
	Thread   int      // index of the thread that reads it
	Wakes    bool     // the thread is triggered by it
	Links    []string // that it serves, as they are written
	shadow   *port.Port
	queues   []*lockfree.Queue
	packet   []byte
	receiver Receiver
	taker    link.Taker          // the receiver, if a bounded value is decoded from where it arrives
	decode   func(packet []byte) // for taker; made once
	failed   bool                // decode found no value

	decoder   *decoder       // of an encoded link
	malformed *atomic.Uint64 // packets whose bytes are no value of the type

	grid    *Grid          // of a ticked link
	early   []byte         // the packet that was taken from the transport before its tick; nil: none
	age     time.Duration  // of the value in the last packet, when that was taken from the transport
	source  clock.Time     // tick of the sender up to which the last activation took packets
	now     clock.Time     // of the last activation
	running bool           // there was one
	number  uint64         // of the last value; 0: none
	written clock.Time     // of the last value
	done    clock.Time     // tick of the last packet
	late    *atomic.Uint64 // packets that came after the activation that should have taken them, or never
}

// Receiver is the part of a [link.Receiver] that an inlet uses.
type Receiver interface {
	TryReceive(packet []byte) (link.Stamp, bool)
	State() link.State
}

// NewInlet returns the inlet of a process and a thread. shadow takes the values: see [port.Port.Shadow] and
// [port.Port.Source]. grid decides which packets of a ticked link an activation takes.
func NewInlet(spec Spec, to string, thread int, shadow *port.Port, grid *Grid) *Inlet {
	return &Inlet{
		Spec: spec, To: to, Thread: thread, shadow: shadow, grid: grid, packet: make([]byte, spec.Link().Size),
		decoder: newDecoder(&spec), malformed: &atomic.Uint64{}, late: &atomic.Uint64{},
	}
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
	if taker, ok := r.(link.Taker); ok && i.varies() && i.Depth == 0 && i.Ticked == 0 && i.decoder == nil {
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
	s.Name, s.From, s.To, s.Late = i.Name, i.From, i.To, i.late.Load()
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

// Fetch takes the packets that the activation at now reads: those that have arrived, on a ticked link up to the tick that the grid
// decides. late describes the packets that are taken at another tick than their own, and those that were lost on their way; waits reports
// whether the link is direct and the packet of the tick has not come.
func (i *Inlet) Fetch(now clock.Time, leader LeaderTime) (late Late, waits bool) {
	switch {
	case i.grid != nil:
		return i.fetchTicks(now, leader)
	case i.taker != nil:
		i.fetchInPlace(now)
	default:
		i.fetchNewest(now)
	}
	return Late{}, false
}

func (i *Inlet) fetchNewest(now clock.Time) {
	for range maxTaken {
		stamp, ok := i.receive()
		if !ok || !i.decodeValue(i.packet[:stamp.Size]) {
			return
		}
		*i.shadow.Written() = now.Add(-stamp.Age)
		i.push()
		if i.Depth == 0 {
			return
		}
	}
}

// fetchTicks takes packets up to the tick that is read at now. A packet of a later tick is kept for a later activation, but where this
// process or the sender's runs free: then ticks say nothing, and a kept value would only get old.
func (i *Inlet) fetchTicks(now clock.Time, leader LeaderTime) (late Late, waits bool) {
	source := i.grid.Source(now.Add(-leader.Ahead))
	for range maxTaken {
		if i.early == nil {
			stamp, ok := i.receive()
			if !ok {
				break
			}
			i.early, i.age = i.packet[:stamp.Size], stamp.Age
		}
		value, t, ok := split(i.early)
		if ok && !leader.Free && t.tick > source && t.tick.Sub(source) < i.grid.horizon() {
			break
		}
		i.early = nil
		if !ok {
			i.malformed.Add(1)
			continue
		}
		i.addMissed(&late, t, source, now)
		written := t.written.Add(leader.Ahead)
		if leader.Free || t.tick == noTick {
			written = now.Add(-i.age)
		}
		if i.renewed(t, source) && i.decodeValue(value) {
			*i.shadow.Written() = written
			i.push()
		}
	}
	i.late.Add(uint64(late.Count))
	i.source, i.now, i.running = source, now, true
	return late, i.grid.Direct && !leader.Free && i.receiver != nil && i.early == nil && i.done < source
}

// addMissed adds what a packet that is taken at now shows: values before it were lost on their way; and it is not read in the activation that
// its tick determines. The activation that waits for a packet is that one.
func (i *Inlet) addMissed(late *Late, t trailer, source, now clock.Time) {
	if i.number > 0 && t.number > i.number+1 {
		next := i.done.Add(i.grid.Sender.Period)
		late.add(int(min(t.number-i.number-1, math.MaxInt32)), next, max(next, t.tick.Add(-i.grid.Sender.Period)))
	}
	switch {
	case t.tick == noTick:
		late.add(1, source, source)
	case t.tick > source || i.running && t.tick <= i.source && now != i.now:
		late.add(1, t.tick, t.tick)
	}
}

// renewed notes a packet, and reports whether it holds another value than the one before. A direct link repeats a value for readers that wait; after
// a restart the sender's numbers or its ticks begin again.
func (i *Inlet) renewed(t trailer, source clock.Time) bool {
	if t.tick == noTick {
		t.tick = source
	}
	repeated := i.grid.Direct && i.Depth == 0 && t.number == i.number && t.written == i.written && t.tick > i.done
	i.done, i.number, i.written = t.tick, t.number, t.written
	return !repeated
}

// decodeValue puts the value of a packet into the shadow.
func (i *Inlet) decodeValue(packet []byte) bool {
	ok := false
	if i.decoder != nil {
		ok = i.decoder.decode(packet, i.shadow)
	} else {
		ok = i.shadow.Decode(packet) == nil
	}
	if !ok {
		i.malformed.Add(1)
	}
	return ok
}

// push hands the shadow's value to the queues of inputs and handlers.
func (i *Inlet) push() {
	for _, q := range i.queues {
		q.Push(i.shadow.Present())
	}
}

// Grid returns by which ticks the inlet takes packets; nil: it takes what has come.
func (i *Inlet) Grid() *Grid { return i.grid }

// receive takes a packet, if there is a new one, and describes it.
func (i *Inlet) receive() (link.Stamp, bool) {
	if i.receiver == nil {
		return link.Stamp{}, false
	}
	return i.receiver.TryReceive(i.packet)
}
