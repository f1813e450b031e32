package thread

import (
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// late reports whether an input of the step being executed is without data for longer than its time-out. Then the step is
// brought to rest: the block's Stop runs once, and at each turn the outputs get their safe values, so that whoever reads
// them sees that this process is alive. With new data the step runs again.
func (t *thread) late(s *step) bool {
	late := uint32(0)
	for i, o := range s.plan.Timeouts {
		if o.Late(t.now) && late == 0 {
			late = uint32(i) + 1
		}
	}
	c := &t.counters.steps[t.at]
	c.late.Store(late)
	if late == 0 {
		s.resting = false
		return false
	}
	if !s.resting {
		s.resting = true
		c.timeouts.Add(1)
		_ = stopBlock(s.plan.Block) // there is nothing left to do for it
	}
	for _, p := range s.plan.Block.Ports {
		if p.Part == s.plan.Part {
			p.ToSafe()
		}
	}
	return true
}

// expire notes when the thread, which is triggered, must run though nothing comes: when an input's time-out is over.
func (t *thread) expire() {
	t.expiry = 0
	for _, o := range t.timeouts {
		due := o.Due()
		if due <= t.now { // its block was not executed
			due = t.now.Add(o.Link.Timeout)
		}
		if t.expiry == 0 || due < t.expiry {
			t.expiry = due
		}
	}
}

// expired reports whether a triggered thread must run for a time-out.
func (t *thread) expired(now clock.Time) bool { return t.expiry > 0 && t.expiry <= now }

// Warning is a block that rests in its safe output because one of its inputs has had no data for longer than its time-out.
// It ends by itself.
type Warning struct {
	Block, Input string
	Link         string // as it is written
	Timeout      time.Duration
	Over         bool // data have come, and the block runs again
}

func (w Warning) String() string {
	if w.Over {
		return fmt.Sprintf("block %q runs again: %s.%s has data", w.Block, w.Block, w.Input)
	}
	return fmt.Sprintf("block %q rests in its safe output: the link %s has brought nothing for %v", w.Block, w.Link, w.Timeout)
}

func newWarning(b *block.Instance, o *diagram.Timeout) Warning {
	return Warning{Block: b.Name, Input: o.Input.Name, Link: o.Link.String(), Timeout: o.Link.Timeout}
}

// Warnings returns the blocks that rest at present.
func (f *Front) Warnings() []Warning {
	var list []Warning
	for i, plan := range f.net.Threads {
		for k := range plan.Steps {
			if late := f.boundary.edges[i].counters.steps[k].late.Load(); late > 0 && int(late) <= len(plan.Steps[k].Timeouts) {
				list = append(list, newWarning(plan.Steps[k].Block, plan.Steps[k].Timeouts[late-1]))
			}
		}
	}
	return list
}

// OnWarning makes w run for every block that begins to rest or runs again, on the goroutine that moves messages: it must be
// quick.
func (f *Front) OnWarning(w func(Warning)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.warned = append(f.warned, w)
}

// pollWarnings tells those who watch what has changed since the last time.
func (f *Front) pollWarnings() {
	now := f.Warnings()
	f.mu.Lock()
	before, watchers := f.warnings, f.warned
	f.warnings = now
	f.mu.Unlock()
	tell := func(w Warning) {
		for _, watch := range watchers {
			watch(w)
		}
	}
	for _, w := range before {
		if !contains(now, w) {
			w.Over = true
			tell(w)
		}
	}
	for _, w := range now {
		if !contains(before, w) {
			tell(w)
		}
	}
}

func contains(list []Warning, w Warning) bool {
	for _, other := range list {
		if other.Block == w.Block && other.Input == w.Input {
			return true
		}
	}
	return false
}
