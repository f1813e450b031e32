package ik

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Nearest writes to q the solution that is nearest to q0, both configurations of the model: the one with the least sum
// of squared differences of the arm's joints, among all branches, turns within the limits and, with seven axes,
// redundancies. Other joints keep the coordinates of q0. Angles that do not matter in a singular configuration stay as
// in q0. q may be q0. Errors are those of [Analytic.Solve]; q is then q0. q0 and q have length NQ.
func (a *Analytic) Nearest(target spatial.Pose, q0, q []float64) error {
	copy(q, q0)
	s := search{a: a, target: target, nearest: true, near: a.arm(q0)}
	a.out.free = s.near
	return s.run(a.redundancy(&s.near), q)
}

// Centered writes to q, a configuration of the model, the solution that is farthest from the limits: the one whose most
// confined joint has the largest part of its range to spare, among all branches and, with seven axes, redundancies.
// Other joints keep their coordinates in q. Errors are those of [Analytic.Solve]; q then stays as it is. q has length NQ.
func (a *Analytic) Centered(target spatial.Pose, q []float64) error {
	a.freeToMiddle()
	s := search{a: a, target: target}
	return s.run(0, q)
}

// arm returns the coordinates of the arm's joints in the configuration q of the model.
func (a *Analytic) arm(q []float64) (x [7]float64) {
	for i := range a.chain.axes {
		x[i] = q[a.chain.axes[i].q]
	}
	return x
}

// Redundancy returns the redundancy of the configuration q of the model, as [Class] defines it; 0 with six axes. q has length NQ.
func (a *Analytic) Redundancy(q []float64) float64 {
	x := a.arm(q)
	return a.redundancy(&x)
}

func (a *Analytic) redundancy(q *[7]float64) float64 {
	switch form := a.form.(type) {
	case *swivel:
		return form.angle(q)
	case *offset:
		return q[6]
	}
	return 0
}

// Branch returns the branch of the configuration q of the model. q has length NQ.
func (a *Analytic) Branch(q []float64) Branch {
	x := a.arm(q)
	a.out.free, a.out.only = x, -1
	pose := a.chain.fk(&x)
	_ = a.candidates(&pose, a.redundancy(&x)) // NaN has no branch
	best, b := math.Inf(1), Branch(0)
	for i := range a.out.n {
		d := 0.0
		for j := range a.chain.axes {
			e := math.Remainder(a.out.at[i].Q[j]-x[j], 2*math.Pi)
			d += e * e
		}
		if d < best {
			best, b = d, a.out.at[i].Branch
		}
	}
	return b
}

// The ranks of a search: costs of solutions, behind them solutions outside of the limits by how much they are, behind them
// redundancies without solution by how much they miss the target.
const (
	outside     = 1e6
	unreachable = 1e9
)

// search looks for the best solution over the redundancy.
type search struct {
	a       *Analytic
	target  spatial.Pose
	nearest bool // to near; otherwise far from the limits
	near    [7]float64
	best    ranked
}

// ranked is a solution with its cost.
type ranked struct {
	Solution
	redundancy, cost float64
	limit            over
}

// run searches, starting at a redundancy, and writes what it finds to q.
func (s *search) run(start float64, q []float64) error {
	if s.nearest && !(math.Abs(start) <= math.MaxFloat64) || !finite(&s.target) {
		return ErrNotFinite
	}
	s.a.out.only = -1
	s.best.cost = math.Inf(1)
	s.try(start)
	if s.a.class.Axes() == 7 {
		s.sweep()
	}
	if s.best.cost >= outside {
		return s.a.fail(s.best.limit, s.best.cost-unreachable)
	}
	s.a.Configuration(&s.best.Solution, q)
	return nil
}

// sweep looks through all redundancies, unless the neighbourhood of the first has a solution so near that none can be
// nearer.
func (s *search) sweep() {
	const (
		samples = 48
		near    = 0.1 // rad²: no other part of the self-motion comes that near
	)
	lower, upper := s.a.span()
	step := (upper - lower) / samples
	if s.nearest && s.best.cost < outside {
		s.refine(step)
		if s.best.cost < near {
			return
		}
	}
	for i := range samples + 1 {
		s.try(lower + float64(i)*step)
	}
	s.refine(step)
}

// span returns the range of the redundancy, at most a turn.
func (a *Analytic) span() (lower, upper float64) {
	if a.class == OffsetWrist {
		x := &a.chain.axes[6]
		if x.upper-x.lower < 2*math.Pi {
			return x.lower, x.upper
		}
		return x.middle - math.Pi, x.middle + math.Pi
	}
	return -math.Pi, math.Pi
}

// try evaluates one redundancy and returns its least cost.
func (s *search) try(redundancy float64) float64 {
	a := s.a
	_ = a.candidates(&s.target, redundancy) // run has looked
	least := unreachable + a.out.excess
	if s.best.cost > least {
		s.best = ranked{redundancy: redundancy, cost: least, limit: over{amount: math.Inf(1)}}
	}
	for i := range a.out.n {
		x := &a.out.at[i]
		var limit over
		if s.nearest {
			limit = a.approach(x, &s.near)
		} else {
			limit = a.center(x)
		}
		cost := outside + limit.amount
		if limit.amount == 0 {
			cost = s.cost(&x.Q)
		}
		least = math.Min(least, cost)
		if cost < s.best.cost {
			s.best = ranked{*x, redundancy, cost, limit}
		}
	}
	return least
}

// cost returns the cost of a solution within the limits.
func (s *search) cost(q *[7]float64) (cost float64) {
	if s.nearest {
		for i := range s.a.chain.axes {
			d := q[i] - s.near[i]
			cost += d * d
		}
		return cost
	}
	cost = -1
	for i := range s.a.chain.axes {
		x := &s.a.chain.axes[i]
		if half := (x.upper - x.lower) / 2; half < math.Inf(1) && half > 0 {
			cost = math.Max(cost, math.Abs(q[i]-x.middle)/half-1)
		}
	}
	return cost
}

// refine improves the best redundancy on its branch, within a step to both sides, by parabolas and the golden section
// (Brent 1973, chapter 5).
func (s *search) refine(step float64) {
	const (
		golden = 0.3819660112501051
		enough = 1e-5 // rad; the cost is stationary here
		rounds = 40
	)
	s.a.out.only = int(s.best.Branch)
	x, fx := s.best.redundancy, s.best.cost
	lower, upper := x-step, x+step
	w, v, fw, fv := x, x, fx, fx // second and third best
	move, before := 0.0, 0.0
	for range rounds {
		middle := (lower + upper) / 2
		if math.Abs(x-middle) <= 2*enough-(upper-lower)/2 {
			break
		}
		r, q := (x-w)*(fx-fv), (x-v)*(fx-fw)
		p := (x-v)*q - (x-w)*r
		q = 2 * (q - r)
		if q > 0 {
			p = -p
		}
		q = math.Abs(q)
		if math.Abs(p) < math.Abs(q*before/2) && p > q*(lower-x) && p < q*(upper-x) {
			before, move = move, p/q
		} else {
			before = upper - x
			if x >= middle {
				before = lower - x
			}
			move = golden * before
		}
		if math.Abs(move) < enough {
			move = math.Copysign(enough, move)
		}
		u := x + move
		fu := s.try(u)
		if fu <= fx {
			if u < x {
				upper = x
			} else {
				lower = x
			}
			v, fv, w, fw, x, fx = w, fw, x, fx, u, fu
			continue
		}
		if u < x {
			lower = u
		} else {
			upper = u
		}
		switch {
		case fu <= fw || w == x:
			v, fv, w, fw = w, fw, u, fu
		case fu <= fv || v == x || v == w:
			v, fv = u, fu
		}
	}
	s.a.out.only = -1
}
