package diagram

import (
	"slices"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/exchange"
	"github.com/sinew-robotics/sinew/net/port"
)

// Build checks the diagram and flattens it into a net. The error is of type [Errors] and lists everything that is wrong.
// A diagram can be built once.
func (d *Diagram) Build() (*Net, error) {
	if d.full { // more errors would not help
		return nil, d.faults.Errors()
	}
	d.linkGroups()
	linked := d.linkedEnds()
	faulty := map[string]bool{} // inputs, as block.port, of links that are not in order
	d.links = slices.DeleteFunc(d.links, func(l *link) bool {
		if l.replaced {
			return true
		}
		found := d.resolve(l)
		if !found {
			faulty[l.To.Block+"."+l.To.Port] = true
		}
		return !found
	})
	d.spreadLengths()
	if d.checkMemory() {
		d.allocate()
	}
	d.checkFormats()
	d.checkInputs()
	if d.requires {
		d.checkRequired(faulty)
	}
	d.checkFollowers()
	d.checkLevels()
	d.checkTuned()
	d.checkGroupPorts(linked)
	d.checkNames()
	if d.faults.Any() {
		return nil, d.faults.Errors()
	}
	late := d.lateInputs()
	net := &Net{Name: d.name, Groups: d.groupList, Levels: map[string]int{}, Notices: append(d.notices(), d.restartNotices()...)}
	for _, l := range late {
		if d.here(d.byName[l.Port.Block.Name].thread) {
			net.Late = append(net.Late, l)
		}
	}
	for _, u := range d.unlinked() {
		if d.here(d.byName[u.Port.Block.Name].thread) {
			net.Unlinked = append(net.Unlinked, u)
		}
	}
	for _, b := range d.blocks {
		if d.here(b.thread) {
			net.Blocks = append(net.Blocks, b.Instance)
			if around := d.around(b.Name); len(around) > 0 && around[len(around)-1].Levels > 0 {
				net.Levels[b.Name] = b.Level
			}
		}
	}
	if d.tuned != nil {
		net.Tuned = d.tuned.File
	}
	net.Kept = d.kept
	net.Notices = append(net.Notices, d.keptNotices(net)...)
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
		plan.Phases = make([]Phase, 1, 2)
		for _, n := range d.order(t) {
			if n.block == nil {
				if !n.turn {
					continue
				}
				plan.Phases[0].End = len(plan.Steps)
				plan.Phases = append(plan.Phases, Phase{})
				continue
			}
			where[n.block] = append(where[n.block], stepRef{plan, len(plan.Steps), n.part, len(plan.Phases) - 1})
			plan.Steps = append(plan.Steps, newStep(n))
		}
		plan.Phases[len(plan.Phases)-1].End = len(plan.Steps)
		net.Threads = append(net.Threads, plan)
	}
	d.bind(net)
	f := &flattener{
		d: d, net: net, where: where, channels: map[channelKey]*exchange.Channel{}, wakes: map[wakeKey]*exchange.Wake{},
		inlets: map[endKey]*exchange.Inlet{}, outlets: map[endKey]*exchange.Outlet{}, handlers: map[*port.Port]bool{},
	}
	f.links()
	f.ticks()
	if d.faults.Any() {
		return nil, d.faults.Errors()
	}
	net.Foreign = d.foreignPlans()
	return net, nil
}

func newStep(n *node) Step {
	s := Step{
		Block: n.block.Instance, Part: n.part, Run: stepper(n.block.Block, n.part),
		Every: n.block.Every, Offset: n.block.Offset,
	}
	if n.block.restarts {
		s.Restart, _ = n.block.Block.(block.Restarter)
	}
	s.Rising = n.block.Trigger != nil
	for _, p := range n.block.Ports {
		if p.Part != n.part || p.Kind.IsSource() {
			continue
		}
		if p.Trigger && p != n.block.Trigger {
			s.Triggers = append(s.Triggers, p.Progress())
		}
		if p.Deferred() {
			s.Handlers = append(s.Handlers, p)
		}
	}
	return s
}

// stepRef is where in the order a part of a block stands.
type stepRef struct {
	thread *ThreadPlan
	index  int
	part   port.Part
	phase  int // of the thread
}

// channelKey identifies a channel: its threads, the phase of the one after which it is published, that of the other before which it is
// fetched, and the grid by which; without one the newest wins.
type channelKey struct {
	from, to, after, before int
	grid                    exchange.Grid
}

// wakeKey identifies a wake: the thread that wakes, after which of its phases, and the thread that is woken.
type wakeKey struct{ from, after, to int }

// flattener turns links into shared memory and what package exchange moves.
type flattener struct {
	d        *Diagram
	net      *Net
	where    map[*placed][]stepRef
	channels map[channelKey]*exchange.Channel
	wakes    map[wakeKey]*exchange.Wake
	inlets   map[endKey]*exchange.Inlet
	outlets  map[endKey]*exchange.Outlet
	handlers map[*port.Port]bool // that collect events from other threads
}

func (f *flattener) links() {
	for _, l := range f.d.links {
		from, to := f.d.byName[l.From.Block], f.d.byName[l.To.Block]
		plan := LinkPlan{Link: l.Link, Source: l.from, Target: l.to, Grid: f.d.grid(l), Spec: f.spec(l), ToProcess: f.d.processOf(l.To)}
		if l.from == nil || l.from.Kind != port.Event {
			plan.Interval = f.d.written(l)
		}
		plan.Exchange = f.d.exchange(l, plan.Grid)
		if l.isForeign() || !f.here(from) || !f.here(to) {
			f.remote(l, plan.Spec, from, to)
			f.net.Links = append(f.net.Links, plan)
			continue
		}
		source, recoding := l.from, (*exchange.Recoding)(nil)
		if from.thread != to.thread {
			f.wake(from, to, l)
		}
		switch {
		case l.from.Kind == port.Event:
			f.event(l, from, to)
		case l.Buffer > 0:
			plan.Queued = f.queue(l, from, to)
		default:
			if from.thread != to.thread {
				source = f.channel(l, from, to).Add(l.from)
			}
			if l.Encode != nil {
				recoding = exchange.NewRecoding(plan.Spec, source)
				f.net.Recodings = append(f.net.Recodings, recoding)
				source = recoding.Value()
			}
			f.connect(l, source, recoding, to)
		}
		f.net.Links = append(f.net.Links, plan)
	}
	for _, t := range f.net.Threads {
		for _, p := range t.Phases {
			for _, c := range p.Exports {
				c.Open()
			}
		}
	}
}

// written returns the number of the phase after which what an output holds is handed over, and that phase: the last one that
// may write it.
func (f *flattener) written(b *placed, p *port.Port) (int, *Phase) {
	number := 0
	for _, ref := range f.where[b] {
		if p.Part == port.Whole || p.Part == ref.part {
			number = ref.phase
		}
	}
	return number, &f.net.Threads[b.thread.index].Phases[number]
}

// read returns the number of the phase before which what has come for an input or handler is taken, and that phase: the first
// one that reads it.
func (f *flattener) read(b *placed, p *port.Port) (int, *Phase) {
	number := 0
	if len(f.where[b]) > 0 {
		number = f.stepOf(b, p).phase
	}
	return number, &f.net.Threads[b.thread.index].Phases[number]
}

// connect makes an input read source, which lies in its own thread; after a recoding, if there is one.
func (f *flattener) connect(l *link, source *port.Port, recoding *exchange.Recoding, to *placed) {
	plain := recoding == nil && l.From.Elements == nil && l.To.Elements == nil && l.Every <= 1 && l.Pause == 0 && !l.Delay
	if plain && l.to.Alias(source) {
		f.expire(l, source.Written(), to)
		return
	}
	t := exchange.NewTransfer(source, l.to, l.From.Elements, l.To.Elements, l.Every, l.Pause)
	t.Recode(recoding)
	f.expire(l, t.Carried(), to)
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
		if l.to.Part == port.Whole || l.to.Part == ref.part {
			step := &ref.thread.Steps[ref.index]
			step.Timeouts = append(step.Timeouts, exchange.NewTimeout(l.String(), l.Timeout, l.to, written))
		}
	}
}

// stepOf returns the part of the block that reads the port; the first one for its enable input.
func (f *flattener) stepOf(b *placed, p *port.Port) stepRef {
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
	q := exchange.NewQueue(len(l.from.Bytes()), port.MaxPendingEvents, lockfree.DropOldest)
	if !l.to.Subscribe(l.from, q) {
		f.d.fail(l.Source, "link %v: the event carries %s, but the handler takes %s", l, l.from.Type.Name(), l.to.Type.Name())
	}
	f.limit(l, from, to, q)
	f.collect(l.to, to)
}

// limit makes a thread read a queue by the ticks of the link, if it has a grid.
func (f *flattener) limit(l *link, from, to *placed, q *lockfree.Queue) {
	if from.thread != to.thread && f.d.grid(l) != nil {
		f.channel(l, from, to).Limit(q)
	}
}

// collect makes a thread take over the events that come to a handler from elsewhere.
func (f *flattener) collect(handler *port.Port, of *placed) {
	if !f.handlers[handler] {
		f.handlers[handler] = true
		_, phase := f.read(of, handler)
		phase.Events = append(phase.Events, handler)
	}
}

func (f *flattener) queue(l *link, from, to *placed) *lockfree.Queue {
	q := exchange.NewQueue(len(l.from.Bytes()), l.Buffer, l.Overflow)
	l.to.Buffer(l.from, q)
	f.limit(l, from, to, q)
	if from.thread == to.thread && len(f.where[to]) > 0 {
		ref := f.stepOf(to, l.to)
		step := &ref.thread.Steps[ref.index]
		step.Refills = append(step.Refills, l.to)
	} else {
		_, phase := f.read(to, l.to)
		phase.Queued = append(phase.Queued, l.to)
	}
	return q
}

// channel returns the channel of a link between two threads.
func (f *flattener) channel(l *link, from, to *placed) *exchange.Channel {
	after, source := f.written(from, l.from)
	before, target := f.read(to, l.to)
	grid := f.d.grid(l)
	key := channelKey{from: from.thread.index, to: to.thread.index, after: after, before: before}
	if grid != nil {
		key.grid = *grid
	}
	if f.channels[key] == nil {
		c := exchange.NewChannel(key.from, key.to, grid)
		f.channels[key] = c
		source.Exports = append(source.Exports, c)
		target.Imports = append(target.Imports, c)
	}
	f.channels[key].Links = append(f.channels[key].Links, l.String())
	return f.channels[key]
}

// wake makes a triggered thread run when the source of the link was written. Where any of the thread's blocks
// declares triggers, only links to those wake it.
func (f *flattener) wake(from, to *placed, l *link) {
	if !to.thread.Triggered || declaresTriggers(to.thread) && !l.to.Trigger {
		return
	}
	after, phase := f.written(from, l.from)
	key := wakeKey{from.thread.index, after, to.thread.index}
	if f.wakes[key] == nil {
		w := &exchange.Wake{Thread: key.to}
		f.wakes[key] = w
		phase.Wakes = append(phase.Wakes, w)
	}
	f.wakes[key].Watch(l.from.Count())
}

func declaresTriggers(t *thread) bool {
	for _, b := range t.blocks {
		for _, p := range b.Ports {
			if p.Trigger && p != b.Trigger {
				return true
			}
		}
	}
	return false
}
