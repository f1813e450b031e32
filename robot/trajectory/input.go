package trajectory

import (
	"errors"
	"fmt"
	"math"
)

// Input describes the requested motion.
type Input struct {
	Axes []Axis // one entry for each axis, in an order of the caller's choice

	// MinDuration is the least duration (s) of the synchronized axes.
	MinDuration float64

	// Cycle, if positive, makes the duration of the synchronized axes a multiple of it (s).
	Cycle float64
}

// Axis describes the requested motion of one axis.
type Axis struct {
	Start, Target State
	Limits        Limits
	Control       Control
	Sync          Synchronization

	// Idle leaves the axis out: it goes on with its start velocity, and nothing of it is checked.
	Idle bool
}

// Control selects the part of the target state to reach.
type Control uint8

const (
	ToPosition Control = iota // position, velocity and acceleration
	ToVelocity                // velocity and acceleration; the position may be any, the velocity is not limited
)

// Synchronization selects how the motion of an axis is coordinated with that of others.
type Synchronization uint8

const (
	// InTime lets the axis arrive together with all others.
	InTime Synchronization = iota

	// InPhase lets all axes with this value arrive together with the others, and keep to a straight line: their
	// displacements stay in one proportion. This needs start and target states in the same proportion, and that the line
	// can be kept without leaving the limits; otherwise it is the same as InTime.
	InPhase

	// Independent lets the axis arrive as soon as it can.
	Independent
)

// Reasons for which an [Input] is rejected; they come wrapped in an [AxisError].
var (
	ErrNotFinite          = errors.New("a state or limit is not a finite number; only the limits of acceleration and jerk may be infinite, the acceleration only with the jerk")
	ErrLimits             = errors.New("a limit has the wrong sign; upper limits must be positive, lower limits negative, or 0 to mirror the upper one")
	ErrTargetVelocity     = errors.New("the target velocity is outside its limits")
	ErrTargetAcceleration = errors.New("the target acceleration is outside its limits")
	ErrTargetApproach     = errors.New("on any way to the target acceleration the velocity leaves its limits; lower the target velocity or acceleration")
	ErrDuration           = errors.New("the motion would last longer than 1e9 s; check the limits")
)

// AxisError explains why an axis of an [Input] is rejected.
type AxisError struct {
	Axis   int // index in Input.Axes
	Reason error
}

// Error names the axis, by its index from 0, and the reason.
func (e *AxisError) Error() string {
	return fmt.Sprintf("trajectory: cannot plan the motion of axis %d: %v", e.Axis, e.Reason)
}

// Unwrap returns the reason.
func (e *AxisError) Unwrap() error { return e.Reason }

var reasons = [...]error{ErrNotFinite, ErrLimits, ErrTargetVelocity, ErrTargetAcceleration, ErrTargetApproach, ErrDuration}

// Check returns an error for each axis that cannot be planned, joined; nil if there is none.
func (in *Input) Check() error {
	var all []error
	for i := range in.Axes {
		if reason := in.Axes[i].check(); reason != nil {
			all = append(all, &AxisError{i, reason})
		}
	}
	return errors.Join(all...)
}

// check returns one of reasons, or nil.
func (x *Axis) check() error {
	if x.Idle {
		return nil
	}
	l := &x.Limits
	s, t := &x.Start, &x.Target
	jumps := math.IsInf(l.Acceleration, 1) && (l.MinAcceleration == 0 || math.IsInf(l.MinAcceleration, -1))
	sum := s.Position + s.Velocity + s.Acceleration + t.Position + t.Velocity + t.Acceleration + l.Velocity + l.MinVelocity
	if !jumps {
		sum += l.Acceleration + l.MinAcceleration
	}
	// A sum is finite only if its terms are.
	if sum-sum != 0 || math.IsNaN(l.Jerk) || jumps && !math.IsInf(l.Jerk, 1) {
		return ErrNotFinite
	}
	if !(l.Velocity > 0) || !(l.Acceleration > 0) || !(l.Jerk > 0) || l.MinVelocity > 0 || l.MinAcceleration > 0 {
		return ErrLimits
	}
	b := l.bounds()
	if x.Control == ToPosition && (t.Velocity > b.upperVelocity || t.Velocity < -b.lowerVelocity) {
		return ErrTargetVelocity
	}
	if t.Acceleration > b.upperAcceleration || t.Acceleration < -b.lowerAcceleration {
		return ErrTargetAcceleration
	}
	if x.Control == ToPosition && !b.viable(t.Velocity, -t.Acceleration) {
		return ErrTargetApproach
	}
	return nil
}
