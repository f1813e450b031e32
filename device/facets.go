package device

// Encoder is an incremental encoder.
type Encoder interface {
	// Counts returns the count at the last Step, 0 at Open. It does not wrap around.
	Counts() int64

	// Index reports whether an index pulse occurred between the last two Steps, and returns the count that was
	// latched at the latest pulse since Open (0 before the first).
	Index() (counts int64, seen bool)
}

// JointPositionSensor measures the absolute position of a joint.
type JointPositionSensor interface {
	// JointPosition returns the position at the last Step, in rad or m.
	JointPosition() float64
}

// VoltageDrive applies a voltage to a motor.
type VoltageDrive interface {
	// SetVoltage commands a voltage in V from the next Step on, limited to ±MaxVoltage. For NaN and infinities it
	// commands 0 V and returns ErrNotFinite.
	SetVoltage(volts float64) error

	// MaxVoltage returns the greatest voltage in V that the drive can apply in either direction.
	MaxVoltage() float64
}

// MotorPower connects a motor to its amplifier.
type MotorPower interface {
	// SetPower switches the connection from the next Step on. Without power the motor is free.
	SetPower(on bool)
}

// Brake holds a joint.
type Brake interface {
	// SetBrake commands the brake from the next Step on.
	SetBrake(applied bool)
}
