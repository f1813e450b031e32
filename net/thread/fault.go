package thread

import (
	"fmt"

	"github.com/sinew-robotics/sinew/internal/panics"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
)

// fault puts a block in error: it stops, its outputs take their safe values, and it is not executed until it is reset.
func (t *thread) fault(s *blockState, why string) {
	if s.faulted {
		return
	}
	if s.troubled != nil {
		t.works(s)
	}
	s.faulted = true
	s.cell.faulted.Store(true)
	s.cell.faults.Add(1)
	t.counters.faults.Add(1)
	for i := range t.steps {
		if t.steps[i].state == s {
			t.steps[i].special, t.steps[i].resting = true, false
			t.counters.steps[i].late.Store(0)
			t.counters.troubles.Add(1)
		}
	}
	_ = toRest(s.inst) // it is in error already
	t.reportHands(s)
	for i := range t.states {
		if &t.states[i] == s {
			putText(t.edge.replies, noteFault, uint32(i), why)
		}
	}
	if t.plan.OnFault == diagram.Stop {
		t.core.Stop()
	}
}

// recoverStep turns a panic of the step being executed into a fault of its block.
func (t *thread) recoverStep() {
	if p := recover(); p != nil {
		s := &t.steps[t.at]
		t.at++
		t.fault(s.state, panicText("panic", p))
	}
}

// panicText describes a panic p while a block did something. A value that is too long for its port is described without an
// allocation. It is called in the function that recovers.
func panicText(doing string, p any) string {
	if e, ok := p.(*block.LengthError); ok {
		return e.Text()
	}
	return fmt.Sprintf("%s: %v (%s)", doing, p, panics.Site())
}

// toRest stops a block and gives its outputs their safe values, also those that had values given by hand.
func toRest(b *port.Instance) error {
	err := stopBlock(b)
	for _, p := range b.Ports {
		p.Rest()
	}
	return err
}

// stopBlock runs a block's Stop, if it has one.
func stopBlock(b *port.Instance) error {
	if s, ok := b.Block.(block.Stopper); ok {
		return panics.Recovered("stopping", s.Stop)
	}
	return nil
}

// reset lets a block that is in error run again.
func (t *thread) reset(s *blockState) {
	s.faulted = false
	s.cell.faulted.Store(false)
	for i := range t.steps {
		if t.steps[i].state == s {
			t.lookAgain(&t.steps[i])
		}
	}
}
