package sim

import (
	"math"
	"time"

	"github.com/sinew-robotics/sinew/device"
)

// JointOptions are the figures of a [Joint]. All must be positive, but Lower and Upper.
type JointOptions struct {
	Lower, Upper   float64 // range of positions that can be commanded, rad
	MaxVelocity    float64 // rad/s
	MaxTorque      float64 // N m
	Inertia        float64 // kg m²
	TorqueConstant float64 // N m/A, at the joint
}

// Joint is an ideal joint that follows positions, velocities, torques or currents: the kind that was commanded last. Uncommanded it
// stands still. It has no friction and feels no gravity.
type Joint struct {
	o                                   JointOptions
	mode                                mode
	command                             float64
	position, velocity, torque, current float64
}

type mode uint8

const (
	hold mode = iota
	byPosition
	byVelocity
	byTorque
)

var (
	_ device.JointPositionSensor   = (*Joint)(nil)
	_ device.JointVelocitySensor   = (*Joint)(nil)
	_ device.JointTorqueSensor     = (*Joint)(nil)
	_ device.CurrentSensor         = (*Joint)(nil)
	_ device.JointPositionActuator = (*Joint)(nil)
	_ device.JointVelocityActuator = (*Joint)(nil)
	_ device.JointTorqueActuator   = (*Joint)(nil)
	_ device.CurrentDrive          = (*Joint)(nil)
)

// JointPosition returns the position in rad.
func (j *Joint) JointPosition() float64 { return j.position }

// JointVelocity returns the velocity in rad/s.
func (j *Joint) JointVelocity() float64 { return j.velocity }

// JointTorque returns the torque that has accelerated the joint in the last Step, in N m.
func (j *Joint) JointTorque() float64 { return j.torque }

// Current returns the current for that torque, in A.
func (j *Joint) Current() float64 { return j.current }

// Place puts the joint at a position in rad, limited to its range, and at rest. It is for joints that are not started.
func (j *Joint) Place(position float64) {
	j.position, j.velocity = min(max(position, j.o.Lower), j.o.Upper), 0
}

// JointRange returns the range of positions, rad.
func (j *Joint) JointRange() (lower, upper float64) { return j.o.Lower, j.o.Upper }

// MaxJointVelocity returns the greatest velocity, rad/s.
func (j *Joint) MaxJointVelocity() float64 { return j.o.MaxVelocity }

// MaxJointTorque returns the greatest torque, N m.
func (j *Joint) MaxJointTorque() float64 { return j.o.MaxTorque }

// MaxCurrent returns the current for the greatest torque, A.
func (j *Joint) MaxCurrent() float64 { return j.o.MaxTorque / j.o.TorqueConstant }

// SetJointPosition moves the joint to a position in rad, limited to its range, at most at MaxVelocity. It returns [device.ErrNotFinite] for one that is not.
func (j *Joint) SetJointPosition(position float64) error {
	if position-position != 0 {
		return device.ErrNotFinite
	}
	j.mode, j.command = byPosition, min(max(position, j.o.Lower), j.o.Upper)
	return nil
}

// SetJointVelocity moves the joint at a velocity in rad/s, at most MaxVelocity; one that is not finite stops it and returns [device.ErrNotFinite].
func (j *Joint) SetJointVelocity(velocity float64) error {
	return j.set(byVelocity, velocity, 1, j.o.MaxVelocity)
}

// SetJointTorque accelerates the joint with a torque in N m, at most MaxTorque; one that is not finite counts as 0 and returns [device.ErrNotFinite].
func (j *Joint) SetJointTorque(torque float64) error {
	return j.set(byTorque, torque, 1, j.o.MaxTorque)
}

// SetCurrent accelerates the joint with the torque of a current in A, as SetJointTorque does.
func (j *Joint) SetCurrent(amperes float64) error {
	return j.set(byTorque, amperes, j.o.TorqueConstant, j.o.MaxTorque)
}

func (j *Joint) set(m mode, value, unit, most float64) error {
	j.mode = m
	if value-value != 0 {
		j.command = 0
		return device.ErrNotFinite
	}
	j.command = min(max(value*unit, -most), most)
	return nil
}

func (j *Joint) step(h float64) {
	before := j.velocity
	switch j.mode {
	case hold:
		j.velocity = 0
	case byPosition:
		j.velocity = 0
		if h > 0 {
			j.velocity = min(max((j.command-j.position)/h, -j.o.MaxVelocity), j.o.MaxVelocity)
		}
	case byVelocity:
		j.velocity = j.command
	case byTorque:
		j.velocity += j.command / j.o.Inertia * h
	}
	j.position += j.velocity * h
	j.torque = 0
	if h > 0 {
		j.torque = j.o.Inertia * (j.velocity - before) / h
	}
	j.current = j.torque / j.o.TorqueConstant
}

// Joints is a simulated controller of ideal joints.
type Joints struct {
	life   device.Life
	joints []Joint
}

var (
	_ device.Device         = (*Joints)(nil)
	_ device.AxisController = (*Joints)(nil)
)

// NewJoints returns n joints with the same figures at position 0, closed. It panics if n or a figure is out of range.
func NewJoints(n int, o JointOptions) *Joints {
	for _, x := range []float64{float64(n), o.MaxVelocity, o.MaxTorque, o.Inertia, o.TorqueConstant} {
		if !(x > 0) || math.IsInf(x, 1) {
			panic("device/sim: NewJoints: number of joints, MaxVelocity, MaxTorque, Inertia and TorqueConstant must be positive and finite")
		}
	}
	if !(o.Lower <= o.Upper) {
		panic("device/sim: NewJoints: Lower must not be above Upper")
	}
	j := &Joints{joints: make([]Joint, n)}
	for i := range j.joints {
		j.joints[i].o = o
	}
	return j
}

// Axes returns the number of joints.
func (j *Joints) Axes() int { return len(j.joints) }

// Joint returns joint i, from 0.
func (j *Joints) Joint(i int) *Joint { return &j.joints[i] }

// AxisPart returns joint i for its facets.
func (j *Joints) AxisPart(i int) any { return j.Joint(i) }

// Open prepares the joints. It fails in the states in which [device.Device] does not allow it.
func (j *Joints) Open() error { return j.life.Do(device.OpenCalled) }

// Start lets time run. The joints stand still until commanded.
func (j *Joints) Start() error {
	if !j.life.Started() {
		j.safe()
	}
	return j.life.Do(device.StartCalled)
}

// Step moves the joints.
func (j *Joints) Step(dt time.Duration) error {
	if err := j.life.CheckStep(dt); err != nil {
		return err
	}
	for i := range j.joints {
		j.joints[i].step(dt.Seconds())
	}
	return j.life.Do(device.StepComplete)
}

// Stop makes the joints stand still.
func (j *Joints) Stop() error {
	j.safe()
	return j.life.Do(device.StopCalled)
}

// Close stops the joints.
func (j *Joints) Close() error {
	j.safe()
	return j.life.Do(device.CloseCalled)
}

func (j *Joints) safe() {
	for i := range j.joints {
		j.joints[i].mode = hold
	}
}
