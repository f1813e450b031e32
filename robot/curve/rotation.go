package curve

import "github.com/sinew-robotics/sinew/robot/spatial"

// Rotation is a rotation that depends on one variable, as a unit quaternion.
type Rotation interface {
	// Domain returns the interval on which the rotation is defined.
	Domain() (lower, upper float64)

	// At returns the derivative of the quaternion of the given order, 0 to MaxOrder, at t; order 0 is the rotation.
	At(t float64, order int) spatial.Quat

	// Continuity returns the highest order up to which nothing jumps by more than tolerance within the domain: 0 when only the rotation
	// is continuous (rad), 1 when the angular velocity is too (rad/s), -1 when not even the rotation, MaxOrder at most.
	Continuity(tolerance float64) int
}

// AngularVelocity returns the angular velocity in the world frame (order 0) or its derivative of the given order, up to
// MaxOrder-1: order 1 is the angular acceleration. From q' = ω q / 2 and Leibniz' rule,
//
//	ω⁽ⁿ⁾ = 2 Σ C(n,k) q⁽ᵏ⁺¹⁾ q*⁽ⁿ⁻ᵏ⁾
func AngularVelocity(r Rotation, t float64, order int) spatial.Vec3 {
	mustBeOrder(order + 1)
	var w spatial.Vec3
	binomial := 1.0
	for k := 0; k <= order; k++ {
		w = w.Add(r.At(t, k+1).Mul(r.At(t, order-k).Conj()).Vec().Scale(2 * binomial))
		binomial = binomial * float64(order-k) / float64(k+1)
	}
	return w
}

// NestedRotation is a rotation run through under a law of time. Make one with NestRotation.
type NestedRotation struct {
	outer Rotation
	inner Function
}

// NestRotation returns outer(inner(t)).
func NestRotation(outer Rotation, inner Function) NestedRotation { return NestedRotation{outer, inner} }

// Domain returns the domain of the law.
func (n NestedRotation) Domain() (lower, upper float64) { return n.inner.Domain() }

// Continuity returns the lesser of the two: a jump of either may be one of the composition.
func (n NestedRotation) Continuity(tolerance float64) int {
	return min(n.outer.Continuity(tolerance), n.inner.Continuity(tolerance))
}

// At returns the derivative of the quaternion by the formula of Faà di Bruno.
func (n NestedRotation) At(t float64, order int) spatial.Quat {
	mustBeOrder(order)
	var g series
	g.expand(n.inner, t, order)
	var f quatSeries
	k := 1.0
	for i := 0; i <= order; i++ {
		f.set(i, n.outer.At(g[0], i).Scale(1/k))
		k *= float64(i + 1)
	}
	for c := range f {
		f[c] = f[c].of(&g, order)
	}
	return f.get(order).Scale(factorial(order))
}
