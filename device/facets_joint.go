package device

// JointVelocitySensor measures the velocity of a joint.
type JointVelocitySensor interface {
	// JointVelocity returns the velocity at the last Step, in rad/s or m/s.
	JointVelocity() float64
}

// JointTorqueSensor measures the torque of a joint.
type JointTorqueSensor interface {
	// JointTorque returns the torque or force that acts on the moved link along the joint's axis, at the last Step, in N m or N.
	JointTorque() float64
}

// CurrentSensor measures the current of a motor.
type CurrentSensor interface {
	// Current returns the current at the last Step, in A. Its sign is that of the torque.
	Current() float64
}

// JointPositionActuator moves a joint to positions.
type JointPositionActuator interface {
	// SetJointPosition commands a position in rad or m from the next Step on, limited to the joint's range. For NaN and
	// infinities it keeps the last command and returns ErrNotFinite.
	SetJointPosition(position float64) error

	// JointRange returns the least and the greatest position that can be commanded; ±Inf without limits.
	JointRange() (lower, upper float64)
}

// JointVelocityActuator moves a joint with velocities.
type JointVelocityActuator interface {
	// SetJointVelocity commands a velocity in rad/s or m/s from the next Step on, limited to ±MaxJointVelocity. For NaN and
	// infinities it commands 0 and returns ErrNotFinite.
	SetJointVelocity(velocity float64) error

	// MaxJointVelocity returns the greatest velocity in either direction.
	MaxJointVelocity() float64
}

// JointTorqueActuator drives a joint with torques.
type JointTorqueActuator interface {
	// SetJointTorque commands a torque in N m or a force in N from the next Step on, limited to ±MaxJointTorque. For NaN and
	// infinities it commands 0 and returns ErrNotFinite.
	SetJointTorque(torque float64) error

	// MaxJointTorque returns the greatest torque in either direction.
	MaxJointTorque() float64
}

// CurrentDrive drives a motor with a current.
type CurrentDrive interface {
	// SetCurrent commands a current in A from the next Step on, limited to ±MaxCurrent. For NaN and infinities it commands 0 A
	// and returns ErrNotFinite.
	SetCurrent(amperes float64) error

	// MaxCurrent returns the greatest current in either direction, in A.
	MaxCurrent() float64
}

// AxisController is a device of several axes, whose facets are found on each of them by type assertion.
type AxisController interface {
	// Axes returns the number of axes.
	Axes() int

	// AxisPart returns axis i, from 0, with its facets. It is the same value at each call.
	AxisPart(i int) any
}

// Gripper opens and closes.
type Gripper interface {
	// SetGrip commands an opening in m, between 0 and MaxOpening, and the force in N with which to reach it, from the next Step on.
	// Greater and smaller ones are limited. For NaN and infinities it keeps the last command and returns ErrNotFinite.
	SetGrip(opening, force float64) error

	// Grip returns the opening at the last Step in m, and whether an object keeps the fingers from the one that is commanded.
	Grip() (opening float64, holding bool)

	// MaxOpening returns the greatest opening in m.
	MaxOpening() float64
}
