package trajectory

import "math"

// Limits bound the motion of one axis: its velocity (rad/s or m/s), acceleration and jerk. They must be positive. An
// infinite Jerk lets the acceleration jump, an infinite Acceleration (with it) the velocity.
type Limits struct {
	Velocity, Acceleration, Jerk float64 // upper limits: rad/s, rad/s², rad/s³, or m/s, …

	// Lower limits, negative. 0 stands for the negative of the upper limit.
	MinVelocity, MinAcceleration float64
}

// bounds are Limits as the planner uses them: lower limits by their magnitude.
type bounds struct {
	upperVelocity, lowerVelocity         float64
	upperAcceleration, lowerAcceleration float64
	jerk                                 float64
}

func (l *Limits) bounds() bounds {
	b := bounds{l.Velocity, -l.MinVelocity, l.Acceleration, -l.MinAcceleration, l.Jerk}
	if l.MinVelocity == 0 {
		b.lowerVelocity = l.Velocity
	}
	if l.MinAcceleration == 0 {
		b.lowerAcceleration = l.Acceleration
	}
	return b
}

func (b bounds) mirror() bounds {
	return bounds{b.lowerVelocity, b.upperVelocity, b.lowerAcceleration, b.upperAcceleration, b.jerk}
}

// order returns which derivative is the highest that is limited: 3 for the jerk.
func (b bounds) order() int {
	switch {
	case !math.IsInf(b.jerk, 1):
		return 3
	case !math.IsInf(b.upperAcceleration, 1):
		return 2
	}
	return 1
}

// viable reports whether the axis keeps its velocity limits while its acceleration goes from a to 0 with full jerk. For
// the way there instead of from there, call it for the mirrored axis.
func (b bounds) viable(v, a float64) bool {
	after := v + a*math.Abs(a)/(2*b.jerk)
	return v <= b.upperVelocity && v >= -b.lowerVelocity && after <= b.upperVelocity && after >= -b.lowerVelocity
}
