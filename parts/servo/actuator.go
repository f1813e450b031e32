package servo

import "github.com/sinew-robotics/sinew/net/block"

// ActuatorNDemux is the [Actuator] that gives N commands to N joints and lets them act together.
//
//	sample ─► ┌────────────────┐ ─► voltage1 … N
//	   act ─► │ ActuatorNDemux │ ─► acted
//	          └────────────────┘
//
// Each command is written to the voltages. The event acted, the published Act, follows if a sample has come since the last
// one: joints that are linked to it act at most once in a cycle. They do not act on a second command of the same cycle, nor on
// one before the first sample: the next command takes its place.
type ActuatorNDemux struct {
	Actuator

	Voltage []block.Out[float64] `unit:"{Command}" safe:"0" doc:"command of a joint"`
	Acted   block.Event[Cycle]   `name:"acted" doc:"all commands are written: the joints act"`
}

// Setup makes the outputs.
func (d *ActuatorNDemux) Setup(s *block.Setup) error {
	d.Voltage = make([]block.Out[float64], d.N.Value())
	return d.Actuator.Setup(s)
}

// ActNow splits the commands, and emits acted once in a cycle.
func (d *ActuatorNDemux) ActNow(act []float64) error {
	for i := range d.Voltage {
		d.Voltage[i].Write(act[i])
	}
	if d.Armed() {
		d.Acted.Emit(d.Disarm())
	}
	return nil
}
