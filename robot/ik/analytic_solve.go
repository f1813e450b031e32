package ik

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// candidates is what a closed form finds, before limits.
type candidates struct {
	n         int
	at        [8]Solution
	free      [7]float64 // what angles that do not matter take
	only      int        // the branch that is wanted, all if negative
	tolerance float64
	excess    float64 // least distance by which a branch misses the target, m or rad
}

// misses reports whether a branch ends because the target is out of reach.
func (c *candidates) misses(excess float64) bool {
	if excess <= c.tolerance {
		return false
	}
	c.excess = math.Min(c.excess, excess)
	return true
}

// wants reports whether posture i of a part of the arm is requested; bit is that of the part in [Branch].
func (c *candidates) wants(bit, i int) bool { return c.only < 0 || c.only>>bit&1 == i }

func (c *candidates) add(b Branch, s Singularity, q [7]float64) {
	x := &c.at[c.n]
	x.Q, x.Branch, x.Singular = q, b, s
	c.n++
}

// Solve returns every configuration that takes the tool to target (in the world frame) within the limits of the joints:
// up to eight. Each coordinate is the one nearest to the middle of its limits; where the limits are wider than a turn,
// others differ by multiples of 2π, among which [Analytic.Nearest] chooses. For seven axes the redundancy selects which
// of the infinitely many, as [Class] describes; six have none, pass 0.
//
// Angles that do not matter in a singular configuration are put in the middle of their limits. The solutions are valid
// until the next call. Without any the error is a *[Failure]: OutOfReach (by metres; by radians where an oblique
// wrist cannot turn the tool that way), or JointLimit with the joint of the solution that comes nearest to being within.
// It is [ErrNotFinite] for NaN.
func (a *Analytic) Solve(target spatial.Pose, redundancy float64) ([]Solution, error) {
	a.freeToMiddle()
	a.out.only = -1
	if err := a.candidates(&target, redundancy); err != nil {
		return nil, err
	}
	n := 0
	limit := over{amount: math.Inf(1)}
	for i := range a.out.n {
		s := &a.out.at[i]
		worst := a.center(s)
		if worst.amount > 0 {
			limit = limit.less(worst)
			continue
		}
		a.found[n] = *s
		n++
	}
	if n == 0 {
		return nil, a.fail(limit, a.out.excess)
	}
	return a.found[:n], nil
}

// candidates runs the closed form. It fails on what is not finite.
func (a *Analytic) candidates(target *spatial.Pose, redundancy float64) error {
	home := &a.chain.home
	r := target.R.Mul(home.R.T())
	a.goal = spatial.Pose{R: r, P: target.P.Sub(r.MulVec(home.P))}
	a.out.n, a.out.excess = 0, math.Inf(1)
	if !(math.Abs(redundancy) <= math.MaxFloat64) || !finite(target) {
		return ErrNotFinite
	}
	a.form.solve(&a.goal, redundancy, &a.out)
	if a.inexact {
		a.polish(target)
	}
	return nil
}

func finite(x *spatial.Pose) bool {
	s := x.P.X + x.P.Y + x.P.Z
	for i := range x.R {
		s += x.R[i][0] + x.R[i][1] + x.R[i][2]
	}
	return s-s == 0
}

// freeToMiddle puts angles that do not matter in the middle of their limits.
func (a *Analytic) freeToMiddle() {
	for i := range a.chain.axes {
		a.out.free[i] = a.chain.axes[i].middle
	}
}

// over is by how much which joint leaves its limits.
type over struct {
	joint  int
	amount float64 // rad; 0 within
}

// center takes each coordinate to the turn nearest to the middle of its limits. It returns the joint that leaves them
// most.
func (a *Analytic) center(s *Solution) (worst over) {
	for i := range a.chain.axes {
		x := &a.chain.axes[i]
		s.Q[i] -= 2 * math.Pi * math.RoundToEven((s.Q[i]-x.middle)*(1/(2*math.Pi)))
		worst = worst.more(i, x.within(&s.Q[i]))
	}
	return worst
}

// approach takes each coordinate to the turn within its limits that is nearest to q0. It returns the joint that leaves
// them most.
func (a *Analytic) approach(s *Solution, q0 *[7]float64) (worst over) {
	for i := range a.chain.axes {
		x := &a.chain.axes[i]
		k := math.RoundToEven((q0[i] - s.Q[i]) * (1 / (2 * math.Pi)))
		q := s.Q[i] + 2*math.Pi*k
		switch {
		case q > x.upper+closed:
			q -= 2 * math.Pi * math.Ceil((q-x.upper-closed)*(1/(2*math.Pi)))
		case q < x.lower-closed:
			q += 2 * math.Pi * math.Ceil((x.lower-closed-q)*(1/(2*math.Pi)))
		}
		s.Q[i] = q
		worst = worst.more(i, x.within(&s.Q[i]))
	}
	return worst
}

// within returns how far q is out of the limits. Rounding is forgiven.
func (x *axis) within(q *float64) float64 {
	switch {
	case *q >= x.lower && *q <= x.upper:
		return 0
	case *q > x.upper+closed:
		return *q - x.upper
	case *q < x.lower-closed:
		return x.lower - *q
	case *q != *q:
		return math.Inf(1)
	}
	*q = math.Min(math.Max(*q, x.lower), x.upper)
	return 0
}

func (o over) more(joint int, amount float64) over {
	if amount > o.amount {
		return over{joint, amount}
	}
	return o
}

func (o over) less(p over) over {
	if p.amount < o.amount {
		return p
	}
	return o
}
