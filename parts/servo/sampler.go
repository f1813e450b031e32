package servo

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Cycle is the data of the events that begin and end a control cycle.
type Cycle struct {
	N uint64 `doc:"number of the cycle"`
}

// Sampler emits the event sample: a control cycle begins.
//
//	           ┌─────────┐
//	trigger ─► │ Sampler ├─► sample
//	           └─────────┘
//
// Without a link to trigger it samples periodically: a cycle begins at every step. With one it samples aperiodically (Santini and
// Lages 2011, section 3): a cycle begins at each step at which trigger has become true, or is true at first.
//
// The operation sample begins one more cycle immediately and returns its number. A Sampler that is disabled begins a cycle only by it: so
// an operator goes through cycles one by one.
type Sampler struct {
	Trigger block.In[bool]     `doc:"cycles begin when it becomes true; without a link they begin at every step"`
	Begin   block.Event[Cycle] `name:"sample" doc:"a control cycle begins: read the sensors"`

	Sample block.Operation[block.None, Cycle] `doc:"begin a control cycle now"`

	cycles uint64 // that have begun
	high   bool   // trigger was true at the step before
}

// Setup offers the operation.
func (s *Sampler) Setup(*block.Setup) error {
	s.Sample.Handle(func(block.None) (Cycle, error) { return s.begin(), nil })
	return nil
}

// Step emits the event when a cycle begins.
func (s *Sampler) Step(clock.Tick) error {
	trigger, status := s.Trigger.Read()
	rises := trigger && !s.high
	s.high = trigger
	if rises || status == block.NoData && !s.Trigger.Linked() {
		s.begin()
	}
	return nil
}

// begin emits the event with the number of the cycle.
func (s *Sampler) begin() Cycle {
	c := Cycle{N: s.cycles}
	s.cycles++
	s.Begin.Emit(c)
	return c
}

// Stop makes the next true value begin a cycle.
func (s *Sampler) Stop() error {
	s.high = false
	return nil
}
