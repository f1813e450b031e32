package ik

import "math"

// One attempt: steps from a configuration until the tasks are done.

// search improves q until the tasks are done or nothing helps any more; without patience also until it becomes slow.
func (s *Solver) search(tasks []Task, q []float64, patient bool) attempt {
	s.confine(q)
	limit := s.Iterations
	if s.Method == Transpose {
		limit *= transposeFactor
	}
	t := &s.step
	t.damping = 1
	a := attempt{pressed: -1}
	a.cost = t.evaluate(s, tasks, q)
	patient = patient || s.Method == Transpose || len(t.levels) > 1
	before := math.Inf(1)
	for n := range limit {
		if !patient && n%probation == 0 {
			if a.cost > progress*before {
				break
			}
			before = a.cost
		}
		s.count++
		if a.linear, a.angular = t.residual(tasks, 0); a.linear <= s.Linear && a.angular <= s.Angular {
			if linear, angular := t.residual(tasks, 1); linear <= s.Linear && angular <= s.Angular {
				a.solved = true
				return a
			}
		}
		t.equations(tasks, t.left)
		t.rest(s, s.Method, q)
		dq := t.compute(s, s.Method, q, s.lower, s.upper)
		size := s.shorten(dq)
		s.model.Integrate(q, dq, s.next)
		s.confine(s.next)
		cost := t.evaluate(s, tasks, s.next)
		if size < 1e-12 || s.Method == LevenbergMarquardt && len(t.levels) == 1 && cost >= a.cost && t.damping > 1e9 {
			a.stuck = true
			break
		}
		if s.Method == LevenbergMarquardt && len(t.levels) == 1 {
			if cost >= a.cost { // take the step back
				t.damping *= 8
				t.evaluate(s, tasks, q)
				continue
			}
			t.damping = math.Max(t.damping/4, 1e-6)
		}
		a.stuck = a.cost-cost < 1e-9*a.cost
		a.cost = cost
		a.pressed = t.pressed
		copy(q, s.next)
		if a.stuck && size < 1e-6 {
			break
		}
	}
	if len(t.levels) > 1 {
		s.finish(tasks, q)
	}
	a.linear, a.angular = t.residual(tasks, 0)
	a.solved = a.linear <= s.Linear && a.angular <= s.Angular
	return a
}

// finish brings the first level to its tolerance after a search in which the others, which cannot be done wholly, pulled
// at it to the end.
func (s *Solver) finish(tasks []Task, q []float64) {
	const steps = 5
	t := &s.step
	all := t.levels
	t.levels = all[:1]
	for range steps {
		t.equations(tasks, t.left)
		t.rest(s, PseudoInverse, q)
		dq := t.compute(s, PseudoInverse, q, s.lower, s.upper)
		s.shorten(dq)
		s.model.Integrate(q, dq, q)
		s.confine(q)
		t.evaluate(s, tasks, q)
	}
	t.levels = all
}

// shorten keeps a step from turning any joint by more than it can be trusted, and returns the size of what remains.
func (s *Solver) shorten(dq []float64) float64 {
	const trusted = 0.7
	size := 0.0
	for _, x := range dq {
		size = math.Max(size, math.Abs(x))
	}
	if size > trusted {
		for i := range dq {
			dq[i] *= trusted / size
		}
		return trusted
	}
	return size
}

// confine brings the coordinates into their limits: where full turns do not matter by those, else to the nearest bound.
func (s *Solver) confine(q []float64) {
	for i, k := range s.place {
		if k < 0 || q[k] >= s.lower[i] && q[k] <= s.upper[i] {
			continue
		}
		if s.turns[i] {
			if turned := q[k] - 2*math.Pi*math.Round((q[k]-(s.lower[i]+s.upper[i])/2)/(2*math.Pi)); turned >= s.lower[i] && turned <= s.upper[i] && math.Abs(turned-q[k]) > 3 {
				q[k] = turned
				continue
			}
		}
		q[k] = math.Min(math.Max(q[k], s.lower[i]), s.upper[i])
	}
}
