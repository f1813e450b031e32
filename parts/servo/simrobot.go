package servo

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/device/sim"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Reading is what the sensors of one axis say.
type Reading struct {
	Counts int64 `doc:"of the incremental encoder on the motor's shaft"`
	Index  int64 `doc:"counts at the latest index mark"`
	Marked bool  `doc:"an index mark was passed in the last cycle"`
}

// AxisVolts is a command to one axis.
type AxisVolts struct {
	Axis  int64   `doc:"number of the axis, from 1"`
	Volts float64 `unit:"V" doc:"voltage of the motor"`
}

// AxisSwitch switches something of one axis.
type AxisSwitch struct {
	Axis int64 `doc:"number of the axis, from 1"`
	On   bool
}

var errNoAxis = errors.New("the robot has no axis of this number")

// SimRobot is a simulated robot as a device: volts in, encoder counts out, between them the motors, gears, friction
// and brakes of its drives and the dynamics of its links. Each step lets it move for the time since the last one.
//
//	            ┌──────────┐
//	   setVolts │ SimRobot ├─► position   [rad], the truth, for viewers only
//	readSensors │          │
//	            └──────────┘
//
// It starts with all brakes applied and motors off, and stops so.
type SimRobot struct {
	URDF   block.Const[string] `doc:"file of the robot's links and joints"`
	Drives block.Const[string] `doc:"file of its drives"`

	Position block.Out[[]float64] `unit:"rad" doc:"true positions of the joints"`

	ReadSensors block.Operation[int64, Reading]         `doc:"what the sensors of an axis say"`
	SetVolts    block.Operation[AxisVolts, block.None]  `doc:"voltage of an axis's motor, from now on"`
	SetPower    block.Operation[AxisSwitch, block.None] `doc:"switch the amplifier of an axis"`
	SetBrake    block.Operation[AxisSwitch, block.None] `doc:"apply or release the brake of an axis"`

	robot *sim.Robot
}

// Setup reads the files.
func (r *SimRobot) Setup(s *block.Setup) error {
	robot, err := sim.Load(s.Files(), r.URDF.Value(), r.Drives.Value())
	if err != nil {
		return err
	}
	r.robot = robot
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

// Start opens the device.
func (r *SimRobot) Start() error {
	if err := r.robot.Open(); err != nil {
		return err
	}
	return r.robot.Start()
}

// Step lets the robot move.
func (r *SimRobot) Step(t clock.Tick) error {
	if err := r.robot.Step(t.Dt); err != nil {
		return err
	}
	position := *r.Position.Slot()
	for i := range position {
		position[i] = r.robot.Axis(i).JointPosition()
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
	return Reading{Counts: axis.Counts(), Index: index, Marked: marked}, nil
}

func (r *SimRobot) setVolts(a AxisVolts) (block.None, error) {
	axis := r.axis(a.Axis)
	if axis == nil {
		return block.None{}, errNoAxis
	}
	return block.None{}, axis.SetVoltage(a.Volts)
}

// Card is the actuator card of one axis of a [SimRobot]. A block for real hardware has the same operations, and a
// [Joint] does not know the difference. A card does nothing by itself: its operations run when its joint calls them.
//
//	           ┌──────┐
//	sensorRead │ Card ├─► displacement, index    counts, written by sensorRead
//	  motorSet │      │
//	           └──────┘
type Card struct {
	Robot block.Const[string] `doc:"name of the SimRobot"`
	Axis  block.Const[int]    `default:"1" min:"1" doc:"number of the axis, from 1"`

	Displacement block.Out[int64] `doc:"counts of the encoder"`
	Index        block.Out[int64] `doc:"counts at the latest index mark, written when one was passed"`

	MotorOn      block.Operation[block.None, block.None] `doc:"switch the amplifier on, at 0 V"`
	MotorOff     block.Operation[block.None, block.None] `doc:"switch the amplifier off"`
	MotorSet     block.Operation[float64, block.None]    `doc:"voltage of the motor, V"`
	SensorRead   block.Operation[block.None, Reading]    `doc:"read encoder and index"`
	BrakeApply   block.Operation[block.None, block.None] `doc:"hold the joint"`
	BrakeRelease block.Operation[block.None, block.None] `doc:"let the joint move"`

	read  block.Caller[int64, Reading]
	volts block.Caller[AxisVolts, block.None]
	power block.Caller[AxisSwitch, block.None]
	brake block.Caller[AxisSwitch, block.None]
}

// Setup binds the robot's operations.
func (c *Card) Setup(s *block.Setup) error {
	robot := c.Robot.Value()
	if robot == "" {
		return fmt.Errorf("robot is not given: it names the SimRobot that the card belongs to")
	}
	block.Bind(s, &c.read, robot, "readSensors")
	block.Bind(s, &c.volts, robot, "setVolts")
	block.Bind(s, &c.power, robot, "setPower")
	block.Bind(s, &c.brake, robot, "setBrake")
	axis := int64(c.Axis.Value())
	set := func(op *block.Caller[AxisSwitch, block.None], on bool) func(block.None) (block.None, error) {
		return func(block.None) (block.None, error) { return op.Call(AxisSwitch{axis, on}) }
	}
	c.MotorOn.Handle(set(&c.power, true))
	c.MotorOff.Handle(set(&c.power, false))
	c.BrakeApply.Handle(set(&c.brake, true))
	c.BrakeRelease.Handle(set(&c.brake, false))
	c.MotorSet.Handle(func(v float64) (block.None, error) { return c.volts.Call(AxisVolts{axis, v}) })
	c.SensorRead.Handle(c.sensorRead)
	return nil
}

func (c *Card) sensorRead(block.None) (Reading, error) {
	r, err := c.read.Call(int64(c.Axis.Value()))
	if err != nil {
		return r, err
	}
	c.Displacement.Write(r.Counts)
	if r.Marked {
		c.Index.Write(r.Index)
	}
	return r, nil
}
