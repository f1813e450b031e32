package curve

// Function is a real function of one real variable on a closed interval.
type Function interface {
	// Domain returns the interval on which the function is defined.
	Domain() (lower, upper float64)

	// At returns the derivative of the given order at t; order 0 is the value. Outside its domain a function is
	// continued by its own formula there; callers who want it to stand still clamp t. A negative order panics.
	At(t float64, order int) float64
}

// State is position, velocity and acceleration of one axis, in rad or m and seconds.
type State struct {
	Position, Velocity, Acceleration float64
}

// StateAt returns value, first and second derivative of f at t.
func StateAt(f Function, t float64) State {
	return State{Position: f.At(t, 0), Velocity: f.At(t, 1), Acceleration: f.At(t, 2)}
}
