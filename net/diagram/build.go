package diagram

import (
	"slices"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Build checks the diagram and flattens it into a net. The error is of type [Errors] and tells all that is wrong.
// A diagram can be built once.
func (d *Diagram) Build() (*Net, error) {
	d.links = slices.DeleteFunc(d.links, func(l *link) bool { return !d.resolve(l) })
	d.spreadLengths()
	d.checkFormats()
	d.checkInputs()
	d.checkFollowers()
	d.checkWires()
	if len(d.errs) > 0 {
		return nil, d.errs
	}
	net := &Net{Name: d.name}
	for _, b := range d.blocks {
		if d.here(b.thread) {
			net.Blocks = append(net.Blocks, b.Instance)
		}
	}
	where := map[*placed][]stepRef{}
	for _, t := range d.threads {
		if t.index = -1; !d.here(t) {
			continue
		}
		t.index = len(net.Threads)
		plan := &ThreadPlan{Thread: t.Thread, Index: t.index}
		for _, b := range t.blocks {
			plan.Blocks = append(plan.Blocks, b.Instance)
		}
		for _, n := range d.order(t) {
			where[n.block] = append(where[n.block], stepRef{plan, len(plan.Steps), n.part})
			plan.Steps = append(plan.Steps, newStep(n))
		}
		net.Threads = append(net.Threads, plan)
	}
	d.bind(net)
	f := &flattener{
		d: d, net: net, where: where, channels: map[[2]int]*Channel{}, wakes: map[[2]int]*Wake{},
		inlets: map[wireKey]*Inlet{}, outlets: map[wireKey]*Outlet{},
	}
	f.links()
	f.beats()
	if len(d.errs) > 0 {
		return nil, d.errs
	}
	net.Foreign = d.foreignPlans()
	return net, nil
}

func newStep(n *node) Step {
	s := Step{
		Block: n.block.Instance, Part: n.part, Run: stepper(n.block.Block, n.part),
		Every: n.block.Every, Offset: n.block.Offset,
	}
	for _, p := range n.block.Ports {
		if p.Part != n.part || p.Kind.IsSource() {
			continue
		}
		if p.Trigger {
			s.Triggers = append(s.Triggers, p.Fresh())
		}
		if p.Kind == block.HandlerPort {
			s.Handlers = append(s.Handlers, p)
		}
	}
	return s
}

// stepRef is where in the order a part of a block stands.
type stepRef struct {
	thread *ThreadPlan
	index  int
	part   block.Part
}

// flattener turns links into memory that is shared, transfers, channels and queues.
type flattener struct {
	d        *Diagram
	net      *Net
	where    map[*placed][]stepRef
	channels map[[2]int]*Channel
	wakes    map[[2]int]*Wake
	inlets   map[wireKey]*Inlet
	outlets  map[wireKey]*Outlet
}

func (f *flattener) links() {
	for _, l := range f.d.links {
		from, to := f.d.byName[l.From.Block], f.d.byName[l.To.Block]
		plan := LinkPlan{Link: l.Link, Source: l.from, Target: l.to, Wire: f.wire(l), ToProcess: f.process(l.To)}
		if l.isForeign() || !f.here(from) || !f.here(to) {
			f.remote(l, plan.Wire, from, to)
			f.net.Links = append(f.net.Links, plan)
			continue
		}
		source := l.from
		if from.thread != to.thread {
			f.wake(from.thread, to.thread, l)
		}
		switch {
		case l.from.Kind == block.EventPort:
			f.event(l, from, to)
		case l.Buffer > 0:
			plan.Queued = f.queue(l, from, to)
		case from.thread != to.thread:
			source = f.channel(from.thread, to.thread).add(l.from)
			f.connect(l, source, to)
		default:
			f.connect(l, source, to)
		}
		f.net.Links = append(f.net.Links, plan)
	}
	for _, t := range f.net.Threads {
		for _, c := range t.Exports {
			c.open()
		}
	}
}

// connect makes an input read source, which lies in its own thread.
func (f *flattener) connect(l *link, source *block.Port, to *placed) {
	plain := l.From.Elements == nil && l.To.Elements == nil && l.Every <= 1 && l.Pause == 0 && !l.Delay
	if plain && l.to.Alias(source) {
		f.expire(l, source.Written(), to)
		return
	}
	t := newTransfer(l, source)
	f.expire(l, &t.carried, to)
	if l.Delay || len(f.where[to]) == 0 {
		plan := f.net.Threads[to.thread.index]
		plan.Delayed = append(plan.Delayed, t)
		return
	}
	ref := f.stepOf(to, l.to)
	step := &ref.thread.Steps[ref.index]
	step.Transfers = append(step.Transfers, t)
}

// expire makes the parts of a block that read the link's input rest while its value is too old.
func (f *flattener) expire(l *link, written *clock.Time, to *placed) {
	if l.Timeout == 0 {
		return
	}
	for _, ref := range f.where[to] {
		if l.to.Part == block.Whole || l.to.Part == ref.part {
			step := &ref.thread.Steps[ref.index]
			step.Timeouts = append(step.Timeouts, newTimeout(l, written))
		}
	}
}

// stepOf returns the part of the block that reads the port; the first one for its enable input.
func (f *flattener) stepOf(b *placed, p *block.Port) stepRef {
	refs := f.where[b]
	for _, ref := range refs {
		if ref.part == p.Part {
			return ref
		}
	}
	return refs[0]
}

func (f *flattener) event(l *link, from, to *placed) {
	if from.thread == to.thread {
		if !l.to.Subscribe(l.from, nil) {
			f.d.fail(l.Source, "link %v: the event carries %s, but the handler takes %s", l, l.from.Type.Name(), l.to.Type.Name())
		}
		return
	}
	if l.to.AtOnce() {
		f.d.fail(l.Source, "link %v: %s handles its events at once, so both blocks must be in one thread: they are in %q and %q",
			l, l.To, from.thread.Name, to.thread.Name)
		return
	}
	size := len(l.from.Bytes())
	q := lockfree.NewQueue(lockfree.Memory(lockfree.QueueSize(size, block.MaxPendingEvents)), size,
		block.MaxPendingEvents, lockfree.DropOldest)
	if !l.to.Subscribe(l.from, q) {
		f.d.fail(l.Source, "link %v: the event carries %s, but the handler takes %s", l, l.from.Type.Name(), l.to.Type.Name())
	}
	plan := f.net.Threads[to.thread.index]
	if !slices.Contains(plan.Events, l.to) {
		plan.Events = append(plan.Events, l.to)
	}
}

func (f *flattener) queue(l *link, from, to *placed) *lockfree.Queue {
	size := len(l.from.Bytes())
	q := lockfree.NewQueue(lockfree.Memory(lockfree.QueueSize(size, l.Buffer)), size, l.Buffer, l.Overflow)
	l.to.Buffer(l.from, q)
	if from.thread == to.thread && len(f.where[to]) > 0 {
		ref := f.stepOf(to, l.to)
		step := &ref.thread.Steps[ref.index]
		step.Refills = append(step.Refills, l.to)
	} else {
		plan := f.net.Threads[to.thread.index]
		plan.Queued = append(plan.Queued, l.to)
	}
	return q
}

// channel returns the channel from one thread to another.
func (f *flattener) channel(from, to *thread) *Channel {
	key := [2]int{from.index, to.index}
	if f.channels[key] == nil {
		c := &Channel{From: from.index, To: to.index}
		f.channels[key] = c
		f.net.Threads[from.index].Exports = append(f.net.Threads[from.index].Exports, c)
		f.net.Threads[to.index].Imports = append(f.net.Threads[to.index].Imports, c)
	}
	return f.channels[key]
}

// wake makes a triggered thread run when the source of the link was written. Where any of the thread's blocks
// declares triggers, only links to those wake it.
func (f *flattener) wake(from, to *thread, l *link) {
	if !to.Triggered || declaresTriggers(to) && !l.to.Trigger {
		return
	}
	key := [2]int{from.index, to.index}
	if f.wakes[key] == nil {
		w := &Wake{Thread: to.index}
		f.wakes[key] = w
		f.net.Threads[from.index].Wakes = append(f.net.Threads[from.index].Wakes, w)
	}
	f.wakes[key].counts = append(f.wakes[key].counts, l.from.Count())
}

func declaresTriggers(t *thread) bool {
	for _, b := range t.blocks {
		for _, p := range b.Ports {
			if p.Trigger {
				return true
			}
		}
	}
	return false
}
