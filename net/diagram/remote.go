package diagram

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/internal/nearest"
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

// foreign is a block that is a program of its own, in any language.
type foreign struct {
	name, process string
	in, out       []string
}

// Foreign places a block that is a program of its own: a process, with ports of the given names. Its ports have the types of
// what they are linked to.
func (d *Diagram) Foreign(name, process string, in, out []string, source string) {
	switch {
	case d.byName[name] != nil || d.foreign[name] != nil:
		d.fail(source, "block %q is there twice", name)
	default:
		d.foreign[name] = &foreign{name, process, in, out}
	}
}

// foreignPlans tells what the ports of foreign blocks are called on the wire.
func (d *Diagram) foreignPlans() (plans []ForeignPlan) {
	for _, name := range slices.Sorted(maps.Keys(d.foreign)) {
		f := d.foreign[name]
		plan := ForeignPlan{Name: name, Process: f.process}
		for _, port := range f.out {
			plan.Ports = append(plan.Ports, ForeignPort{Name: port, Wire: name + "." + port, Output: true})
		}
		for _, l := range d.links {
			if l.To.Block == name {
				plan.Ports = append(plan.Ports, ForeignPort{Name: l.To.Port, Wire: l.wireName()})
			}
		}
		plans = append(plans, plan)
	}
	return plans
}

// wireName is what a link is called between processes.
func (l *link) wireName() string {
	name := l.From.Block + "." + l.From.Port
	switch {
	case l.from != nil && l.from.Kind == block.EventPort || l.to != nil && l.to.Kind == block.HandlerPort:
		name += fmt.Sprintf(".%d", block.MaxPendingEvents)
	case l.Buffer > 0:
		name += fmt.Sprintf(".%d", l.Buffer)
	}
	return name
}

// resolveForeign finds the ends of a link of which at least one is a port of a foreign block.
func (d *Diagram) resolveForeign(l *link) bool {
	ok := true
	side := func(e End, output bool) *block.Port {
		f := d.foreign[e.Block]
		if f == nil {
			p := d.find(l, e)
			if ok = ok && p != nil; p != nil && p.Kind.IsSource() != output {
				d.fail(l.Source, "link %v: %s is an %v", l, e, p.Kind)
				ok = false
			}
			return p
		}
		names, what := f.in, "input"
		if output {
			names, what = f.out, "output"
		}
		if !slices.Contains(names, e.Port) {
			d.fail(l.Source, "link %v: the foreign block %q has no %s %q%s", l, e.Block, what, e.Port, nearest.Hint(e.Port, names))
			ok = false
		}
		if e.Elements != nil {
			d.fail(l.Source, "link %v: of a foreign block's port only all of it can be linked", l)
			ok = false
		}
		return nil
	}
	l.from, l.to = side(l.From, true), side(l.To, false)
	return ok
}

// checkForeign tells what a link to a foreign block cannot carry.
func (d *Diagram) checkForeign(l *link) {
	p := l.from
	if p == nil {
		p = l.to
	}
	if p == nil {
		return // between two foreign blocks: they know themselves
	}
	if p.Type.Kind() == schema.Slice && p.Len() == 0 {
		d.fail(l.Source, "link %v: nothing says how many elements it carries: set the length of %s", l, p.Ref())
	}
	if l.Timeout > 0 && l.to == nil {
		d.fail(l.Source, "link %v: the program of %s itself asks how old what it receives is: a time-out is for the inputs of blocks", l, l.To.Block)
	}
	if l.Delay || l.Every > 1 || l.Pause > 0 || l.From.Elements != nil || l.To.Elements != nil {
		d.fail(l.Source, "link %v: a link of a foreign block carries whole values, each when it comes", l)
	}
}

// wireNames are those that every transport takes: they become names of files.
var wireNames = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$`)

// checkWires tells which links between processes cannot have the name of their source.
func (d *Diagram) checkWires() {
	process := func(e End) string {
		if f := d.foreign[e.Block]; f != nil {
			return f.process
		}
		if b := d.byName[e.Block]; b.thread != nil {
			return b.thread.Process
		}
		return ""
	}
	for _, l := range d.links {
		if from, to := process(l.From), process(l.To); from != to && !wireNames.MatchString(l.wireName()) {
			d.fail(l.Source, "link %v leads from process %q to %q, where it has the name of its source: %q wants letters, digits, _ and -, at most 200 of them",
				l, from, to, l.From.Block)
		}
	}
}

// wireKey identifies the end of a wire in this process.
type wireKey struct {
	name   string
	thread int
}

func (f *flattener) here(b *placed) bool { return f.d.here(b.thread) }

// process returns where an end of a link is.
func (f *flattener) process(e End) string {
	if x := f.d.foreign[e.Block]; x != nil {
		return x.process
	}
	return f.d.byName[e.Block].thread.Process
}

// wire describes what a link carries when its ends are in two processes. Between two foreign blocks only they know its type.
func (f *flattener) wire(l *link) Wire {
	wire := Wire{Name: l.wireName(), From: f.process(l.From)}
	port := l.from
	if port == nil {
		port = l.to
	}
	if port == nil {
		return wire
	}
	wire.Type, wire.Size = port.Type, port.Layout().Size()
	switch {
	case port.Kind == block.EventPort || port.Kind == block.HandlerPort:
		wire.Depth = block.MaxPendingEvents
	case l.Buffer > 0:
		wire.Depth, wire.Overflow = l.Buffer, l.Overflow
	}
	return wire
}

// remote makes the ends here of a link that leaves a process.
func (f *flattener) remote(l *link, wire Wire, from, to *placed) {
	if l.from != nil && f.here(from) {
		f.outlet(wire, l, from)
	} else if l.to != nil && f.here(to) {
		f.inlet(wire, l, to)
	}
}

// outlet adds the process of a link's target to those that an outlet sends to.
func (f *flattener) outlet(wire Wire, l *link, from *placed) {
	key := wireKey{wire.Name, from.thread.index}
	o := f.outlets[key]
	if o == nil {
		o = &Outlet{Wire: wire, port: l.from, packet: make([]byte, wire.Size)}
		if wire.Depth > 0 {
			o.value = l.from.Shadow()
			size := len(o.value.Bytes())
			o.queue = lockfree.NewQueue(lockfree.Memory(lockfree.QueueSize(size, wire.Depth)), size, wire.Depth, wire.Overflow)
			l.from.Push(o.queue)
		}
		f.outlets[key] = o
		plan := f.net.Threads[from.thread.index]
		plan.Outlets = append(plan.Outlets, o)
		f.net.Outlets = append(f.net.Outlets, o)
	}
	if to := f.process(l.To); !slices.Contains(o.To, to) {
		o.To = append(o.To, to)
	}
}

// inlet makes an input or handler take what comes from another process.
func (f *flattener) inlet(wire Wire, l *link, to *placed) {
	key := wireKey{wire.Name, to.thread.index}
	plan := f.net.Threads[to.thread.index]
	i := f.inlets[key]
	if i == nil {
		i = &Inlet{Wire: wire, To: to.thread.Process, Thread: to.thread.index, packet: make([]byte, wire.Size)}
		if l.from != nil {
			i.shadow = l.from.Shadow()
		} else {
			i.shadow = l.to.Source()
		}
		f.inlets[key] = i
		plan.Inlets = append(plan.Inlets, i)
		f.net.Inlets = append(f.net.Inlets, i)
	}
	if to.thread.Triggered && (!declaresTriggers(to.thread) || l.to.Trigger) {
		i.Wakes = true
	}
	if wire.Depth == 0 {
		f.connect(l, i.shadow, to)
		return
	}
	size := len(i.shadow.Bytes())
	if l.from != nil && size != len(l.to.Bytes()) {
		f.d.fail(l.Source, "link %v: %s carries %s, but %s takes %s", l, l.From, l.from.Type.Name(), l.To, l.to.Type.Name())
		return
	}
	q := lockfree.NewQueue(lockfree.Memory(lockfree.QueueSize(size, wire.Depth)), size, wire.Depth, wire.Overflow)
	i.queues = append(i.queues, q)
	l.to.Drain(q)
	if l.to.Kind == block.HandlerPort {
		if !slices.Contains(plan.Events, l.to) {
			plan.Events = append(plan.Events, l.to)
		}
		return
	}
	plan.Queued = append(plan.Queued, l.to)
}
