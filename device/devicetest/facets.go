package devicetest

import (
	"math"
	"slices"
	"testing"

	"github.com/sinew-robotics/sinew/device"
)

// parts returns all values on which facets are sought: the device, its axes, and the subject's other parts.
func (s *Subject) parts() []any {
	list := append([]any{s.Device}, s.Parts...)
	for _, p := range slices.Clone(list) {
		if c, ok := p.(device.AxisController); ok {
			for i := range c.Axes() {
				list = append(list, c.AxisPart(i))
			}
		}
	}
	return list
}

// actuator is one command of a part.
type actuator struct {
	name string
	set  func(value float64) error
	most float64 // a finite value beyond what it can do
}

// actuators returns the commands of a part by its facets.
func actuators(part any) (list []actuator) {
	add := func(name string, most float64, set func(float64) error) {
		list = append(list, actuator{name, set, 10 * most})
	}
	if a, ok := part.(device.VoltageDrive); ok {
		add("SetVoltage", a.MaxVoltage(), a.SetVoltage)
	}
	if a, ok := part.(device.JointPositionActuator); ok {
		add("SetJointPosition", 1, a.SetJointPosition)
	}
	if a, ok := part.(device.JointVelocityActuator); ok {
		add("SetJointVelocity", a.MaxJointVelocity(), a.SetJointVelocity)
	}
	if a, ok := part.(device.JointTorqueActuator); ok {
		add("SetJointTorque", a.MaxJointTorque(), a.SetJointTorque)
	}
	if a, ok := part.(device.CurrentDrive); ok {
		add("SetCurrent", a.MaxCurrent(), a.SetCurrent)
	}
	if a, ok := part.(device.Gripper); ok {
		add("SetGrip", a.MaxOpening(), func(x float64) error { return a.SetGrip(x, 1) })
		add("SetGrip with a force", 10, func(x float64) error { return a.SetGrip(0, x) })
	}
	if a, ok := part.(device.AnalogOutputs); ok {
		for i := range a.AnalogOutputs() {
			_, greatest := a.AnalogRange(i)
			add("SetAnalogOutput", greatest, func(x float64) error { return a.SetAnalogOutput(i, x) })
		}
	}
	return list
}

// readings appends what the sensors of a part read.
func readings(part any, r []float64) []float64 {
	one := func(x float64) { r = append(r, x) }
	if s, ok := part.(device.JointPositionSensor); ok {
		one(s.JointPosition())
	}
	if s, ok := part.(device.JointVelocitySensor); ok {
		one(s.JointVelocity())
	}
	if s, ok := part.(device.JointTorqueSensor); ok {
		one(s.JointTorque())
	}
	if s, ok := part.(device.CurrentSensor); ok {
		one(s.Current())
	}
	if s, ok := part.(device.ForceTorqueSensor); ok {
		f := s.ForceTorque()
		r = append(r, f.Linear.X, f.Linear.Y, f.Linear.Z, f.Angular.X, f.Angular.Y, f.Angular.Z)
	}
	if s, ok := part.(device.RangeSensor); ok {
		one(s.Distance())
	}
	if s, ok := part.(device.Scanner); ok {
		scan := s.Scan()
		r = append(append(r, scan.First, scan.Step, float64(scan.Sequence)), scan.Ranges...)
	}
	if s, ok := part.(device.Camera); ok {
		image := s.Image()
		r = append(r, float64(image.Width), float64(image.Height), float64(len(image.Data)), float64(image.Sequence))
	}
	if s, ok := part.(device.IMU); ok {
		w, a := s.AngularVelocity(), s.Acceleration()
		r = append(r, w.X, w.Y, w.Z, a.X, a.Y, a.Z)
	}
	if s, ok := part.(device.SatelliteReceiver); ok {
		f := s.Fix()
		r = append(r, f.Latitude, f.Longitude, f.Height, f.North, f.East, f.Deviation[0], f.Deviation[1], f.Deviation[2],
			float64(f.Quality), float64(f.Satellites), f.Time.Seconds(), float64(f.Sequence))
	}
	if s, ok := part.(device.Odometer); ok {
		pose, v := s.Odometry()
		r = append(r, pose.P.X, pose.P.Y, pose.P.Z, v.Linear.X, v.Angular.Z)
	}
	if s, ok := part.(device.DigitalInputs); ok {
		for i := range s.DigitalInputs() {
			x := 0.0
			if s.DigitalInput(i) {
				x = 1
			}
			one(x)
		}
	}
	if s, ok := part.(device.AnalogInputs); ok {
		for i := range s.AnalogInputs() {
			one(s.AnalogInput(i))
		}
	}
	if s, ok := part.(device.Gripper); ok {
		opening, _ := s.Grip()
		one(opening)
	}
	return r
}

// facetsAreSteady checks that commands change readings in steps only.
func facetsAreSteady(t *testing.T, s Subject) {
	s.started(t)
	for k := range 20 {
		for _, part := range s.parts() {
			for _, a := range actuators(part) {
				must(t, a.name, a.set(a.most*float64(k%5-2)/40))
			}
		}
		s.steps(t, 1)
		var before, after []float64
		for _, part := range s.parts() {
			before = readings(part, before)
			for _, a := range actuators(part) {
				must(t, a.name, a.set(a.most*float64(2-k%5)/40))
			}
		}
		for _, part := range s.parts() {
			after = readings(part, after)
		}
		same := func(x, y float64) bool { return x == y || x != x && y != y }
		if !slices.EqualFunc(before, after, same) {
			t.Fatalf("readings changed from %v to %v without a Step", before, after)
		}
	}
}

// facetsRefuseBadCommands checks that commands which are not finite are refused, and that those beyond the limits are limited.
func facetsRefuseBadCommands(t *testing.T, s Subject) {
	s.started(t)
	for _, part := range s.parts() {
		for _, a := range actuators(part) {
			if !(a.most > 0) || math.IsInf(a.most, 1) {
				t.Errorf("%s: its limit is %v, want positive and finite", a.name, a.most/10)
			}
			for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				is(t, a.name+" of what is not finite", a.set(bad), device.ErrNotFinite)
			}
			must(t, a.name+" beyond its limit", a.set(a.most))
			s.steps(t, 1)
		}
		if r, ok := part.(device.RangeSensor); ok {
			if least, greatest := r.Reach(); !(least >= 0 && least < greatest) {
				t.Errorf("Reach returns %v to %v, want an interval from 0", least, greatest)
			}
		}
		if c, ok := part.(device.AxisController); ok {
			for i := range c.Axes() {
				if c.AxisPart(i) != c.AxisPart(i) {
					t.Errorf("AxisPart(%d) returns another value at each call", i)
				}
			}
		}
	}
	s.steps(t, 5)
}

// facetsAllocateNothing checks commands, steps and readings.
func facetsAllocateNothing(t *testing.T, s Subject) {
	s.started(t)
	parts := s.parts()
	var commands []actuator
	for _, part := range parts {
		commands = append(commands, actuators(part)...)
	}
	var r []float64
	round := func() {
		for _, a := range commands {
			_ = a.set(a.most / 40)
		}
		_ = s.Device.Step(s.Period)
		r = r[:0]
		for _, part := range parts {
			r = readings(part, r)
		}
	}
	round()
	if n := testing.AllocsPerRun(100, round); n != 0 {
		t.Errorf("a round of commands, step and readings allocates %v objects, want none", n)
	}
}
