package multibody

import (
	"errors"
	"math"
)

// ErrOpen means that no nearby configuration closes the loops.
var ErrOpen = errors.New("multibody: the loops cannot be closed from this configuration; start nearer, or hold fewer coordinates")

// closed is how far loops may stay open to count as closed, m and rad.
const closed = 1e-12

// CloseLoops changes q so that the loops close, by Gauss–Newton steps of least change. The velocity coordinates in hold
// keep their value, for example the crank of a four-bar linkage. q has length NQ; the indices in hold are from 0 to NV − 1. It returns [ErrOpen], with the best q reached, if that fails.
func CloseLoops(d *Data, l *Loops, q []float64, hold ...int) error {
	n := d.model.nv
	best := math.Inf(1)
	for range 100 {
		l.evaluate(d, q)
		gap := 0.0
		for _, g := range l.gap {
			gap = max(gap, math.Abs(g))
		}
		if gap < closed || gap < 1e-9 && gap >= best { // as good as rounding allows
			return nil
		}
		best = gap
		for _, k := range hold {
			for i := range l.rows {
				l.jac[i*n+k] = 0
			}
		}
		l.product(l.jac, l.jac)
		copy(l.target, l.gap)
		l.solve()
		clear(l.step)
		longest := 0.0
		for i, f := range l.force {
			for k, y := range l.jac[i*n : (i+1)*n] {
				l.step[k] -= y * f
			}
		}
		for _, s := range l.step {
			longest = max(longest, math.Abs(s))
		}
		if !(longest < math.MaxFloat64) {
			return ErrOpen
		}
		if longest > 0.5 { // rad or m: do not jump over solutions
			for k := range l.step {
				l.step[k] *= 0.5 / longest
			}
		}
		d.model.Integrate(q, l.step, q)
	}
	return ErrOpen
}

// ProjectVelocity changes v to the velocity with which the loops stay closed that differs least from it in kinetic
// energy: what an inelastic closing of the loops would leave. q has length NQ, v NV.
func ProjectVelocity(d *Data, l *Loops, q, v []float64) {
	want("ProjectVelocity", "v", len(v), d.model.nv)
	l.evaluate(d, q)
	l.weigh(d, q)
	for i := range l.target {
		l.target[i] = -l.dot(l.jac, i, v)
	}
	l.solve()
	l.apply(v)
}

// weigh computes x = J M⁻¹ and inner = J M⁻¹ Jᵀ.
func (l *Loops) weigh(d *Data, q []float64) {
	n := d.model.nv
	CRBA(d, q, d.square)
	d.model.order.factorize(d.square)
	copy(l.x, l.jac)
	for i := range l.rows {
		d.model.order.solve(d.square, l.x[i*n:(i+1)*n])
	}
	l.product(l.jac, l.x)
}

// apply adds xᵀ force to y.
func (l *Loops) apply(y []float64) {
	n := l.model.nv
	for i, f := range l.force {
		for k, x := range l.x[i*n : (i+1)*n] {
			y[k] += x * f
		}
	}
}

// ConstrainedABA computes forward dynamics with closed loops: the accelerations a for which
//
//	M a + C v + g = tau + Jᵀ λ,   J a + J̇ v = -2κ J v - κ² gap
//
// with κ the Damping of l. q has length NQ; v, tau and a have NV. The closing forces λ are then [Loops.Forces].
func ConstrainedABA(d *Data, l *Loops, q, v, tau, a []float64) {
	ABA(d, q, v, tau, a)
	l.evaluate(d, q)
	l.weigh(d, q)
	l.rates(d, q, v)
	k := l.Damping
	for i := range l.target {
		l.target[i] = -l.rate[i] - 2*k*l.dot(l.jac, i, v) - k*k*l.gap[i] - l.dot(l.jac, i, a)
	}
	l.solve()
	l.apply(a)
}

// Forces returns the closing forces of the last ConstrainedABA: for each loop the force (N) and, unless Point, the moment
// (N m) on link B in world axes at the frame of B. Valid until the next call.
func (l *Loops) Forces() []float64 { return l.force }
