package servo

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// ActuatorNDemux gives N commands to N joints and lets them act together.
//
//	sample ─► ┌────────────────┐ ─► voltage1 … N
//	   act ─► │ ActuatorNDemux │ ─► acted
//	          └────────────────┘
//
// The event acted is emitted once after each sample, when act has come: late commands of a slow controller wait for
// the next cycle.
type ActuatorNDemux struct {
	N block.Const[int] `default:"1" min:"1" max:"1000" doc:"number of joints"`

	Sample  block.Handler[Cycle] `doc:"a cycle begins"`
	Act     block.In[[]float64]  `trigger:"yes" unit:"V" doc:"commands of all joints"`
	Voltage []block.Out[float64] `unit:"V" safe:"0" doc:"command of a joint"`
	Acted   block.Event[Cycle]   `name:"acted" doc:"all commands are there: the joints act"`

	cycle   Cycle
	sampled bool
}

// Setup makes the outputs.
func (d *ActuatorNDemux) Setup(s *block.Setup) error {
	d.Voltage = make([]block.Out[float64], d.N.Value())
	s.Len(d.N.Value(), &d.Act)
	return nil
}

// Step splits the commands and tells the joints, once in a cycle.
func (d *ActuatorNDemux) Step(clock.Tick) error {
	for c, ok := d.Sample.Take(); ok; c, ok = d.Sample.Take() {
		d.cycle, d.sampled = c, true
	}
	act, status := d.Act.Read()
	if status != block.NewData || !d.sampled {
		return nil
	}
	d.sampled = false
	for i := range d.Voltage {
		d.Voltage[i].Write(act[i])
	}
	d.Acted.Emit(d.cycle)
	return nil
}
