package torque

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
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
// begins, when desired comes for the first time and when the controller has been interrupted; it shrinks at the given speed. Without
// desired positions, or where one is not finite, a joint keeps the last one it had.
//
// Elements are in the order of the model: depth first, and by name where links branch. Rotors are those of the SRDF.
type ComputedTorque struct {
	URDF   block.Const[string]   `required:"yes" doc:"file of the robot's links and joints"`
	SRDF   block.Const[string]   `doc:"file of the rotors of its motors; default: none"`
	Locked block.Const[[]string] `doc:"joints that do not move, as name or name=position [rad or m]"`

	Bandwidth block.Param[[]float64] `unit:"rad/s" default:"[20]" min:"0" spread:"yes" doc:"ω, how fast an error decays: one, or one for each joint"`
	Damping   block.Param[[]float64] `default:"[1]" min:"0" max:"2" spread:"yes" doc:"ζ, damping ratio: 1 does not overshoot; one, or one for each joint"`
	Friction  block.Param[float64]   `default:"1" min:"0" max:"1" doc:"share of the friction in the description that is compensated"`
	Speed     block.Param[float64]   `unit:"rad/s" default:"0.5" min:"0" doc:"with which lead shrinks"`

	Position            block.In[[]float64]  `required:"yes" trigger:"yes" unit:"rad" doc:"measured positions"`
	Velocity            block.In[[]float64]  `required:"yes" unit:"rad/s" doc:"measured velocities"`
	Desired             block.In[[]float64]  `unit:"rad" doc:"desired positions"`
	DesiredVelocity     block.In[[]float64]  `unit:"rad/s" doc:"their velocities"`
	DesiredAcceleration block.In[[]float64]  `unit:"rad/s²" doc:"their accelerations"`
	Torque              block.Out[[]float64] `unit:"N m" safe:"0" doc:"commands to the joints"`
	Error               block.Out[[]float64] `unit:"rad" watch:"yes" doc:"qd - q"`

	law          *control.ComputedTorque
	target       target
	viscous      []float64 // N m s/rad
	acceleration []float64
}

// Setup reads the model; the number of its joints is that of the ports' elements.
func (c *ComputedTorque) Setup(s *block.Setup) error {
	tree, err := readTree(s, c.URDF.Value(), c.SRDF.Value(), c.Locked.Value())
	if err != nil {
		return err
	}
	model, err := multibody.NewModel(tree)
	if err != nil {
		return fmt.Errorf("%s: %w", c.URDF.Value(), err)
	}
	n := model.NV()
	s.Len(n, &c.Position, &c.Velocity, &c.Desired, &c.DesiredVelocity, &c.DesiredAcceleration, &c.Torque, &c.Error)
	c.law, c.target, c.acceleration, c.viscous = control.NewComputedTorque(model), newTarget(n), make([]float64, n), make([]float64, n)
	for _, j := range model.Joints() {
		if j.Mimic == nil && j.Type.NV() == 1 {
			c.viscous[j.V] = j.Damping
		}
	}
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
	q, status := c.Position.Read()
	if status == block.NoData {
		return nil
	}
	v, _ := c.Velocity.Read()
	c.target.step(t, q, &c.Desired, &c.DesiredVelocity, nil, c.Speed.Value())
	acceleration, _ := c.DesiredAcceleration.Read()
	for i, a := range acceleration {
		c.acceleration[i] = finite(a)
	}
	c.law.Bandwidth, c.law.Damping = c.Bandwidth.Value(), c.Damping.Value()
	torque, off := *c.Torque.Slot(), *c.Error.Slot()
	c.law.Step(q, v, c.target.position, c.target.velocity, c.acceleration, torque)
	for i := range torque {
		torque[i] += c.Friction.Value() * c.viscous[i] * v[i]
		off[i] = c.target.position[i] - q[i]
	}
	c.Torque.Commit()
	c.Error.Commit()
	return nil
}
