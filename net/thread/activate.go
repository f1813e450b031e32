package thread

import (
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// thread executes one ThreadPlan.
type thread struct {
	plan     *diagram.ThreadPlan
	core     *Core
	edge     *edge
	counters *counters
	steps    []step
	states   []blockState // by index in plan.Blocks
	taps     taps
	scratch  []byte     // for values on their way out
	at       int        // the step being executed
	now      clock.Time // nominal time of this activation
	profile  int        // activations until block times are measured again
	start    int64      // of the activation being measured, on the machine's clock
	pace     *pace      // of the process, which this thread keeps; nil: another does, or none
	timeouts []*diagram.Timeout
	expiry   clock.Time // a triggered thread runs then though nothing comes; 0: never
	due      atomic.Bool
	dueTime  atomic.Int64 // nominal time of what made it due
}

// step is an entry of the static order as the thread runs it.
type step struct {
	run     block.Stepper
	special bool // something is to be looked at before running
	gated   bool // its enable input is linked or fed
	every   int
	wait    int // activations until it is its turn
	n       uint64
	last    clock.Time
	state   *blockState
	plan    *diagram.Step
	resting bool // an input has had no data for too long
}

// blockState is what the thread knows of a block.
type blockState struct {
	inst    *block.Instance
	faulted bool
	hands   int // outputs with values given by hand
	cell    *blockCell
	told    []atomic.Bool // by port: what the front knows of values given by hand
}

func newThread(c *Core, plan *diagram.ThreadPlan, e *edge) *thread {
	t := &thread{
		plan: plan, core: c, edge: e, counters: e.counters,
		scratch: make([]byte, MaxValue), states: make([]blockState, len(plan.Blocks)),
	}
	of := map[*block.Instance]*blockState{}
	for i, b := range plan.Blocks {
		first := countPorts(plan.Blocks[:i])
		t.states[i] = blockState{inst: b, cell: &e.blocks[i], told: e.hands[first : first+len(b.Ports)]}
		of[b] = &t.states[i]
		for _, p := range b.Ports {
			p.RunBy(&t.now)
		}
	}
	for i := range plan.Steps {
		p := &plan.Steps[i]
		t.steps = append(t.steps, step{
			run: p.Run, every: p.Every, state: of[p.Block], plan: p,
		})
		t.lookAgain(&t.steps[i])
		t.timeouts = append(t.timeouts, p.Timeouts...)
	}
	t.beginAt(0)
	t.watch(0)
	t.taps.init()
	return t
}

// beginAt makes the activation of a number the first: 0, but where a leader was at work before. The blocks are executed in the
// same activations, and count them, as if they had been from the start.
func (t *thread) beginAt(number int64) {
	for i := range t.steps {
		s := &t.steps[i]
		every, offset := int64(s.every), int64(s.plan.Offset)
		first := number + ((offset-number)%every+every)%every
		s.wait, s.n = int(first-number), uint64((first-offset)/every)
		s.last = clock.Time(t.plan.Offset) + clock.Time(t.plan.Period)*clock.Time(first-every)
	}
}

// skip leaves out activations: what runs at each so manieth stays on its grid.
func (t *thread) skip(missed int64) {
	for i := range t.steps {
		s := &t.steps[i]
		every := int64(s.every)
		s.wait = int(((int64(s.wait)-missed)%every + every) % every)
	}
}

// lookAgain decides whether a step can be run without looking at anything before.
func (t *thread) lookAgain(s *step) {
	p := s.plan
	s.gated = s.gated || *p.Block.Enable.Count() > 0 || p.Block.Enable.Linked()
	s.special = s.gated || s.every > 1 || s.state.faulted || s.state.hands > 0 || s.run == nil ||
		len(p.Transfers)+len(p.Refills)+len(p.Triggers)+len(p.Handlers)+len(p.Timeouts) > 0
}

// activate runs the thread once, at the nominal time now.
func (t *thread) activate(now clock.Time) {
	begin := rt.Now()
	t.now = now
	if t.pace != nil {
		t.follow()
	}
	if t.plan.Beater != nil {
		t.plan.Beater.Beat(now, time.Duration(rt.Now()-t.core.boundary.head.base.Load()-int64(now)))
	}
	t.serveMail(MaxMessages)
	t.fetch()
	for _, d := range t.plan.Delayed {
		d.Carry(now)
	}
	t.at = 0
	if t.profile--; t.profile <= 0 {
		t.profile = t.core.options.Profile
		t.start = begin
		t.counters.at.Store(int64(now))
		for t.at < len(t.steps) {
			t.measureSteps()
		}
	} else {
		for t.at < len(t.steps) {
			t.runSteps()
		}
	}
	for _, c := range t.plan.Exports {
		c.Publish(now)
	}
	for _, o := range t.plan.Outlets {
		o.Publish(now)
	}
	for _, c := range t.plan.Calls {
		c.Publish(now)
	}
	for _, w := range t.plan.Wakes {
		if w.Due() {
			t.core.threads[w.Thread].trigger(now)
		}
	}
	t.emitSamples()
	if t.plan.Triggered {
		t.expire()
	}
	n := &t.counters.activations
	n.Store(n.Load() + 1)
	t.counters.cycle.Add(rt.Now() - begin)
}

// fetch takes the snapshot of all that comes from other threads.
func (t *thread) fetch() {
	for _, c := range t.plan.Imports {
		c.Fetch()
	}
	for _, i := range t.plan.Inlets {
		i.Fetch(t.now)
	}
	for _, p := range t.plan.Queued {
		p.Refill()
	}
	for _, p := range t.plan.Events {
		p.Collect()
	}
	for _, c := range t.plan.Calls {
		c.Fetch()
	}
	t.serveCalls()
}

// runSteps runs the steps from t.at on. A panic in one of them ends it early, with t.at behind the culprit.
func (t *thread) runSteps() {
	defer t.recoverStep()
	for t.at < len(t.steps) {
		s := &t.steps[t.at]
		if !s.special || t.prepare(s) {
			tick := clock.Tick{N: s.n, Time: t.now, Dt: t.now.Sub(s.last)}
			s.n++
			s.last = t.now
			if err := s.run.Step(tick); err != nil {
				t.fault(s.state, err.Error())
			}
		}
		t.at++
	}
}

// measureSteps is runSteps with a look at the clock after each step. What a step begins with is the end of the one
// before.
func (t *thread) measureSteps() {
	defer t.recoverStep()
	begin := rt.Now()
	for t.at < len(t.steps) {
		s, c := &t.steps[t.at], &t.counters.steps[t.at]
		if !s.special || t.prepare(s) {
			tick := clock.Tick{N: s.n, Time: t.now, Dt: t.now.Sub(s.last)}
			s.n++
			s.last = t.now
			if err := s.run.Step(tick); err != nil {
				t.fault(s.state, err.Error())
			}
		}
		end := rt.Now()
		c.begin.Store(begin - t.start)
		c.end.Store(end - t.start)
		c.time.Add(end - begin)
		begin = end
		t.at++
	}
}

// prepare carries what the step needs and reports whether it is to run in this activation.
func (t *thread) prepare(s *step) bool {
	if s.every > 1 {
		if s.wait > 0 {
			s.wait--
			return false
		}
		s.wait = s.every - 1
	}
	for _, tr := range s.plan.Transfers {
		tr.Carry(t.now)
	}
	for _, p := range s.plan.Refills {
		p.Refill()
	}
	if s.state.faulted || s.gated && !s.enabled() {
		s.renew()
		return false
	}
	if len(s.plan.Timeouts) > 0 && t.late(s) {
		return false
	}
	if len(s.plan.Triggers) > 0 && !anyNew(s.plan.Triggers) {
		return false
	}
	for _, h := range s.plan.Handlers {
		h.Dispatch()
	}
	return s.run != nil
}

// enabled reads the block's enable input.
func (s *step) enabled() bool {
	on := s.plan.Block.Enabled()
	s.state.tellEnabled(on)
	return on
}

func anyNew(triggers []interface{ New() bool }) bool {
	for _, tr := range triggers {
		if tr.New() {
			return true
		}
	}
	return false
}
