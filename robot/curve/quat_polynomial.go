package curve

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// QuatPolynomial is a rotation whose rotation vector from a start is a polynomial:
//
//	q(t) = start exp(r(t)/2)     on [lower, upper]
//
// r is in the axes of the start; its direction is the axis and its length the angle of the rotation from there. Make
// one with QuatHermite or Slerp. The zero value is no rotation.
type QuatPolynomial struct {
	start spatial.Quat
	r     [3]Polynomial
}

// QuatHermite returns the rotation from a to b on [0, duration], the shorter way round, with the given angular velocities,
// accelerations and so on at its ends: start[k] and end[k] are the k-th derivatives of the angular velocity in the world
// frame, rad/s^(k+1). With one condition at either end r is a cubic, with two a quintic, with none the rotation is about
// one axis at constant speed. a and b are made unit quaternions. It panics unless the duration is positive, and for more
// than MaxOrder conditions at an end.
func QuatHermite(duration float64, a, b spatial.Quat, start, end []spatial.Vec3) QuatPolynomial {
	if !(duration > 0) {
		panic(fmt.Sprintf("curve: QuatHermite: duration %v, expected positive", duration))
	}
	mustBeOrder(len(start))
	mustBeOrder(len(end))
	a, b = a.Unit(), b.Unit()
	if a.Dot(b) < 0 {
		b = b.Neg()
	}
	p := QuatPolynomial{start: a}
	first, last := relative(a, a, start), relative(a, b, end)
	for i := range p.r {
		p.r[i] = Hermite(0, duration, derivatives(&first[i], len(start)), derivatives(&last[i], len(end)))
	}
	return p
}

// Slerp returns the rotation from a to b about one axis at constant speed on [0, duration], the shorter way round.
func Slerp(duration float64, a, b spatial.Quat) QuatPolynomial {
	return QuatHermite(duration, a, b, nil, nil)
}

// relative returns the series of the rotation vector from a of a rotation that is at q and turns with w.
func relative(a, q spatial.Quat, w []spatial.Vec3) vecSeries {
	s := turning(q, w)
	var d quatSeries
	for k := 0; k <= len(w); k++ {
		d.set(k, a.Conj().Mul(s.get(k)))
	}
	return d.log(len(w))
}

// derivatives returns those of the orders 0 to n of a series.
func derivatives(s *series, n int) []float64 {
	d := make([]float64, n+1)
	for k := range d {
		d[k] = s[k] * factorial(k)
	}
	return d
}

// Domain returns the interval of definition.
func (p QuatPolynomial) Domain() (lower, upper float64) { return p.r[0].Domain() }

// Continuity returns MaxOrder: a polynomial is smooth.
func (p QuatPolynomial) Continuity(float64) int { return MaxOrder }

// Degree returns the exact degree of the rotation vector.
func (p QuatPolynomial) Degree() int { return max(p.r[0].Degree(), p.r[1].Degree(), p.r[2].Degree()) }

// At returns the derivative of the quaternion of the given order.
func (p QuatPolynomial) At(t float64, order int) spatial.Quat {
	mustBeOrder(order)
	var r vecSeries
	for i := range r {
		k := 1.0
		for n := 0; n <= order; n++ {
			r[i][n] = p.r[i].At(t, n) / k
			k *= float64(n + 1)
		}
	}
	q := r.exp(order)
	return p.start.Mul(q.get(order)).Scale(factorial(order))
}
