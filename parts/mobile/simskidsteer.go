package mobile

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/sim"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// SimSkidSteer is a simulated vehicle with wheels on either side that cannot be steered: it turns by skidding. Nothing prescribes how: the wheels
// touch level ground with Coulomb friction, and package robot/sim integrates the motion of body and wheels, so slip and the centres of rotation
// are results.
//
//	           ┌──────────────┐ ─► wheels, gyro                     what its sensors measure
//	speeds ──► │ SimSkidSteer │ ─► pose, base_position, base_orientation, position
//	           └──────────────┘                                     the truth, for viewers and comparisons only
//
// Each wheel has a motor whose torque is gain · (wanted - present speed), at most the effort of its joint. All wheels of a side get the same
// speed: rows of them stand for tracks too. The encoders are at the first wheel of each side. The gyroscope is in the body, with white noise and a
// bias that stays the same; the same seed gives the same noise. A speed that is not finite counts as 0, as all do until the first ones come.
type SimSkidSteer struct {
	URDF  block.Const[string]   `required:"yes" doc:"file of the body and its wheels, which have shapes for collisions"`
	Left  block.Const[[]string] `required:"yes" doc:"joints of the wheels on the left"`
	Right block.Const[[]string] `required:"yes" doc:"joints of the wheels on the right"`

	Friction  block.Const[float64] `default:"0.7" min:"0" max:"10" doc:"coefficient of friction of the ground and of the wheels"`
	Rotor     block.Const[float64] `unit:"kg m²" default:"0.02" min:"0.001" max:"1000" doc:"inertia of a motor behind its gear, added to that of its wheel"`
	Counts    block.Const[float64] `default:"2000" min:"0" max:"1e9" doc:"counts of an encoder for a turn of its wheel; 0: it measures exactly"`
	GyroNoise block.Const[float64] `unit:"rad/√s" default:"0.001" min:"0" max:"10" doc:"angle random walk of the gyroscope"`
	GyroBias  block.Const[float64] `unit:"rad/s" default:"0.005" min:"-10" max:"10" doc:"bias of the gyroscope"`
	Seed      block.Const[int]     `default:"1" min:"0" doc:"start of the noise"`

	Gain block.Param[float64] `unit:"N m s/rad" default:"4" min:"0" max:"1000" doc:"of the motors' speed controllers, at most 1000 times the rotor [kg m²]"`

	Speeds block.In[[]float64] `required:"yes" unit:"rad/s" doc:"wanted speeds of the wheels on the left and on the right"`

	Wheels          block.Out[[]float64]  `unit:"rad" doc:"angles of the wheels on the left and on the right, by the encoders"`
	Gyro            block.Out[float64]    `unit:"rad/s" doc:"rate of turn about the vehicle's z, by the gyroscope"`
	Pose            block.Out[[]float64]  `watch:"yes" doc:"true x and y [m] and heading [rad]"`
	Position        block.Out[[]float64]  `unit:"rad" show:"joint_position" doc:"true angles of all wheels, in the order of the model"`
	BasePosition    block.Out[[3]float64] `unit:"m" show:"base_position" doc:"true position of the body"`
	BaseOrientation block.Out[[4]float64] `show:"base_orientation" doc:"true rotation of the body, quaternion x y z w"`

	robot  *sim.Simulator
	world  *sim.World
	side   []int // of each joint: 0 left, 1 right
	first  [2]int
	random *rand.Rand
}

const (
	baseQ   = 7                // coordinates of the floating base before those of the wheels
	substep = time.Millisecond // of the simulation, and of the motors' controllers
	jitter  = substep / 1000   // of a period that is a multiple of it
	sunk    = 1e-4             // m, how deep the wheels are in the ground at first
)

// Setup reads the files and puts the vehicle on the ground.
func (v *SimSkidSteer) Setup(s *block.Setup) error {
	robot, err := description.Read(s.Files(), v.URDF.Value(), description.Options{Notice: s.Notice})
	if err != nil {
		return err
	}
	tree := robot.Tree()
	for i := range tree.Joints {
		if tree.Joints[i].Type != multibody.Fixed {
			tree.Joints[i].Armature += v.Rotor.Value()
		}
	}
	if v.robot, err = sim.New(tree, sim.Options{Model: []multibody.Option{multibody.FloatingBase()}}); err != nil {
		return fmt.Errorf("%s: %w", v.URDF.Value(), err)
	}
	if err := v.sides(); err != nil {
		return err
	}
	shapes, err := robot.Shapes()
	if err != nil {
		return fmt.Errorf("%s: %w", v.URDF.Value(), err)
	}
	v.place(shapes)
	material := sim.Hard(v.Friction.Value())
	v.world, err = sim.NewWorld(sim.WorldOptions{Substep: substep},
		[]sim.Robot{{Simulator: v.robot, Base: spatial.IdentityPose(), Shapes: shapes, Material: material}},
		[]sim.Body{{Name: "ground", Fixed: true, Parts: []geometry.Part{{Shape: geometry.NewPlane()}}, Material: material}})
	if err != nil {
		return fmt.Errorf("%s: %w", v.URDF.Value(), err)
	}
	s.Len(2, &v.Speeds, &v.Wheels)
	s.Len(3, &v.Pose)
	s.Len(len(v.side), &v.Position)
	return nil
}

// sides finds the side of each joint.
func (v *SimSkidSteer) sides() error {
	names := v.robot.Joints()
	v.side = make([]int, len(names))
	for i := range v.side {
		v.side[i] = -1
	}
	var errs []error
	for side, list := range [][]string{v.Left.Value(), v.Right.Value()} {
		if len(list) == 0 {
			errs = append(errs, fmt.Errorf("%s names no joint: wants the wheels of that side", [...]string{"left", "right"}[side]))
		}
		for k, name := range list {
			joint := -1
			for i, n := range names {
				if n == name {
					joint = i
				}
			}
			switch {
			case joint < 0:
				errs = append(errs, fmt.Errorf("%s has no movable joint %q: it has %q", v.URDF.Value(), name, names))
				continue
			case v.side[joint] >= 0:
				errs = append(errs, fmt.Errorf("joint %q is named twice", name))
			}
			v.side[joint] = side
			if k == 0 {
				v.first[side] = joint
			}
		}
	}
	for i, side := range v.side {
		if side < 0 && len(errs) == 0 {
			errs = append(errs, fmt.Errorf("joint %q is in neither left nor right: a vehicle has wheels as its only joints", names[i]))
		}
	}
	return errors.Join(errs...)
}

// place puts the vehicle with its lowest shape on the ground, at the origin.
func (v *SimSkidSteer) place(shapes map[string][]geometry.Part) {
	model, lowest := v.robot.Model(), math.Inf(1)
	data := multibody.NewData(model)
	q := model.Neutral()
	multibody.FK(data, q)
	for i, name := range model.Links() {
		for _, part := range shapes[name] {
			pose := data.Pose(i).Mul(part.Pose)
			lowest = min(lowest, part.Shape.Bounds(&pose).Min.Z)
		}
	}
	if !math.IsInf(lowest, 0) {
		q[2] = -lowest - sunk
	}
	v.robot.SetState(q, nil)
}

// Start begins the noise.
func (v *SimSkidSteer) Start() error {
	v.random = rand.New(rand.NewPCG(uint64(v.Seed.Value()), 0))
	return nil
}

// Step lets the vehicle move and writes what its sensors measure.
func (v *SimSkidSteer) Step(t clock.Tick) error {
	wanted, _ := v.Speeds.Read()
	gain := min(v.Gain.Value(), v.Rotor.Value()/substep.Seconds())
	before := v.heading()
	for left := t.Dt; left > jitter; left -= substep {
		for i, side := range v.side {
			v.robot.SetTorque(i, gain*(finite(wanted[side])-v.robot.Velocity(i)))
		}
		v.world.Step(min(left, substep))
	}
	v.measure(t.Seconds(), before)
	q := v.robot.Q()
	pose := *v.Pose.Slot()
	pose[0], pose[1], pose[2] = q[0], q[1], v.heading()
	v.Pose.Commit()
	v.Position.Write(q[baseQ:])
	v.BasePosition.Write([3]float64(q[:3]))
	v.BaseOrientation.Write([4]float64(q[3:7]))
	return nil
}

// measure writes encoders and gyroscope.
func (v *SimSkidSteer) measure(h, before float64) {
	wheels := *v.Wheels.Slot()
	for side, i := range v.first {
		wheels[side] = v.robot.Position(i)
		if resolution := v.Counts.Value() / (2 * math.Pi); resolution > 0 {
			wheels[side] = math.Floor(wheels[side]*resolution) / resolution
		}
	}
	v.Wheels.Commit()
	if h > 0 {
		rate := math.Remainder(v.heading()-before, 2*math.Pi) / h // the mean, as a gyroscope that integrates has it
		v.Gyro.Write(rate + v.GyroBias.Value() + v.GyroNoise.Value()/math.Sqrt(h)*v.random.NormFloat64())
	}
}

// heading returns the yaw of the body.
func (v *SimSkidSteer) heading() float64 {
	q := v.robot.Q()
	_, _, yaw := spatial.Quat{X: q[3], Y: q[4], Z: q[5], W: q[6]}.Mat3().RPY()
	return yaw
}
