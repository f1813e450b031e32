package sim

import (
	"math"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/device"
	"github.com/sinew-robotics/sinew/device/devicetest"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

var jointOptions = JointOptions{Lower: -2, Upper: 2, MaxVelocity: 1, MaxTorque: 5, Inertia: 0.5, TorqueConstant: 0.1}

func TestJointsConform(t *testing.T) {
	devicetest.Run(t, func(testing.TB) devicetest.Subject { return devicetest.Subject{Device: NewJoints(3, jointOptions)} })
}

func TestInstrumentsConform(t *testing.T) {
	devicetest.Run(t, func(testing.TB) devicetest.Subject { return devicetest.Subject{Device: newInstruments()} })
}

func newInstruments() *Instruments {
	d := NewInstruments(InstrumentOptions{Beams: 3, ImageBytes: 4, Inputs: 2, Outputs: 2, Reach: 4, MaxOpening: 0.08})
	d.World = World{
		Force: spatial.Force{Linear: spatial.Vec3{Z: -5}}, Distance: 1.5, Scan: device.Scan{First: -1, Step: 1, Ranges: []float64{1, 9, 2, 3}},
		Image: device.Image{Width: 2, Height: 2, Stride: 2, Format: device.Gray8, Data: []byte{1, 2, 3, 4}}, Acceleration: spatial.Vec3{Z: 9.81},
		Velocity: spatial.Motion{Linear: spatial.Vec3{X: 1}, Angular: spatial.Vec3{Z: math.Pi / 2}}, Digital: []bool{true}, Analog: []float64{0, 2.5}, Object: 0.03,
	}
	return d
}

func run(t *testing.T, d device.Device, steps int) {
	t.Helper()
	for range steps {
		if err := d.Step(10 * time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
}

func start(t *testing.T, d device.Device) {
	t.Helper()
	if err := d.Open(); err != nil {
		t.Fatal(err)
	}
	if err := d.Start(); err != nil {
		t.Fatal(err)
	}
}

func TestJointFollowsWhatIsCommandedLast(t *testing.T) {
	d := NewJoints(1, jointOptions)
	start(t, d)
	j := d.Joint(0)
	_ = j.SetJointPosition(9)
	run(t, d, 50)
	testkit.Near(t, "half a second at the greatest velocity", j.JointPosition(), 0.5, 1e-9)
	run(t, d, 300)
	testkit.Near(t, "the end of its range", j.JointPosition(), 2, 1e-9)
	_ = j.SetJointVelocity(-0.5)
	run(t, d, 100)
	testkit.Near(t, "after a second at -0.5 rad/s", j.JointPosition(), 1.5, 1e-9)
	_ = j.SetCurrent(20) // 2 N m
	run(t, d, 1)
	testkit.Near(t, "acceleration", j.JointVelocity(), -0.5+2/0.5*0.01, 1e-9)
	testkit.Near(t, "torque", j.JointTorque(), 2, 1e-9)
	testkit.Near(t, "current", j.Current(), 20, 1e-9)
	if err := d.Stop(); err != nil {
		t.Fatal(err)
	}
	start(t, d)
	before := j.JointPosition()
	run(t, d, 10)
	testkit.Near(t, "uncommanded", j.JointPosition(), before, 0)
}

func TestInstrumentsMeasureTheirWorld(t *testing.T) {
	d := newInstruments()
	if !math.IsInf(d.Distance(), 1) || d.Scan().Sequence != 0 {
		t.Error("there are readings before the first Step")
	}
	start(t, d)
	_ = d.SetGrip(0, 10)
	run(t, d, 100)
	if scan := d.Scan(); len(scan.Ranges) != 3 || scan.Ranges[0] != 1 || !math.IsInf(scan.Ranges[1], 1) || scan.Sequence != 100 {
		t.Errorf("scan %+v", scan)
	}
	if image := d.Image(); image.Width != 2 || image.Data[3] != 4 || image.Sequence != 100 {
		t.Errorf("image %+v", image)
	}
	if d.Distance() != 1.5 || !d.DigitalInput(0) || d.DigitalInput(1) || d.AnalogInput(1) != 2.5 || d.ForceTorque().Linear.Z != -5 || d.Acceleration().Z != 9.81 {
		t.Error("a sensor does not measure the world")
	}
	pose, _ := d.Odometry() // a quarter of a circle of radius 2/π
	testkit.Near(t, "x", pose.P.X, 2/math.Pi, 1e-9)
	testkit.Near(t, "y", pose.P.Y, 2/math.Pi, 1e-9)
	if opening, holding := d.Grip(); opening != 0.03 || !holding {
		t.Errorf("the gripper is at %v, holds: %v", opening, holding)
	}
	d.SetDigitalOutput(1, true)
	_ = d.SetAnalogOutput(0, 99)
	if !d.DigitalOutput(1) || d.AnalogOutput(0) != 10 {
		t.Error("the outputs do not have what was commanded")
	}
	if err := d.Stop(); err != nil {
		t.Fatal(err)
	}
	if d.DigitalOutput(1) || d.AnalogOutput(0) != 0 {
		t.Error("the outputs of a stopped device are on")
	}
}
