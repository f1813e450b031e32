package flow

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Step changes its output once, at a given time.
//
//	out = before  for t < time,   after  from time on
//
//	┌──────┐
//	│ Step ├─► out
//	└──────┘
//
// t is the time since the start of the system. Parameters before and after have one element or the same length.
type Step struct {
	Time   block.Param[float64]   `unit:"s" default:"1" min:"0" doc:"time of the step since the start of the system"`
	Before block.Param[[]float64] `default:"[0]" spread:"yes" doc:"first value: one, or one for each element"`
	After  block.Param[[]float64] `default:"[1]" spread:"yes" doc:"value from then on: one, or one for each element"`
	Out    block.Out[[]float64]   `doc:"the signal"`
}

// Setup declares the length of the values.
func (p *Step) Setup(s *block.Setup) error {
	s.Len(1, &p.Out)
	return fit(s, []block.Sized{&p.Out}, elements{"before", p.Before.Value()}, elements{"after", p.After.Value()})
}

// Step writes the value.
func (p *Step) Step(t clock.Tick) error {
	values := p.Before.Value()
	if t.Time.Seconds() >= p.Time.Value() {
		values = p.After.Value()
	}
	out := *p.Out.Slot()
	for i := range out {
		out[i] = element(values, i)
	}
	p.Out.Commit()
	return nil
}
