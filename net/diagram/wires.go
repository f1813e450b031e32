package diagram

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/block"
)

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
