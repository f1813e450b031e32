package servo

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/parts/robotfile"
	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Kinematics is the kinematic problem of a robot as a module with Sense and Control (Scholl, Albiez and Gassmann 2001, section
// 2.1): direct towards the sensors, inverse from the commands.
//
//	sense:    pose of the link at q, J(q), velocity = J(q) q'
//	control:  the q within the limits of the joints for which the link has the target's pose
//
//	        joints, joint_velocity ─► ┌───────┐
//	                                  │ sense ├─► position, orientation, velocity, jacobian
//	                                  ├───────┤
//	target_position, _orientation  ─► │control├─► command, reached, reason, limited, distance, angle
//	                                  └───────┘
//
// Poses are those of the link's frame in the frame of the robot's base. Linear velocities are those of its origin, angular ones
// follow, both in the axes of the base; jacobian has its six rows one behind the other, in this order.
//
// The search ([ik.Solver]) begins at the last command, the first one at the measured joints. With attempts above 1 it begins again
// at random, and the command may then jump to another posture. For an arm of seven joints a target next to the last one takes
// some microseconds, one that cannot be reached up to some milliseconds, because its reason is sought: iterations and attempts
// bound them.
//
// A pose that the joints cannot give is not commanded: command stays, reached is false, and reason, limited, distance and angle
// describe the nearest posture that was found. Each time that reached becomes false, the event unreachable is emitted.
type Kinematics struct {
	URDF         block.Const[string]   `required:"yes" doc:"file of the robot's links and joints: URDF, xacro, rlmdl or rlkin"`
	Link         block.Const[string]   `required:"yes" doc:"name of the link whose pose it is, such as that of the tool"`
	Locked       block.Const[[]string] `doc:"joints that do not move, as name or name=position [rad or m]"`
	Coordinate   block.Const[string]   `default:"rad" doc:"unit of the positions: rad, or m where all joints slide; with rad, elements of joints that slide are in m"`
	PositionOnly block.Const[bool]     `doc:"the link may have any orientation at the target: there is no target_orientation"`

	Attempts   block.Param[int64]   `default:"1" min:"1" max:"60" doc:"searches for a target: the first one begins at the last command, the others at random"`
	Iterations block.Param[int64]   `default:"30" min:"1" max:"1000" doc:"steps of one search at most: they bound the time of Control"`
	Linear     block.Param[float64] `unit:"m" default:"1e-6" min:"1e-9" max:"0.1" doc:"distance to the target within which it is reached"`
	Angular    block.Param[float64] `unit:"rad" default:"1e-6" min:"1e-9" max:"0.1" doc:"rotation to the target within which it is reached"`

	Joints        block.In[[]float64]   `part:"sense" required:"yes" trigger:"yes" unit:"{Coordinate}" doc:"measured positions of the joints"`
	JointVelocity block.In[[]float64]   `part:"sense" missing:"0" unit:"{Coordinate}/s" doc:"measured velocities of the joints; without a link they count as 0, and so does the velocity of the link"`
	Position      block.Out[[3]float64] `part:"sense" unit:"m" doc:"of the link"`
	Orientation   block.Out[[4]float64] `part:"sense" doc:"of the link: quaternion x y z w"`
	Velocity      block.Out[[6]float64] `part:"sense" doc:"of the link: linear, then angular [m/s, rad/s]"`
	Jacobian      block.Out[[]float64]  `part:"sense" doc:"geometric Jacobian of the link, 6 × n row by row [m/{Coordinate}, rad/{Coordinate}]"`

	TargetPosition    block.In[[3]float64] `part:"control" required:"yes" trigger:"yes" unit:"m" doc:"wanted position of the link"`
	TargetOrientation block.In[[4]float64] `part:"control" required:"yes" trigger:"yes" doc:"wanted orientation of the link: quaternion x y z w, of any length but 0"`
	Command           block.Out[[]float64] `part:"control" unit:"{Coordinate}" show:"joint_desired" doc:"positions of the joints for the last target that was reached"`
	Reached           block.Out[bool]      `part:"control" safe:"false" watch:"yes" doc:"command brings the link to the target"`
	Reason            block.Out[int64]     `part:"control" doc:"0: reached, 1: out of reach, 2: limit of a joint, 3: singular, 4: not found, 5: the target is no pose"`
	Limited           block.Out[int64]     `part:"control" doc:"number of the joint whose limit is in the way, from 1; 0: none"`
	Distance          block.Out[float64]   `part:"control" unit:"m" doc:"from the nearest posture to the target"`
	Angle             block.Out[float64]   `part:"control" unit:"rad" doc:"from the nearest posture to the target"`

	Unreachable block.Event[Unreachable] `part:"control" doc:"a target cannot be reached"`

	data    *multibody.Data
	solver  *ik.Solver
	link    int
	tasks   []ik.Task
	numbers map[string]int64 // of the joints
	seed, q []float64
	begun   bool // the seed is a command
	failing bool
}

// Unreachable explains why a target cannot be reached.
type Unreachable struct {
	Reason  int64 `doc:"1: out of reach, 2: limit of a joint, 3: singular, 4: not found, 5: the target is no pose"`
	Limited int64 `doc:"number of the joint whose limit is in the way, from 1; 0: none"`
}

// noPose is the Reason of a target with numbers that are not finite, or with an orientation of length 0. Those below it are 1 +
// [ik.Reason].
const noPose = 5

// Setup reads the robot.
func (k *Kinematics) Setup(s *block.Setup) error {
	robot, err := robotfile.Read(s, robotfile.Constants{URDF: k.URDF.Value(), Locked: k.Locked.Value(), Coordinate: k.Coordinate.Value()})
	if err != nil {
		return err
	}
	model, err := robot.Model()
	if err != nil {
		return err
	}
	if k.link, err = model.Link(k.Link.Value()); err != nil {
		return fmt.Errorf("link: %s has no link %q%s; it has %s", k.URDF.Value(), k.Link.Value(),
			nearest.Hint(k.Link.Value(), model.Links()), strings.Join(model.Links(), ", "))
	}
	k.data, k.solver = multibody.NewData(model), ik.NewSolver(model)
	k.seed, k.q = model.Neutral(), model.Neutral()
	k.numbers = map[string]int64{}
	for _, j := range model.Joints() {
		if j.Mimic == nil && j.Type.NV() > 0 {
			k.numbers[j.Name] = int64(len(k.numbers) + 1)
		}
	}
	s.Len(model.NQ(), &k.Joints, &k.Command)
	s.Len(model.NV(), &k.JointVelocity)
	s.Len(6*model.NV(), &k.Jacobian)
	task := ik.Reach(k.link, spatial.IdentityPose())
	if k.PositionOnly.Value() {
		task.Weight = [6]float64{1, 1, 1}
		s.Omit("its parameter position_only is true", &k.TargetOrientation)
	}
	k.tasks = []ik.Task{task}
	return k.CheckParams()
}

// CheckParams copies the parameters into the solver.
func (k *Kinematics) CheckParams() error {
	k.solver.Attempts, k.solver.Iterations = int(k.Attempts.Value()), int(k.Iterations.Value())
	k.solver.Linear, k.solver.Angular = k.Linear.Value(), k.Angular.Value()
	return nil
}

var errJoints = errors.New("joints has a number that is not finite")

// Sense writes pose, Jacobian and velocity at the measured joints.
func (k *Kinematics) Sense(clock.Tick) error {
	q, _ := k.Joints.Read()
	for _, x := range q {
		if x-x != 0 {
			return errJoints
		}
	}
	if !k.begun {
		copy(k.seed, q)
	}
	J := *k.Jacobian.Slot()
	pose := multibody.Jacobian(k.data, q, k.link, multibody.Mixed, J)
	orientation := pose.R.Quat()
	k.Position.Write([3]float64{pose.P.X, pose.P.Y, pose.P.Z})
	k.Orientation.Write([4]float64{orientation.X, orientation.Y, orientation.Z, orientation.W})
	k.Jacobian.Commit()
	v, _ := k.JointVelocity.Read()
	twist := [6]float64{}
	for r := range twist {
		for i, x := range v {
			twist[r] += J[r*len(v)+i] * x
		}
	}
	k.Velocity.Write(twist)
	return nil
}

// Control searches the command for a target. One that cannot be reached is no error: it emits unreachable, and writes no command.
func (k *Kinematics) Control(clock.Tick) error {
	p, status := k.TargetPosition.Read()
	r, turned := k.TargetOrientation.Read()
	if k.PositionOnly.Value() {
		r, turned = [4]float64{3: 1}, block.NewData
	}
	if status == block.NoData || turned == block.NoData {
		return nil
	}
	orientation := spatial.Quat{X: r[0], Y: r[1], Z: r[2], W: r[3]}
	length := orientation.Norm()
	if !(length > 0) || length-length != 0 {
		k.fail(noPose, 0, 0, 0)
		return nil
	}
	k.tasks[0].Target = spatial.Pose{R: orientation.Scale(1 / length).Mat3(), P: spatial.Vec3{X: p[0], Y: p[1], Z: p[2]}}
	switch err := k.solver.Solve(k.seed, k.tasks, k.q); failure := err.(type) { // errors.As would allocate
	case nil:
		k.reach()
	case *ik.Failure:
		limited := int64(0)
		if failure.Reason == ik.JointLimit {
			limited = k.numbers[failure.Joint]
		}
		k.fail(1+int64(failure.Reason), limited, failure.Linear, failure.Angular)
	default:
		k.fail(noPose, 0, 0, 0)
	}
	return nil
}

// reach commands the posture that was found.
func (k *Kinematics) reach() {
	copy(k.seed, k.q)
	k.begun, k.failing = true, false
	k.Command.Write(k.q)
	k.Reached.Write(true)
	k.Reason.Write(0)
	k.Limited.Write(0)
	k.Distance.Write(0)
	k.Angle.Write(0)
}

// fail reports why a target cannot be reached.
func (k *Kinematics) fail(reason, limited int64, distance, angle float64) {
	k.Reached.Write(false)
	k.Reason.Write(reason)
	k.Limited.Write(limited)
	k.Distance.Write(distance)
	k.Angle.Write(angle)
	if !k.failing {
		k.failing = true
		k.Unreachable.Emit(Unreachable{reason, limited})
	}
}

// Stop makes the next search begin at the measured joints.
func (k *Kinematics) Stop() error {
	k.Restart()
	return nil
}

// Restart implements [block.Restarter].
func (k *Kinematics) Restart() { k.begun, k.failing = false, false }
