package torque

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Drives are those of one limb of a torque-controlled robot, between the robot and a controller on another host: they pass
// the joints' measurements on to the controller, and its commands on to the joints.
//
//	measured_position, measured_velocity ─► ┌────────┐ ─► position, velocity     to the controller
//	                              torque ◄─ │ Drives │ ◄─ command                from it
//	                                        └────────┘
//
//	torque = command,  or -damping · measured_velocity without power
//
// Without power the motors are short-circuited: the limb sinks slowly. Before the first command, and while the
// controller is silent, no torque is passed on, and the robot's own brakes hold.
type Drives struct {
	N          block.Const[int]    `default:"1" min:"1" max:"1000" doc:"number of joints"`
	Coordinate block.Const[string] `default:"rad" doc:"unit of the positions"`

	Power   block.Param[bool]      `default:"true" doc:"the motors follow the controller's commands; without power they are short-circuited"`
	Damping block.Param[[]float64] `unit:"{Coordinate.force} s/{Coordinate}" default:"[10]" min:"0" spread:"yes" doc:"of motors that are short-circuited: one, or one for each joint"`

	MeasuredPosition block.In[[]float64]  `required:"yes" trigger:"yes" unit:"{Coordinate}" doc:"positions of the joints"`
	MeasuredVelocity block.In[[]float64]  `required:"yes" unit:"{Coordinate}/s" doc:"velocities of the joints"`
	Command          block.In[[]float64]  `required:"yes" trigger:"yes" unit:"{Coordinate.force}" doc:"torques that the controller commands"`
	Position         block.Out[[]float64] `unit:"{Coordinate}" doc:"measured positions, to the controller"`
	Velocity         block.Out[[]float64] `unit:"{Coordinate}/s" doc:"measured velocities, to the controller"`
	Torque           block.Out[[]float64] `unit:"{Coordinate.force}" safe:"0" doc:"torques of the motors"`
}

// Setup makes ports and parameters of N elements.
func (d *Drives) Setup(s *block.Setup) error {
	n := d.N.Value()
	s.Len(n, &d.MeasuredPosition, &d.MeasuredVelocity, &d.Command, &d.Position, &d.Velocity, &d.Torque)
	return spread("damping", &d.Damping, n)
}

// Step passes on new values.
func (d *Drives) Step(clock.Tick) error {
	q, measured := d.MeasuredPosition.Read()
	v, _ := d.MeasuredVelocity.Read()
	if measured == block.NewData {
		d.Velocity.Write(v)
		d.Position.Write(q)
	}
	switch command, status := d.Command.Read(); {
	case status != block.NewData:
	case d.Power.Value():
		d.Torque.Write(command)
	default:
		torque := *d.Torque.Slot()
		for i, k := range d.Damping.Value() {
			torque[i] = -k * v[i]
		}
		d.Torque.Commit()
	}
	return nil
}

// spread gives a parameter of one element as many as there are joints. It rejects any other number of elements.
func spread(name string, p *block.Param[[]float64], n int) error {
	switch v := p.Value(); len(v) {
	case n:
	case 1:
		all := make([]float64, n)
		for i := range all {
			all[i] = v[0]
		}
		p.Set(all)
	default:
		return fmt.Errorf("%s has length %d: wants one element, or one for each of the joints (%d)", name, len(v), n)
	}
	return nil
}
