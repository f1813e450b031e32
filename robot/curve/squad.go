package curve

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Squad is a rotation on the spherical quadrangle (K. Shoemake, Quaternion Calculus and Fast Animation, 1987):
//
//	q(t) = slerp(slerp(p, q; u), slerp(a, b; u); 2u(1-u))     with u = t/duration
//
// Between the neighbours of [spatial.SquadControl] successive pieces join with continuous angular velocity, but not acceleration; a
// [QuatSpline] has that too. Make one with NewSquad.
type Squad struct {
	outer, inner QuatPolynomial
	part         Polynomial // 2u(1-u)
}

// NewSquad returns the rotation from p to q on [0, duration] with the inner control points a and b. It panics unless the duration is positive.
func NewSquad(duration float64, p, a, b, q spatial.Quat) Squad {
	if !(duration > 0) {
		panic(fmt.Sprintf("curve: NewSquad: duration %v, expected positive", duration))
	}
	return Squad{Slerp(duration, p, q), Slerp(duration, a, b), NewPolynomial(0, duration, 0, 2/duration, -2/(duration*duration))}
}

// Domain returns 0 and the duration.
func (s Squad) Domain() (lower, upper float64) { return s.outer.Domain() }

// Continuity returns MaxOrder: it is smooth.
func (s Squad) Continuity(float64) int { return MaxOrder }

// At returns the derivative of the quaternion of the given order: outer exp(part log(outer* inner)), as Taylor series.
func (s Squad) At(t float64, order int) spatial.Quat {
	mustBeOrder(order)
	var outer, away quatSeries
	for k := 0; k <= order; k++ {
		outer.set(k, s.outer.At(t, k).Scale(1/factorial(k)))
	}
	for k := 0; k <= order; k++ {
		var sum spatial.Quat
		for i := 0; i <= k; i++ {
			sum = sum.Add(outer.get(k - i).Conj().Mul(s.inner.At(t, i).Scale(1 / factorial(i))))
		}
		away.set(k, sum)
	}
	if away[3][0] < 0 { // the shorter way
		for c := range away {
			for k := range away[c] {
				away[c][k] = -away[c][k]
			}
		}
	}
	r := away.log(order)
	var part series
	part.expand(s.part, t, order)
	for c := range r {
		r[c] = r[c].times(&part, order)
	}
	turn := r.exp(order)
	var sum spatial.Quat
	for k := 0; k <= order; k++ {
		sum = sum.Add(outer.get(k).Mul(turn.get(order - k)))
	}
	return sum.Scale(factorial(order))
}
