package thread

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/exchange"
	"github.com/sinew-robotics/sinew/net/pace"
	"github.com/sinew-robotics/sinew/net/port"
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
	mail     []byte     // the message being served
	damaged  uint64     // of the mailbox, as far as the front knows
	at       int        // the step being executed, or a place beside the steps; the watchdog looks at it
	now      clock.Time // nominal time of this activation
	profile  int        // activations until block times are measured again
	pace     *pace.Loop // of the process, which this thread keeps; nil: another does, or none
	timeouts []*exchange.Timeout
	expiry   clock.Time // a triggered thread runs then though nothing comes; 0: never
	right    right      // to publish its outputs
	serving  int        // 1 + the block for which it does what a tool or another thread has asked for; 0: none
	callees  []int      // 1 + the block of each of plan.Services
	held     []held     // ports with values by hand that last for a time
	letGoAt  clock.Time // when the first of them is over; never if there is none
	exciting bool       // one of them has a waveform
	imports  []int      // by phase, number of the first exchange with another thread
	inlets   []int      // by phase, number of the first exchange with another process
	misses   *exchange.MissWriter
	pause    *rt.Sleeper // for waiting on direct links; nil in virtual time
	leader   exchange.LeaderTime
	finite   finiteCheck
	keeper   *keeper // of values that outlive the run; nil: none
	due      atomic.Bool

	activities []*Activity  // tasks that run in the steps of its blocks
	dueTime    atomic.Int64 // nominal time of what made it due
}

// step is an entry of the static order as the thread runs it.
type step struct {
	run     block.Stepper
	special bool // a check is needed before running
	gated   bool // its enable input is linked or fed
	every   int
	wait    int // activations until it is its turn
	n       uint64
	last    clock.Time
	state   *blockState
	plan    *diagram.Step
	resting bool // an input has had no data for too long
	high    bool // its input trigger read true at its last turn
}

// blockState is a thread's view of a block.
type blockState struct {
	inst     *port.Instance
	faulted  bool
	off      bool  // its enable input read false at its last turn
	troubled *step // the step that has a block.Trouble; nil: none
	hands    int   // outputs with values given by hand
	cell     *blockCell
	shown    []atomic.Bool // by port: what the front knows of values given by hand
}

func newThread(c *Core, plan *diagram.ThreadPlan, e *edge) *thread {
	t := &thread{
		plan: plan, core: c, edge: e, counters: e.counters,
		scratch: make([]byte, largestValue(plan)), mail: make([]byte, requestHeader+largestValue(plan)), states: make([]blockState, len(plan.Blocks)),
		at: outside, held: make([]held, 0, MaxHeld), letGoAt: never,
	}
	of := map[*port.Instance]*blockState{}
	for i, b := range plan.Blocks {
		first := countPorts(plan.Blocks[:i])
		t.states[i] = blockState{inst: b, cell: &e.blocks[i], shown: e.hands[first : first+len(b.Ports)]}
		of[b] = &t.states[i]
		t.finite.add(b, e.odd[first:first+len(b.Ports)])
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
	for i := range plan.Services {
		t.callees = append(t.callees, 1+slices.Index(plan.Blocks, plan.Services[i].Block))
	}
	t.keeper = newKeeper(t)
	t.misses = exchange.NewMissWriter(e.misses, t.number(), plan.Period)
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

// skip leaves out missed activations: a step that runs at every nth one stays on its grid.
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
	s.gated = s.gated || p.Block.Gated()
	s.special = s.gated || s.every > 1 || s.state.faulted || s.state.hands > 0 || s.run == nil || p.Rising ||
		len(p.Transfers)+len(p.Refills)+len(p.Triggers)+len(p.Handlers)+len(p.Timeouts) > 0
}

// activate runs the thread once, at the nominal time now.
func (t *thread) activate(now clock.Time) {
	begin := rt.Now()
	t.now = now
	if t.pace != nil {
		t.follow()
	}
	t.leader = t.core.leaderTime()
	if t.plan.Ticks != nil {
		t.plan.Ticks.Tick(now, time.Duration(rt.Now()-t.core.base.Load()-int64(now)))
	}
	t.serveMail(MaxMessages, now)
	if now >= t.letGoAt {
		t.letGo(now)
	}
	if t.exciting {
		t.excite(now)
	}
	measured := t.measures(now, begin)
	first := 0 // step of the phase
	for i := range t.plan.Phases {
		phase := &t.plan.Phases[i]
		t.at = outside
		t.fetch(i)
		if i == 0 {
			t.fetchCalls()
			for _, d := range t.plan.Delayed {
				d.Carry(now)
			}
		}
		t.at = first
		for t.at < phase.End {
			if measured {
				t.measureSteps(phase.End)
			} else {
				t.runSteps(phase.End)
			}
		}
		first = phase.End
		t.at = publishing
		t.publishOwn(t.plan.Phases[:i+1], now)
	}
	t.emitSamples()
	t.misses.Flush()
	t.checkFinite()
	t.keeper.publish()
	t.at = outside
	if t.plan.Triggered {
		t.expire()
	}
	n := &t.counters.activations
	n.Store(n.Load() + 1)
	t.counters.cycle.Add(rt.Now() - begin)
}

// publish hands over what the outputs of the phases so far hold to other threads and processes. An output of an earlier phase
// is among them because a fault, too, writes it. Calls are sent after the last phase.
func (t *thread) publish(phases []diagram.Phase, now clock.Time) {
	for i := range phases {
		p := &phases[i]
		for _, c := range p.Exports {
			c.Publish(now)
		}
		for _, o := range p.Outlets {
			o.Publish(now, t.leader)
		}
		for _, w := range p.Wakes {
			if w.Due() {
				t.core.threads[w.Thread].trigger(now)
			}
		}
	}
	if len(phases) == len(t.plan.Phases) {
		for _, c := range t.plan.Calls {
			c.Publish(now)
		}
	}
}

// fetchCalls takes the answers to calls, and serves those of others.
func (t *thread) fetchCalls() {
	for _, c := range t.plan.Calls {
		c.Fetch()
	}
	t.serveCalls()
}

// runSteps runs the steps from t.at to end. A panic in one of them ends it early, with t.at behind the culprit.
func (t *thread) runSteps(end int) {
	defer t.recoverStep()
	for t.at < end {
		s := &t.steps[t.at]
		if !s.special || t.prepare(s) {
			tick := clock.Tick{N: s.n, Time: t.now, Dt: t.now.Sub(s.last)}
			s.n++
			s.last = t.now
			if err := s.run.Step(tick); err != nil {
				t.failed(s, err)
			} else if s.state.troubled == s {
				t.works(s.state)
			}
		}
		t.at++
	}
}

// measureSteps is runSteps with a look at the clock after each step. A step begins at the end of the one
// before.
func (t *thread) measureSteps(last int) {
	defer t.recoverStep()
	begin := rt.Now()
	for t.at < last {
		s, c, ran := &t.steps[t.at], &t.counters.steps[t.at], false
		if !s.special || t.prepare(s) {
			tick := clock.Tick{N: s.n, Time: t.now, Dt: t.now.Sub(s.last)}
			s.n++
			s.last = t.now
			if err := s.run.Step(tick); err != nil {
				t.failed(s, err)
			} else if s.state.troubled == s {
				t.works(s.state)
			}
			ran = true
		}
		end := rt.Now()
		if ran {
			c.took(t.counters.at.Load(), begin, end)
		}
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
	rose := !s.plan.Rising || s.rose()
	if s.state.faulted || s.gated && !t.enabled(s) {
		s.renew()
		return false
	}
	if len(s.plan.Timeouts) > 0 && t.late(s) {
		return false
	}
	if !rose || len(s.plan.Triggers) > 0 && !anyNew(s.plan.Triggers) {
		return false
	}
	for _, h := range s.plan.Handlers {
		h.Dispatch()
	}
	return s.run != nil
}

// rose reports whether the trigger of the block's group reads true now and did not at the step's last turn.
func (s *step) rose() bool {
	before := s.high
	s.high = s.plan.Block.Triggered()
	return s.high && !before
}

// enabled reads the block's conditions. A block that is enabled again begins again where its group wants that.
func (t *thread) enabled(s *step) bool {
	on := s.plan.Block.Enabled()
	s.state.reportEnabled(on)
	if on && s.state.off && s.plan.Restart != nil {
		t.restart(s)
	}
	s.state.off = !on
	return on
}

// restart makes a block begin again: its steps see the time since their last turn, not since they were last executed.
func (t *thread) restart(s *step) {
	s.plan.Restart.Restart()
	for i := range t.steps {
		if other := &t.steps[i]; other.state == s.state && !t.plan.Triggered {
			other.last = t.now.Add(-t.plan.Period * time.Duration(other.every))
		}
	}
}

func anyNew(triggers []port.Progress) bool {
	for _, tr := range triggers {
		if tr.New() {
			return true
		}
	}
	return false
}
