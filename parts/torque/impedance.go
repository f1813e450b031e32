package torque

import (
	"errors"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/control"
)

// Impedance lets N joints feel like springs with dampers whose ends move as desired: joint impedance control with
// gravity compensation (Albu-Schäffer, Ott and Hirzinger, A unified passivity-based control framework for position,
// torque and impedance control of flexible joint robots, 2007, for joints that do not flex).
//
//	torque = gravity + M(q) qd'' + K (qd - q) + D (qd' - q'),   qd = desired + lead
//	D = 2 ζ Q K₀^½ Qᵀ  with  M(q) = Q Qᵀ,  K = Q K₀ Qᵀ
//
//	 position, velocity ─► ┌───────────┐
//	   gravity, inertia ─► │ Impedance ├─► torque
//	desired, its velocity ─► └───────────┘
//	     and acceleration
//
// The damping matrix D couples the joints as their inertia does, so that each mode of motion has the damping ratio ζ
// (Albu-Schäffer et al. 2003: [control.ModalDamping]). Where ζ differs between joints, D[i,j] has √(ζ[i] ζ[j]).
//
// lead takes up the way between where the joints are and where they should be when the controller begins, when desired
// comes for the first time and when the controller has been interrupted; then it goes at the given speed to offset,
// which the operator sets. So the target jumps only where desired itself jumps. Without desired positions, or where one is
// not finite, a joint keeps the last one it had.
type Impedance struct {
	N block.Const[int] `default:"1" min:"1" max:"1000" doc:"number of joints"`

	Stiffness block.Param[[]float64] `unit:"N m/rad" default:"[100]" min:"0" spread:"yes" doc:"K: one, or one for each joint"`
	Damping   block.Param[[]float64] `default:"[0.7]" min:"0" max:"2" spread:"yes" doc:"ζ, damping ratio: 1 does not overshoot; one, or one for each joint"`
	Offset    block.Param[[]float64] `unit:"rad" default:"[0]" spread:"yes" doc:"added to the desired positions by hand: one, or one for each joint"`
	Speed     block.Param[float64]   `unit:"rad/s" default:"0.5" min:"0" doc:"with which the joints go to a new offset"`

	Position            block.In[[]float64]  `required:"yes" unit:"rad" doc:"measured positions"`
	Velocity            block.In[[]float64]  `required:"yes" unit:"rad/s" doc:"measured velocities"`
	Gravity             block.In[[]float64]  `required:"yes" trigger:"yes" unit:"N m" doc:"torques that hold the joints, from a RobotModel"`
	Inertia             block.In[[]float64]  `required:"yes" unit:"kg m²" doc:"inertia matrix of the joints, n × n row by row, from a RobotModel"`
	Desired             block.In[[]float64]  `unit:"rad" doc:"desired positions"`
	DesiredVelocity     block.In[[]float64]  `unit:"rad/s" doc:"their velocities"`
	DesiredAcceleration block.In[[]float64]  `unit:"rad/s²" doc:"their accelerations; without data: 0"`
	Torque              block.Out[[]float64] `unit:"N m" safe:"0" doc:"commands to the joints"`
	Target              block.Out[[]float64] `unit:"rad" doc:"qd, where the springs pull to"`

	design *control.ModalDamping
	target target
	rate   []float64 // of the target, relative to the joints
}

// Setup makes ports and parameters of N elements.
func (c *Impedance) Setup(s *block.Setup) error {
	n := c.N.Value()
	s.Len(n, &c.Position, &c.Velocity, &c.Gravity, &c.Desired, &c.DesiredVelocity, &c.DesiredAcceleration, &c.Torque, &c.Target)
	s.Len(n*n, &c.Inertia)
	c.design, c.target, c.rate = control.NewModalDamping(n), newTarget(n), make([]float64, n)
	return errors.Join(spread("stiffness", &c.Stiffness, n), spread("damping", &c.Damping, n), spread("offset", &c.Offset, n))
}

// Start forgets the motion before.
func (c *Impedance) Start() error {
	c.Restart()
	return nil
}

// Restart implements [block.Restarter].
func (c *Impedance) Restart() { c.target.restart() }

// Step commands the torques.
func (c *Impedance) Step(t clock.Tick) error {
	q, known := c.Position.Read()
	gravity, model := c.Gravity.Read()
	if known == block.NoData || model == block.NoData {
		return nil
	}
	v, _ := c.Velocity.Read()
	inertia, _ := c.Inertia.Read()
	c.target.step(t, q, &c.Desired, &c.DesiredVelocity, c.Offset.Value(), c.Speed.Value())
	torque, target, stiffness := *c.Torque.Slot(), c.target.position, c.Stiffness.Value()
	for i := range c.rate {
		c.rate[i] = c.target.velocity[i] - v[i]
	}
	c.design.Design(inertia, stiffness, c.Damping.Value()) // a model under way may have no inertia yet: the last one serves
	damping, n := c.design.Matrix(), len(torque)
	acceleration, _ := c.DesiredAcceleration.Read()
	for i := range torque {
		torque[i] = gravity[i] + stiffness[i]*(target[i]-q[i])
		for k, r := range c.rate {
			torque[i] += damping[i*n+k]*r + inertia[i*n+k]*finite(acceleration[k])
		}
	}
	c.Torque.Commit()
	c.Target.Write(target)
	return nil
}
