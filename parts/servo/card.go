package servo

import (
	"errors"

	"github.com/sinew-robotics/sinew/net/block"
)

// Reading holds the sensor values of one axis.
type Reading struct {
	Counts int64 `doc:"of the incremental encoder on the motor's shaft"`
	Index  int64 `doc:"counts at the latest index mark"`
	Marked bool  `doc:"an index mark was passed in the last cycle"`
	Held   bool  `doc:"the axis has a brake, and it is applied"`
}

// Card is the actuator card of one axis of a [SimRobot] or [CANRobot]. A block for real hardware has the same operations, and a
// [Joint] works with either. A card has no step: its operations run when its joint calls them.
//
//	                         ┌──────┐
//	             sensorRead  │      ├─► displacement, index    counts, written by sensorRead
//	            actuatorSet  │ Card │
//	actuatorOn, actuatorOff  │      │   ⇅ robot: readSensors, setVolts, setPower, setBrake
//	   brakeApply, -Release  └──────┘
//
// Card, robot and joint are in one thread. Operations on an axis that the robot does not have fail, and so does the start of the
// joint.
type Card struct {
	Robot block.Const[string] `doc:"name of the SimRobot or CANRobot"`
	Axis  block.Const[int]    `default:"1" min:"1" doc:"number of the axis in the robot, from 1"`

	Displacement block.Out[int64] `doc:"counts of the encoder"`
	Index        block.Out[int64] `doc:"counts at the latest index mark, written when one was passed"`

	ActuatorOn   block.Operation[block.None, block.None] `doc:"switch the amplifier on, at 0 V"`
	ActuatorOff  block.Operation[block.None, block.None] `doc:"switch the amplifier off"`
	ActuatorSet  block.Operation[float64, block.None]    `unit:"V" doc:"apply a voltage to the motor"`
	SensorRead   block.Operation[block.None, Reading]    `doc:"read encoder and index"`
	BrakeApply   block.Operation[block.None, block.None] `doc:"apply the brake"`
	BrakeRelease block.Operation[block.None, block.None] `doc:"release the brake"`

	read  block.Caller[int64, Reading]
	volts block.Caller[AxisVolts, block.None]
	power block.Caller[AxisSwitch, block.None]
	brake block.Caller[AxisSwitch, block.None]
}

var errNoRobot = errors.New("robot is not given: it names the SimRobot that the card belongs to")

// Setup binds the robot's operations.
func (c *Card) Setup(s *block.Setup) error {
	robot := c.Robot.Value()
	if robot == "" {
		return errNoRobot
	}
	block.Bind(s, &c.read, robot, "readSensors")
	block.Bind(s, &c.volts, robot, "setVolts")
	block.Bind(s, &c.power, robot, "setPower")
	block.Bind(s, &c.brake, robot, "setBrake")
	axis := int64(c.Axis.Value())
	set := func(op *block.Caller[AxisSwitch, block.None], on bool) func(block.None) (block.None, error) {
		return func(block.None) (block.None, error) { return op.Call(AxisSwitch{axis, on}) }
	}
	c.ActuatorOn.Handle(set(&c.power, true))
	c.ActuatorOff.Handle(set(&c.power, false))
	c.BrakeApply.Handle(set(&c.brake, true))
	c.BrakeRelease.Handle(set(&c.brake, false))
	c.ActuatorSet.Handle(func(v float64) (block.None, error) { return c.volts.Call(AxisVolts{axis, v}) })
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
