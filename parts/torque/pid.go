package torque

import (
	"errors"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/parts/robotfile"
	"github.com/sinew-robotics/sinew/robot/control"
)

// PID controls N joints that are commanded torques, each on its own, with gravity compensation.
//
//	torque = gravity + Ka qd'' + sat( Kp e + I + Kd e' ),   e = qd - q,   I = ∫ Ki e dt,   qd = desired + lead
//
//	 position, velocity ─► ┌─────┐
//	            gravity ─► │ PID ├─► torque
//	desired, its velocity ─► └─────┘
//	     and acceleration
//
// The integral stops while the command is at its limit and the error drives it further (Åström and Hägglund 1995, section 3.5). lead is
// that of [ComputedTorque]. Before the first desired positions come, or where one is not finite, a joint keeps the last one it had.
//
// The joints are n, or those of a description. There joints selects those to command: position and velocity are those of all joints
// that are not locked, all other elements those of the joints selected, in the order of their names.
type PID struct {
	N          block.Const[int]      `default:"1" min:"1" max:"1000" doc:"number of joints if there is no description"`
	URDF       block.Const[string]   `doc:"file of the robot's links and joints, in place of n"`
	SRDF       block.Const[string]   `doc:"file of groups of its joints; default: none"`
	Locked     block.Const[[]string] `doc:"joints that do not move, as name or name=position [rad or m]"`
	Joints     block.Const[[]string] `doc:"joints to command, each by name or by a group of the SRDF file; default: all"`
	Coordinate block.Const[string]   `default:"rad" doc:"unit of the positions: rad, or m where all joints slide, with forces in N; with rad, elements of joints that slide are in m and N; without a description any"`

	Kp    block.Param[[]float64] `unit:"{Coordinate.force}/{Coordinate}" default:"[100]" min:"0" spread:"yes" doc:"proportional gain: one, or one for each joint"`
	Ki    block.Param[[]float64] `unit:"{Coordinate.force}/({Coordinate} s)" default:"[0]" min:"0" spread:"yes" doc:"integral gain: one, or one for each joint"`
	Kd    block.Param[[]float64] `unit:"{Coordinate.force} s/{Coordinate}" default:"[10]" min:"0" spread:"yes" doc:"differential gain: one, or one for each joint"`
	Ka    block.Param[[]float64] `unit:"{Coordinate.inertia}" default:"[0]" min:"0" spread:"yes" doc:"inertia to feed the desired acceleration forward with: one, or one for each joint"`
	Limit block.Param[[]float64] `unit:"{Coordinate.force}" default:"[0]" min:"0" spread:"yes" doc:"greatest torque beside gravity's: one, or one for each joint; 0: none"`
	Speed block.Param[float64]   `unit:"{Coordinate}/s" default:"0.5" min:"0" doc:"with which lead shrinks"`

	Position            block.In[[]float64]  `required:"yes" trigger:"yes" unit:"{Coordinate}" doc:"measured positions"`
	Velocity            block.In[[]float64]  `required:"yes" unit:"{Coordinate}/s" doc:"measured velocities"`
	Gravity             block.In[[]float64]  `required:"yes" unit:"{Coordinate.force}" doc:"torques that hold the joints, from a RobotModel; a flow.Constant of zeros where no weight acts on them"`
	Desired             block.In[[]float64]  `required:"yes" unit:"{Coordinate}" doc:"desired positions"`
	DesiredVelocity     block.In[[]float64]  `unit:"{Coordinate}/s" doc:"their velocities; without a link 0, as for goals at rest: a moving joint is held back by its damping"`
	DesiredAcceleration block.In[[]float64]  `unit:"{Coordinate}/s²" doc:"their accelerations; without a link 0: a joint lags while it accelerates"`
	Torque              block.Out[[]float64] `unit:"{Coordinate.force}" safe:"0" doc:"commands to the joints"`
	Error               block.Out[[]float64] `unit:"{Coordinate}" watch:"yes" doc:"qd - q"`

	joints commanded
	q, v   []float64 // measured, of the joints commanded
	laws   []control.PositionPID
	target target
}

var errNotFinite = errors.New("a measured position or velocity, or the torque for it, is not a finite number")

// Setup makes ports and parameters of N elements.
func (c *PID) Setup(s *block.Setup) error {
	var err error
	if c.joints, err = countJoints(s, robotfile.Constants{URDF: c.URDF.Value(), SRDF: c.SRDF.Value(), Locked: c.Locked.Value(), Joints: c.Joints.Value(), Coordinate: c.Coordinate.Value()}, c.N.Value()); err != nil {
		return err
	}
	n := len(c.joints.at)
	c.q, c.v = make([]float64, n), make([]float64, n)
	s.Len(c.joints.robot, &c.Position, &c.Velocity)
	s.Len(n, &c.Gravity, &c.Desired, &c.DesiredVelocity, &c.DesiredAcceleration, &c.Torque, &c.Error)
	c.laws, c.target = make([]control.PositionPID, n), newTarget(n)
	return errors.Join(spread("kp", &c.Kp, n), spread("ki", &c.Ki, n), spread("kd", &c.Kd, n), spread("ka", &c.Ka, n), spread("limit", &c.Limit, n))
}

// Start forgets the motion before.
func (c *PID) Start() error {
	c.Restart()
	return nil
}

// Restart implements [block.Restarter].
func (c *PID) Restart() {
	c.target.restart()
	clear(c.laws)
}

// Step commands the torques.
func (c *PID) Step(t clock.Tick) error {
	position, status := c.Position.Read()
	if status == block.NoData {
		return nil
	}
	if t.Seconds() > interruption {
		clear(c.laws)
	}
	velocity, _ := c.Velocity.Read()
	c.joints.pick(position, c.q)
	c.joints.pick(velocity, c.v)
	gravity, _ := c.Gravity.Read()
	c.target.step(t, c.q, &c.Desired, &c.DesiredVelocity, nil, c.Speed.Value())
	acceleration, _ := c.DesiredAcceleration.Read()
	torque, off := *c.Torque.Slot(), *c.Error.Slot()
	for i := range torque {
		law := &c.laws[i]
		law.Kp, law.Ki, law.Kd, law.Limit = c.Kp.Value()[i], c.Ki.Value()[i], c.Kd.Value()[i], c.Limit.Value()[i]
		off[i] = c.target.position[i] - c.q[i]
		u, ok := law.Step(off[i], c.target.velocity[i]-c.v[i], t.Seconds())
		if !ok {
			return errNotFinite
		}
		torque[i] = gravity[i] + c.Ka.Value()[i]*finite(acceleration[i]) + u
	}
	c.Torque.Commit()
	c.Error.Commit()
	return nil
}
