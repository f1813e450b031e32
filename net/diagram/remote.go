package diagram

import (
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/sinew-robotics/sinew/net/exchange"
	netlink "github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/port"
)

// linkName returns the name of a link between processes.
func (d *Diagram) linkName(l *link) string {
	name := l.From.Block + "." + l.From.Port
	switch {
	case l.from != nil && l.from.Kind == port.Event || l.to != nil && l.to.Kind == port.Handler:
		name += fmt.Sprintf(".%d", port.MaxPendingEvents)
	case l.Buffer > 0:
		name += fmt.Sprintf(".%d", l.Buffer)
	}
	if g := d.grid(l); g != nil {
		name += fmt.Sprintf(".t%d", waiting(g))
	}
	if l.Encode != nil {
		options := fnv.New32a()
		_, _ = options.Write([]byte(l.Encode.String())) // never fails
		name += fmt.Sprintf(".%s-%08x", l.Encode.Name, options.Sum32())
	}
	return name
}

// checkNames reports links between processes that cannot have the name of their source.
func (d *Diagram) checkNames() {
	for _, l := range d.links {
		if from, to := d.processOf(l.From), d.processOf(l.To); from != to && !netlink.IsName(d.linkName(l)) {
			d.fail(l.Source, "link %v leads from process %q to %q, where it has the name of its source: %q wants letters, digits, _ and -, at most %d of them",
				l, from, to, l.From.Block, netlink.MaxName)
		}
	}
}

// processOf returns the process of an end of a link; "" where its thread is missing.
func (d *Diagram) processOf(e End) string {
	if f := d.foreign[e.Block]; f != nil {
		return f.process
	}
	if b := d.byName[e.Block]; b.thread != nil {
		return b.thread.Process
	}
	return ""
}

// endKey identifies the end of a link in this process.
type endKey struct {
	name   string
	thread int
	phase  int // of the thread
	direct bool
}

func (f *flattener) here(b *placed) bool { return f.d.here(b.thread) }

// spec describes the packets of a link whose ends are in two processes. Between two foreign blocks only they know its type.
func (f *flattener) spec(l *link) exchange.Spec {
	spec := exchange.Spec{Name: f.d.linkName(l), From: f.d.processOf(l.From), Priority: l.Priority, Encoded: l.Encode}
	p := l.from
	if p == nil {
		p = l.to
	}
	if p == nil {
		return spec
	}
	spec.Type, spec.Size = p.Type, p.Layout().Size()
	if l.Encode != nil {
		spec.Layout = p.Layout()
	}
	switch {
	case p.Kind == port.Event || p.Kind == port.Handler:
		spec.Depth = port.MaxPendingEvents
	case l.Buffer > 0:
		spec.Depth, spec.Overflow = l.Buffer, l.Overflow
	}
	if g := f.d.grid(l); g != nil {
		spec.Ticked = waiting(g)
	}
	return spec
}

// remote makes the ends here of a link that leaves a process.
func (f *flattener) remote(l *link, spec exchange.Spec, from, to *placed) {
	if l.from != nil && f.here(from) {
		f.outlet(spec, l, from)
	} else if l.to != nil && f.here(to) {
		f.inlet(spec, l, to)
	}
}

// outlet adds the process of a link's target to those that an outlet sends to.
func (f *flattener) outlet(spec exchange.Spec, l *link, from *placed) {
	after, phase := f.written(from, l.from)
	key := endKey{spec.Name, from.thread.index, after, false}
	o := f.outlets[key]
	if o == nil {
		o = exchange.NewOutlet(spec, l.from)
		f.outlets[key] = o
		phase.Outlets = append(phase.Outlets, o)
		f.net.Outlets = append(f.net.Outlets, o)
	}
	if to := f.d.processOf(l.To); !slices.Contains(o.To, to) {
		o.To = append(o.To, to)
	}
	o.Direct = o.Direct || l.Direct && spec.Ticked > 0
}

// inlet makes an input or handler take what comes from another process.
func (f *flattener) inlet(spec exchange.Spec, l *link, to *placed) {
	before, phase := f.read(to, l.to)
	key := endKey{spec.Name, to.thread.index, before, l.Direct}
	i := f.inlets[key]
	if i == nil {
		var shadow *port.Port
		if l.from != nil {
			shadow = l.from.Shadow()
		} else {
			shadow = l.to.Source()
		}
		i = exchange.NewInlet(spec, to.thread.Process, to.thread.index, shadow, f.d.grid(l))
		f.inlets[key] = i
		phase.Inlets = append(phase.Inlets, i)
		f.net.Inlets = append(f.net.Inlets, i)
	}
	i.Links = append(i.Links, l.String())
	if to.thread.Triggered && (!declaresTriggers(to.thread) || l.to.Trigger) {
		i.Wakes = true
	}
	if spec.Depth == 0 {
		f.connect(l, i.Shadow(), nil, to)
		return
	}
	if l.from != nil && !l.to.Bounded() && len(i.Shadow().Bytes()) != len(l.to.Bytes()) {
		f.d.fail(l.Source, "link %v: %s carries %s, but %s takes %s", l, l.From, l.from.Type.Name(), l.To, l.to.Type.Name())
		return
	}
	i.Queue(l.to)
	if l.to.Kind == port.Handler {
		f.collect(l.to, to)
		return
	}
	phase.Queued = append(phase.Queued, l.to)
}
