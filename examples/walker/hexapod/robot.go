package hexapod

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Contact is a force of the ground on the machine, both in the world. Without a force nothing touches there.
type Contact struct {
	Point [3]float64 `unit:"m"`
	Force [3]float64 `unit:"N"`
}

// Robot is the machine itself, simulated: a body that nothing holds, 18 joints with servos that follow commanded
// angles, feet and a belly on the ground. Real hardware takes its place by a block with the same ports.
//
//	                 ┌───────┐ ─► angle1 … 18      what the servos measure
//	                 │ sense │ ─► load1 … 6        force under each foot
//	                 │       │ ─► roll, pitch, yaw what a gyroscope on the body measures
//	                 │       │ ─► position, base_position, base_orientation, contacts
//	                 │       │                     the truth, for viewers and tests only
//	command1 … 18 ─► │control│
//	                 └───────┘
//
// Angles and commands are in the order of the model: leg by leg as in [Legs], coxa, femur, tibia. It starts with the
// belly on the ground and its legs folded. Until a servo has got its first command it is switched off.
type Robot struct {
	URDF block.Const[string] `doc:"file of the robot's links and joints"`

	Angle []block.Out[float64] `part:"sense" unit:"rad" doc:"angle of a joint"`
	Load  []block.Out[float64] `part:"sense" unit:"N" doc:"force of the ground on a foot, upwards"`
	Roll  block.Out[float64]   `part:"sense" unit:"rad" doc:"of the body: right side down is positive"`
	Pitch block.Out[float64]   `part:"sense" unit:"rad" doc:"of the body: nose down is positive"`
	Yaw   block.Out[float64]   `part:"sense" unit:"rad" doc:"of the body: counterclockwise is positive, 0 where it was switched on"`

	Position        block.Out[[]float64]  `part:"sense" unit:"rad" show:"joint_position" doc:"true positions of the joints"`
	BasePosition    block.Out[[3]float64] `part:"sense" unit:"m" show:"base_position" doc:"true position of the body in the world"`
	BaseOrientation block.Out[[4]float64] `part:"sense" show:"base_orientation" doc:"true orientation of the body in the world, quaternion x y z w"`
	Contacts        block.Out[[]Contact]  `part:"sense" show:"contact_force" doc:"true forces of the ground: on the feet, then on the corners of the belly"`

	Command []block.In[float64] `part:"control" unit:"rad" show:"joint_desired" doc:"angle that a servo is to take"`

	Stiffness block.Param[float64] `default:"60" min:"0" unit:"N m/rad" doc:"of a servo: torque for each radian that it is off its command"`
	Damping   block.Param[float64] `default:"1" min:"0" unit:"N m s/rad" doc:"of a servo"`
	Friction  block.Param[float64] `default:"0.8" min:"0" max:"2" doc:"coefficient of friction of the ground"`

	sim *simulation
}

// Folded are the angles of coxa, femur and tibia with which the robot starts: feet beside the body, just off the ground.
var Folded = [3]float64{0, 1.4, -2.3}

// Setup reads the model and makes the ports.
func (r *Robot) Setup(s *block.Setup) error {
	robot, err := description.Read(s.Files(), r.URDF.Value(), description.Options{Notice: s.Notice})
	if err != nil {
		return err
	}
	if r.sim, err = newSimulation(robot.Tree()); err != nil {
		return fmt.Errorf("%s is no walking machine as this block knows it: %w", r.URDF.Value(), err)
	}
	n := len(Legs) * 3
	r.Angle, r.Command = make([]block.Out[float64], n), make([]block.In[float64], n)
	r.Load = make([]block.Out[float64], len(Legs))
	s.Len(n, &r.Position)
	s.Len(r.sim.points, &r.Contacts)
	return nil
}

// Sense writes the sensors' readings to the outputs.
func (r *Robot) Sense(clock.Tick) error {
	for i := range r.Angle {
		r.Angle[i].Write(r.sim.Position(i))
	}
	for i := range r.Load {
		_, force := r.sim.ground.Touch(i)
		r.Load[i].Write(force.Z)
	}
	p, o := r.sim.base()
	roll, pitch, yaw := o.Mat3().Euler(spatial.FixedXYZ)
	r.Roll.Write(roll)
	r.Pitch.Write(pitch)
	r.Yaw.Write(yaw)
	r.Position.Write(r.sim.Q()[baseQ:])
	contacts := *r.Contacts.Slot()
	for i := range contacts {
		p, f := r.sim.ground.Touch(i)
		contacts[i] = Contact{Point: [3]float64{p.X, p.Y, p.Z}, Force: [3]float64{f.X, f.Y, f.Z}}
	}
	r.Contacts.Commit()
	r.BasePosition.Write([3]float64{p.X, p.Y, p.Z})
	r.BaseOrientation.Write([4]float64{o.X, o.Y, o.Z, o.W})
	return nil
}

// Control lets the robot move for the time since the last step. Servos turn no further than their joints go, and take
// no notice of commands that are no numbers.
func (r *Robot) Control(t clock.Tick) error {
	for i := range r.Command {
		if c, status := r.Command[i].Read(); status != block.NoData && c == c {
			r.sim.servos[i] = servo{on: true, target: min(max(c, jointLower[i%3]), jointUpper[i%3])}
		}
	}
	r.sim.drive(r.Stiffness.Value(), r.Damping.Value())
	r.sim.ground.SetFriction(r.Friction.Value())
	r.sim.Step(t.Dt)
	return nil
}
