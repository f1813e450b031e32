package curve

import "github.com/sinew-robotics/sinew/robot/spatial"

// Pose is a pose that depends on one variable, such as a tool on its way: a position and a rotation, each of any kind, also piecewise.
type Pose struct {
	Position Path     // m
	Rotation Rotation // of the frame that moves, in the frame of the position
}

// Domain returns the interval on which both are defined.
func (p Pose) Domain() (lower, upper float64) {
	a, b := p.Position.Domain()
	c, d := p.Rotation.Domain()
	return max(a, c), min(b, d)
}

// At returns the pose at t.
func (p Pose) At(t float64) spatial.Pose {
	return spatial.Pose{R: p.Rotation.At(t, 0).Mat3(), P: p.Position.At(t, 0)}
}

// Derivative returns the derivative of the given order, from 1 to MaxOrder: that of the position and, of one order less, the angular velocity, both
// in the axes of the frame in which the pose is given. Order 1 is the velocity of the origin of the moving frame with the angular velocity, order 2 their accelerations. A
// run through it at ṫ and ẗ has the acceleration D1 ẗ + D2 ṫ².
func (p Pose) Derivative(t float64, order int) spatial.Motion {
	return spatial.Motion{Linear: p.Position.At(t, order), Angular: AngularVelocity(p.Rotation, t, order-1)}
}

// Under returns the pose run through under a law of time: p(law(t)).
func (p Pose) Under(law Function) Pose {
	return Pose{p.Position.Under(law), NestRotation(p.Rotation, law)}
}

// Continuity returns the lesser of both: the highest order up to which neither position nor rotation jumps by more than tolerance (m and rad, by the
// variable's unit).
func (p Pose) Continuity(tolerance float64) int {
	return min(p.Position.Continuity(tolerance), p.Rotation.Continuity(tolerance))
}

// Check compares the magnitudes of the derivatives of the position with limits (component 0 of a violation: m/s at order 1, m/s² at order 2), and those of the
// rotation (component 1: rad/s, rad/s²), as [CheckRotation] does.
func (p Pose) Check(linear, angular []Limit) (found []Violation) {
	lower, upper := p.Domain()
	for k, limits := range [...][]Limit{linear, angular} {
		for _, l := range limits {
			r := p.Position.Range
			if k == 1 {
				r = func(order int, a, b float64) Range { return RotationRange(p.Rotation, order, a, b) }
			}
			found = append(found, breaches(k, l, r(l.Order, lower, upper))...)
		}
	}
	return found
}
