package torque

import (
	"errors"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/parts/robotfile"
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
// which the operator sets. So the target jumps only where desired itself jumps. Before the first desired positions come, or where one is
// not finite, a joint keeps the last one it had.
//
// The joints are n, or those of a description. There joints selects those to command: position and velocity are those of all joints
// that are not locked, all other elements those of the joints selected, in the order of their names.
type Impedance struct {
	N          block.Const[int]      `default:"1" min:"1" max:"1000" doc:"number of joints if there is no description"`
	URDF       block.Const[string]   `doc:"file of the robot's links and joints, in place of n"`
	SRDF       block.Const[string]   `doc:"file of groups of its joints; default: none"`
	Locked     block.Const[[]string] `doc:"joints that do not move, as name or name=position [rad or m]"`
	Joints     block.Const[[]string] `doc:"joints to command, each by name or by a group of the SRDF file; default: all"`
	Coordinate block.Const[string]   `default:"rad" doc:"unit of the positions: rad, or m where all joints slide, with forces in N; with rad, elements of joints that slide are in m and N; without a description any"`

	Stiffness block.Param[[]float64] `unit:"{Coordinate.force}/{Coordinate}" default:"[100]" min:"0" spread:"yes" doc:"K: one, or one for each joint"`
	Damping   block.Param[[]float64] `default:"[0.7]" min:"0" max:"2" spread:"yes" doc:"ζ, damping ratio: 1 does not overshoot; one, or one for each joint"`
	Offset    block.Param[[]float64] `unit:"{Coordinate}" default:"[0]" spread:"yes" doc:"added to the desired positions by hand: one, or one for each joint"`
	Speed     block.Param[float64]   `unit:"{Coordinate}/s" default:"0.5" min:"0" doc:"with which the joints go to a new offset"`

	Position            block.In[[]float64]  `required:"yes" unit:"{Coordinate}" doc:"measured positions"`
	Velocity            block.In[[]float64]  `required:"yes" unit:"{Coordinate}/s" doc:"measured velocities"`
	Gravity             block.In[[]float64]  `required:"yes" trigger:"yes" unit:"{Coordinate.force}" doc:"torques that hold the joints, from a RobotModel"`
	Inertia             block.In[[]float64]  `required:"yes" unit:"{Coordinate.inertia}" doc:"inertia matrix of the joints, n × n row by row, from a RobotModel"`
	Desired             block.In[[]float64]  `required:"yes" unit:"{Coordinate}" doc:"desired positions"`
	DesiredVelocity     block.In[[]float64]  `unit:"{Coordinate}/s" doc:"their velocities; without a link 0, as for goals at rest: a moving joint is held back by its damping"`
	DesiredAcceleration block.In[[]float64]  `unit:"{Coordinate}/s²" doc:"their accelerations; without a link 0: a joint lags while it accelerates"`
	Torque              block.Out[[]float64] `unit:"{Coordinate.force}" safe:"0" doc:"commands to the joints"`
	Target              block.Out[[]float64] `unit:"{Coordinate}" doc:"qd, where the springs pull to"`

	joints commanded
	q, v   []float64 // measured, of the joints commanded
	design *control.ModalDamping
	target target
	rate   []float64 // of the target, relative to the joints
}

// Setup makes ports and parameters of N elements.
func (c *Impedance) Setup(s *block.Setup) error {
	var err error
	if c.joints, err = countJoints(s, robotfile.Constants{URDF: c.URDF.Value(), SRDF: c.SRDF.Value(), Locked: c.Locked.Value(), Joints: c.Joints.Value(), Coordinate: c.Coordinate.Value()}, c.N.Value()); err != nil {
		return err
	}
	n := len(c.joints.at)
	c.q, c.v = make([]float64, n), make([]float64, n)
	s.Len(c.joints.robot, &c.Position, &c.Velocity)
	s.Len(n, &c.Gravity, &c.Desired, &c.DesiredVelocity, &c.DesiredAcceleration, &c.Torque, &c.Target)
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
	position, known := c.Position.Read()
	gravity, model := c.Gravity.Read()
	if known == block.NoData || model == block.NoData {
		return nil
	}
	velocity, _ := c.Velocity.Read()
	c.joints.pick(position, c.q)
	c.joints.pick(velocity, c.v)
	inertia, _ := c.Inertia.Read()
	c.target.step(t, c.q, &c.Desired, &c.DesiredVelocity, c.Offset.Value(), c.Speed.Value())
	torque, target, stiffness := *c.Torque.Slot(), c.target.position, c.Stiffness.Value()
	for i := range c.rate {
		c.rate[i] = c.target.velocity[i] - c.v[i]
	}
	c.design.Design(inertia, stiffness, c.Damping.Value()) // a model under way may have no inertia yet: the last one serves
	damping, n := c.design.Matrix(), len(torque)
	acceleration, _ := c.DesiredAcceleration.Read()
	for i := range torque {
		torque[i] = gravity[i] + stiffness[i]*(target[i]-c.q[i])
		for k, r := range c.rate {
			torque[i] += damping[i*n+k]*r + inertia[i*n+k]*finite(acceleration[k])
		}
	}
	c.Torque.Commit()
	c.Target.Write(target)
	return nil
}
