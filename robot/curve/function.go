package curve

import "math"

// Function is a real function of one real variable on a closed interval.
type Function interface {
	// Domain returns the interval on which the function is defined.
	Domain() (lower, upper float64)

	// At returns the derivative of the given order at t; order 0 is the value. Outside its domain a function is
	// continued by its own formula there; callers who want it to stand still clamp t. A negative order panics.
	At(t float64, order int) float64

	// Range returns the least and the greatest value that the derivative of the given order takes on [lower, upper], found from
	// its stationary points, not by sampling. At a jump of the derivative the values on both sides count. Range may allocate: it
	// checks motions, it does not execute them. It panics if the interval is reversed.
	Range(order int, lower, upper float64) Range

	// Continuity returns the highest order up to which no derivative jumps by more than tolerance within the domain: 0 when only the
	// value is continuous, -1 when not even that, MaxOrder at most.
	Continuity(tolerance float64) int
}

// Range is the least and the greatest value of a function on an interval, and where it takes them.
type Range struct {
	Min, Max     float64 // least and greatest value; NaN where the function gives NaN
	MinAt, MaxAt float64 // arguments within the interval where it takes them
}

// include widens the range by a value. NaN, once there, stays.
func (r *Range) include(at, value float64) {
	if value < r.Min || value != value {
		r.Min, r.MinAt = value, at
	}
	if value > r.Max || value != value {
		r.Max, r.MaxAt = value, at
	}
}

// nothing returns the empty range, to which include adds.
func nothing(at float64) Range {
	return Range{Min: math.Inf(1), Max: math.Inf(-1), MinAt: at, MaxAt: at}
}

// MaxOrder is the highest order of derivative that functions other than polynomials, sinusoids and pieces of them can
// be asked for.
const MaxOrder = 15

// State is position, velocity and acceleration of one axis, in rad or m and seconds.
type State struct {
	Position, Velocity, Acceleration float64 // rad or m, per s, per s²
}

// StateAt returns value, first and second derivative of f at t.
func StateAt(f Function, t float64) State {
	return State{Position: f.At(t, 0), Velocity: f.At(t, 1), Acceleration: f.At(t, 2)}
}
