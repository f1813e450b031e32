package thread

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/exchange"
	"github.com/sinew-robotics/sinew/net/port"
)

// late reports whether an input of the step being executed is without data for longer than its time-out. Then the step is
// brought to rest: the block's Stop runs once, and at each turn the outputs get their safe values, so that their
// readers see that this process is alive. With new data the step runs again.
func (t *thread) late(s *step) bool {
	late := uint32(0)
	for i, o := range s.plan.Timeouts {
		if o.Late(t.now) && late == 0 {
			late = uint32(i) + 1
		}
	}
	c := &t.counters.steps[t.at]
	if c.late.Load() != late {
		c.late.Store(late)
		t.counters.troubles.Add(1)
	}
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

// watch begins to watch the ages of inputs: what never had data is as old as the system from first on.
func (t *thread) watch(first clock.Time) {
	for _, o := range t.timeouts {
		o.Begin(first)
	}
	t.expire()
}

// expire notes when the thread, which is triggered, must run though nothing comes: when an input's time-out is over.
func (t *thread) expire() {
	t.expiry = 0
	for _, o := range t.timeouts {
		due := o.Due()
		if due <= t.now { // its block was not executed
			due = t.now.Add(o.Limit)
		}
		if t.expiry == 0 || due < t.expiry {
			t.expiry = due
		}
	}
}

// expired reports whether a triggered thread must run for a time-out.
func (t *thread) expired(now clock.Time) bool { return t.expiry > 0 && t.expiry <= now }

// restWarning returns the warning that a block rests in its safe output because one of its inputs has had no data for too long.
func restWarning(b *port.Instance, o *exchange.Timeout) Warning {
	return Warning{
		begun: fmt.Sprintf("block %q rests in its safe output: the link %v has brought nothing for %v", b.Name, o.Link, o.Limit),
		ended: fmt.Sprintf("block %q runs again: %s has data", b.Name, o.Input.Ref()),
	}
}
