package servo

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Impedance lets N joints feel like springs with dampers whose ends move as desired: joint impedance control with
// gravity compensation (Albu-Schäffer, Ott and Hirzinger, A unified passivity-based control framework for position,
// torque and impedance control of flexible joint robots, 2007, for joints that do not flex).
//
//	torque = gravity + K (qd - q) + D (qd' - q'),   D[i] = 2 ζ[i] √(K[i] M[i,i](q)),   qd = desired + lead
//
//	 position, velocity ─► ┌───────────┐
//	   gravity, inertia ─► │ Impedance ├─► torque
//	desired, its velocity ─► └───────────┘
//
// lead takes up the way between where the joints are and where they should be when the controller begins, when desired
// comes for the first time and when the controller has been interrupted; then it goes at the given speed to offset,
// which is the operator's. So nothing that happens to the desired positions makes a jump but a jump of desired itself. Without
// desired positions, or where one is not finite, a joint keeps the last one it had.
type Impedance struct {
	N block.Const[int] `default:"1" min:"1" max:"1000" doc:"number of joints"`

	Stiffness block.Param[[]float64] `unit:"N m/rad" default:"[100]" min:"0" doc:"K: one, or one for each joint"`
	Damping   block.Param[[]float64] `default:"[0.7]" min:"0" max:"2" doc:"ζ, damping ratio: 1 does not overshoot; one, or one for each joint"`
	Offset    block.Param[[]float64] `unit:"rad" default:"[0]" doc:"what is added to the desired positions by hand: one, or one for each joint"`
	Speed     block.Param[float64]   `unit:"rad/s" default:"0.5" min:"0" doc:"with which the joints go to a new offset"`

	Position        block.In[[]float64]  `unit:"rad" doc:"measured positions"`
	Velocity        block.In[[]float64]  `unit:"rad/s" doc:"measured velocities"`
	Gravity         block.In[[]float64]  `trigger:"yes" unit:"N m" doc:"torques that hold the joints, from a RobotModel"`
	Inertia         block.In[[]float64]  `unit:"kg m²" doc:"inertia about each joint, from a RobotModel"`
	Desired         block.In[[]float64]  `unit:"rad" doc:"desired positions"`
	DesiredVelocity block.In[[]float64]  `unit:"rad/s" doc:"their velocities"`
	Torque          block.Out[[]float64] `unit:"N m" safe:"0" doc:"commands to the joints"`
	Target          block.Out[[]float64] `unit:"rad" doc:"qd, where the springs pull to"`

	desired   []float64 // the last finite ones
	lead      []float64
	began     bool
	following bool // desired has come
}

// interruption is the time without a step after which the controller begins anew, s.
const interruption = 0.1

// Setup makes ports and parameters of N elements.
func (c *Impedance) Setup(s *block.Setup) error {
	n := c.N.Value()
	s.Len(n, &c.Position, &c.Velocity, &c.Gravity, &c.Inertia, &c.Desired, &c.DesiredVelocity, &c.Torque, &c.Target)
	c.desired, c.lead = make([]float64, n), make([]float64, n)
	return errors.Join(spread("stiffness", &c.Stiffness, n), spread("damping", &c.Damping, n), spread("offset", &c.Offset, n))
}

// Start forgets what was.
func (c *Impedance) Start() error {
	c.began, c.following = false, false
	return nil
}

// Step commands the torques.
func (c *Impedance) Step(t clock.Tick) error {
	q, known := c.Position.Read()
	gravity, model := c.Gravity.Read()
	if known == block.NoData || model == block.NoData {
		return nil
	}
	v, _ := c.Velocity.Read()
	inertia, _ := c.Inertia.Read()
	c.follow(q, t.Seconds())
	rate, _ := c.DesiredVelocity.Read()
	torque, target, way := *c.Torque.Slot(), *c.Target.Slot(), c.Speed.Value()*t.Seconds()
	stiffness, ratio, offset := c.Stiffness.Value(), c.Damping.Value(), c.Offset.Value()
	for i := range torque {
		move := min(max(offset[i]-c.lead[i], -way), way)
		c.lead[i] += move
		target[i] = c.desired[i] + c.lead[i]
		speed := finite(rate[i])
		if way > 0 {
			speed += move / t.Seconds()
		}
		damping := 2 * ratio[i] * math.Sqrt(stiffness[i]*inertia[i])
		torque[i] = gravity[i] + stiffness[i]*(target[i]-q[i]) + damping*(speed-v[i])
	}
	c.Torque.Commit()
	c.Target.Commit()
	return nil
}

// follow takes the desired positions, and makes up for the way to them at a beginning.
func (c *Impedance) follow(q []float64, dt float64) {
	want, status := c.Desired.Read()
	begins := !c.began || dt > interruption || !c.following && status != block.NoData
	if !c.began {
		copy(c.desired, q)
	}
	c.began, c.following = true, status != block.NoData
	if c.following {
		for i, x := range want {
			if x-x == 0 {
				c.desired[i] = x
			}
		}
	}
	if begins {
		for i := range c.lead {
			c.lead[i] = q[i] - c.desired[i]
		}
	}
}

// finite returns x, or 0 where it is no finite number.
func finite(x float64) float64 {
	if x-x != 0 {
		return 0
	}
	return x
}
