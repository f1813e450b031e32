package servo

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/device/sim"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/parts/robotfile"
)

// AxisVolts is a command to one axis.
type AxisVolts struct {
	Axis  int64   `doc:"number of the axis, from 1"`
	Volts float64 `unit:"V" doc:"voltage of the motor"`
}

// AxisSwitch switches the amplifier or the brake of one axis.
type AxisSwitch struct {
	Axis int64 `doc:"number of the axis, from 1"`
	On   bool  `doc:"amplifier on, or brake applied"`
}

var errNoAxis = errors.New("the robot has no axis of this number")

// SimRobot is a simulated robot as a device: volts in, encoder counts out, between them the motors, gears, friction
// and brakes of its drives and the dynamics of its links. Each step advances it by the time since the last one.
//
//	                     ┌──────────┐
//	        readSensors  │          ├─► position   [rad or m], the truth, for viewers only
//	           setVolts  │ SimRobot │
//	setPower, setBrake   │          │
//	                     └──────────┘
//
// Operations only read and write memory; what they command acts during the next step. Put the robot before the joints
// in the system file, so that they read the result of the same step. It starts and stops with all brakes applied and
// motors off. Axes are numbered from 1 in the order of the model: depth first, and by name where links branch.
type SimRobot struct {
	URDF       block.Const[string]    `required:"yes" doc:"file of the robot's links and joints: URDF, xacro, rlmdl or rlkin"`
	Drives     block.Const[string]    `required:"yes" doc:"file of its drives"`
	Coordinate block.Const[string]    `default:"rad" doc:"unit of the positions: rad, or m where all joints slide; with rad, elements of joints that slide are in m"`
	Initial    block.Const[[]float64] `unit:"{Coordinate}" doc:"initial positions of the joints, within their limits; default: 0, or the limit next to it"`
	Stay       block.Const[bool]      `doc:"the joints begin where an earlier run has left them, as those of a real robot do; false: at initial"`

	Position block.Out[[]float64] `unit:"{Coordinate}" show:"joint_position" doc:"true positions of the joints"`

	ReadSensors block.Operation[int64, Reading]         `doc:"sensor values of an axis"`
	SetVolts    block.Operation[AxisVolts, block.None]  `doc:"voltage of the motor of an axis, from the next step on"`
	SetPower    block.Operation[AxisSwitch, block.None] `doc:"switch the amplifier of an axis"`
	SetBrake    block.Operation[AxisSwitch, block.None] `doc:"apply or release the brake of an axis"`

	robot  *sim.Robot
	angles []float64 `persist:"yes" unit:"{Coordinate}" doc:"positions of the joints"`
}

// Setup reads the files.
func (r *SimRobot) Setup(s *block.Setup) error {
	robot, err := sim.Load(s.Files(), r.URDF.Value(), r.Drives.Value())
	if err != nil {
		return err
	}
	for _, f := range robot.Findings() {
		s.Notice(f.String())
	}
	if err := robotfile.CheckCoordinate(r.Coordinate.Value(), robot.Model()); err != nil {
		return err
	}
	r.robot = robot
	if err := r.place(s); err != nil {
		return err
	}
	s.Len(robot.Axes(), &r.Position)
	r.ReadSensors.Handle(r.readSensors)
	r.SetVolts.Handle(r.setVolts)
	r.SetPower.Handle(func(a AxisSwitch) (block.None, error) {
		return r.with(a.Axis, func(axis *sim.Axis) { axis.SetPower(a.On) })
	})
	r.SetBrake.Handle(func(a AxisSwitch) (block.None, error) {
		return r.with(a.Axis, func(axis *sim.Axis) { axis.SetBrake(a.On) })
	})
	return nil
}

// place puts the robot where an earlier run has left it, or into its initial position.
func (r *SimRobot) place(s *block.Setup) error {
	q := r.Initial.Value()
	if !r.Stay.Value() {
		s.DoNotKeep("its parameter stay is false", &r.angles)
	} else if len(r.angles) == r.robot.Axes() && r.robot.Model().CheckPositions(r.angles) == nil {
		r.robot.Place(r.angles)
		return nil
	}
	r.angles = make([]float64, r.robot.Axes())
	switch {
	case len(q) == 0:
		return nil
	case len(q) != r.robot.Axes():
		return fmt.Errorf("initial has length %d: wants one element for each of the robot's axes (%d)", len(q), r.robot.Axes())
	}
	if err := r.robot.Model().CheckPositions(q); err != nil {
		return &port.ParamError{Param: "initial", Err: err}
	}
	r.robot.Place(q)
	return nil
}

// Start opens the device.
func (r *SimRobot) Start() error {
	if err := r.robot.Open(); err != nil {
		return err
	}
	return r.robot.Start()
}

// Step advances the robot.
func (r *SimRobot) Step(t clock.Tick) error {
	if err := r.robot.Step(t.Dt); err != nil {
		return err
	}
	position := *r.Position.Slot()
	for i := range position {
		position[i] = r.robot.Axis(i).JointPosition()
		r.angles[i] = position[i]
	}
	r.Position.Commit()
	return nil
}

// Stop applies the brakes and switches the motors off.
func (r *SimRobot) Stop() error { return r.robot.Stop() }

// Close closes the device.
func (r *SimRobot) Close() error { return r.robot.Close() }

func (r *SimRobot) axis(n int64) *sim.Axis {
	if n < 1 || n > int64(r.robot.Axes()) {
		return nil
	}
	return r.robot.Axis(int(n - 1))
}

func (r *SimRobot) with(n int64, do func(*sim.Axis)) (block.None, error) {
	axis := r.axis(n)
	if axis == nil {
		return block.None{}, errNoAxis
	}
	do(axis)
	return block.None{}, nil
}

func (r *SimRobot) readSensors(n int64) (Reading, error) {
	axis := r.axis(n)
	if axis == nil {
		return Reading{}, errNoAxis
	}
	index, marked := axis.Index()
	return Reading{Counts: axis.Counts(), Index: index, Marked: marked, Held: axis.Held()}, nil
}

func (r *SimRobot) setVolts(a AxisVolts) (block.None, error) {
	axis := r.axis(a.Axis)
	if axis == nil {
		return block.None{}, errNoAxis
	}
	return block.None{}, axis.SetVoltage(a.Volts)
}
