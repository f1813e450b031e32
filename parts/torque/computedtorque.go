package torque

import (
	"errors"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/parts/robotfile"
	"github.com/sinew-robotics/sinew/robot/control"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// ComputedTorque makes a robot follow a motion by its model: inverse dynamics control (Siciliano et al., Robotics, 2009, section
// 8.5.2).
//
//	torque = M(q) (qd'' + 2 ζ ω (qd' - q') + ω² (qd - q)) + C(q, q') q' + g(q) + friction · f q',   qd = desired + lead
//
//	     position, velocity ─► ┌────────────────┐
//	                           │ ComputedTorque ├─► torque
//	desired, its velocity ───► └────────────────┘
//	        and acceleration
//
// With a model that is right, the error of each joint decays with bandwidth ω and damping ratio ζ, in every pose; f is the damping
// of the joints in the description. lead takes up the way between where the joints are and where they should be, when the controller
// begins, when desired comes for the first time and when the controller has been interrupted; it shrinks at the given speed. Before the
// first desired positions come, or where one is not finite, a joint keeps the last one it had.
//
// wrenches shows what the bearings of each joint bear while the robot follows so: force, then moment about the origin of the link that the
// joint carries, which what lies before the joint exerts on it, in the axes of that link. Friction has no part in them.
//
// joints selects those to command, such as the arm on a torso that another controller moves: position and velocity are those of all joints
// that are not locked, all other elements those of the joints selected, in the order of their names. The law counts with where the other
// joints are and how they move, but not with their accelerations.
//
// Otherwise elements are in the order of the model: depth first, and by name where links branch. Rotors are those of the SRDF.
type ComputedTorque struct {
	URDF       block.Const[string]   `required:"yes" doc:"file of the robot's links and joints"`
	SRDF       block.Const[string]   `doc:"file of the rotors of its motors and of groups of joints; default: none"`
	Locked     block.Const[[]string] `doc:"joints that do not move, as name or name=position [rad or m]"`
	Joints     block.Const[[]string] `doc:"joints to command, each by name or by a group of the SRDF file; default: all"`
	Coordinate block.Const[string]   `default:"rad" doc:"unit of the positions: rad, or m where all joints slide, with forces in N; with rad, elements of joints that slide are in m and N"`

	Bandwidth block.Param[[]float64] `unit:"rad/s" default:"[20]" min:"0" spread:"yes" doc:"ω, how fast an error decays: one, or one for each joint"`
	Damping   block.Param[[]float64] `default:"[1]" min:"0" max:"2" spread:"yes" doc:"ζ, damping ratio: 1 does not overshoot; one, or one for each joint"`
	Friction  block.Param[float64]   `default:"1" min:"0" max:"1" doc:"share of the friction in the description that is compensated"`
	Speed     block.Param[float64]   `unit:"{Coordinate}/s" default:"0.5" min:"0" doc:"with which lead shrinks"`

	Position            block.In[[]float64]  `required:"yes" trigger:"yes" unit:"{Coordinate}" doc:"measured positions"`
	Velocity            block.In[[]float64]  `required:"yes" unit:"{Coordinate}/s" doc:"measured velocities"`
	Desired             block.In[[]float64]  `required:"yes" unit:"{Coordinate}" doc:"desired positions"`
	DesiredVelocity     block.In[[]float64]  `unit:"{Coordinate}/s" doc:"their velocities; without a link 0, as for goals at rest: a moving joint is held back by its damping"`
	DesiredAcceleration block.In[[]float64]  `unit:"{Coordinate}/s²" doc:"their accelerations; without a link 0: a joint lags while it accelerates"`
	Torque              block.Out[[]float64] `unit:"{Coordinate.force}" safe:"0" doc:"commands to the joints"`
	Error               block.Out[[]float64] `unit:"{Coordinate}" watch:"yes" doc:"qd - q"`
	Wrenches            block.Out[[]float64] `unit:"N, N m" doc:"what the joints transmit to the links that they carry: force and moment of each in turn, in the axes of the link"`

	joints  commanded
	q, v    []float64 // measured, of the joints commanded
	viscous []float64 // of the joints commanded, N m s/rad
	links   []int     // that the joints commanded carry
	law     *control.ComputedTorque
	target  target
	whole   struct{ position, velocity, acceleration, torque []float64 } // desired, of the whole robot; other joints go on as measured
}

// Setup reads the model; the number of its joints is that of the ports' elements.
func (c *ComputedTorque) Setup(s *block.Setup) error {
	model, joints, err := readModel(s, robotfile.Constants{URDF: c.URDF.Value(), SRDF: c.SRDF.Value(), Locked: c.Locked.Value(), Joints: c.Joints.Value(), Coordinate: c.Coordinate.Value()})
	if err != nil {
		return err
	}
	n := len(joints.at)
	vector := func(n int) []float64 { return make([]float64, n) }
	s.Len(joints.robot, &c.Position, &c.Velocity)
	s.Len(n, &c.Desired, &c.DesiredVelocity, &c.DesiredAcceleration, &c.Torque, &c.Error)
	s.Len(6*n, &c.Wrenches)
	c.joints, c.q, c.v, c.viscous = joints, vector(n), vector(n), vector(n)
	c.law, c.target = control.NewComputedTorque(model), newTarget(n)
	c.whole.position, c.whole.velocity = vector(joints.robot), vector(joints.robot)
	c.whole.acceleration, c.whole.torque = vector(joints.robot), vector(joints.robot)
	damping, carried := vector(joints.robot), make([]int, joints.robot)
	for _, j := range model.Joints() {
		if j.Mimic == nil && j.Type.NV() == 1 {
			damping[j.V] = j.Damping
			if carried[j.V], err = model.Link(j.Child); err != nil {
				return err
			}
		}
	}
	c.links = c.links[:0]
	for _, k := range joints.at {
		c.links = append(c.links, carried[k])
	}
	joints.pick(damping, c.viscous)
	return errors.Join(spread("bandwidth", &c.Bandwidth, n), spread("damping", &c.Damping, n))
}

// Start forgets the motion before.
func (c *ComputedTorque) Start() error {
	c.Restart()
	return nil
}

// Restart implements [block.Restarter].
func (c *ComputedTorque) Restart() { c.target.restart() }

// Step commands the torques.
func (c *ComputedTorque) Step(t clock.Tick) error {
	position, status := c.Position.Read()
	if status == block.NoData {
		return nil
	}
	velocity, _ := c.Velocity.Read()
	c.joints.pick(position, c.q)
	c.joints.pick(velocity, c.v)
	c.target.step(t, c.q, &c.Desired, &c.DesiredVelocity, nil, c.Speed.Value())
	acceleration, _ := c.DesiredAcceleration.Read()
	copy(c.whole.position, position)
	copy(c.whole.velocity, velocity)
	for i, k := range c.joints.at {
		c.whole.position[k], c.whole.velocity[k], c.whole.acceleration[k] = c.target.position[i], c.target.velocity[i], finite(acceleration[i])
		c.law.Bandwidth[k], c.law.Damping[k] = c.Bandwidth.Value()[i], c.Damping.Value()[i]
	}
	c.law.Step(position, velocity, c.whole.position, c.whole.velocity, c.whole.acceleration, c.whole.torque)
	torque, off, wrenches := *c.Torque.Slot(), *c.Error.Slot(), *c.Wrenches.Slot()
	for i, k := range c.joints.at {
		torque[i] = c.whole.torque[k] + c.Friction.Value()*c.viscous[i]*c.v[i]
		off[i] = c.target.position[i] - c.q[i]
		wrench := c.law.JointForce(c.links[i], multibody.Local).Vec()
		copy(wrenches[6*i:], wrench[:])
	}
	c.Torque.Commit()
	c.Error.Commit()
	c.Wrenches.Commit()
	return nil
}
