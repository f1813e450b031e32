package ik

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

// verdict returns why no attempt has solved the tasks:
//
//   - out of reach, where a target lies farther from the base of its joints than all lengths between them together; or
//     where the search fails without limits too, and several attempts from different starts ended equally near;
//   - joint limit, where the same search succeeds without limits: the joint that goes beyond, of the solution that
//     leaves them least. With solutions only in corners of the space that no attempt met, this verdict may be premature:
//     more attempts make it surer;
//   - singular, where the search could not go on though nothing holds it;
//   - iteration limit otherwise.
//
// It is nil if the search without limits happens upon a solution within them.
func (s *Solver) verdict(tasks []Task) error {
	s.failure = Failure{Reason: Iterations, Linear: s.nearest.linear, Angular: s.nearest.angular}
	for i := range tasks {
		if excess := s.excess(&tasks[i]); excess > 0 && s.isFirst(i) {
			s.failure.Reason, s.failure.By = OutOfReach, math.Max(s.failure.By, excess)
		}
	}
	if s.failure.Reason != OutOfReach {
		if s.unlimited(tasks) {
			return nil
		}
		switch {
		case s.failure.Reason == JointLimit:
		case s.agree > 2 || s.stuck >= min(s.Attempts, patient) && s.Attempts > 2:
			s.failure.Reason = OutOfReach
		case s.nearest.stuck:
			s.failure.Reason = Singular
		}
	}
	s.failure.Iterations = s.count
	return &s.failure
}

// isFirst reports whether a task is of the first level.
func (s *Solver) isFirst(i int) bool {
	l := s.step.levels[0]
	for _, k := range s.step.order[l.firstTask:l.lastTask] {
		if k == i {
			return true
		}
	}
	return false
}

// unlimited searches again without limits. If that succeeds the failure names the joint; if it even succeeds within the limits,
// s.best becomes that and it reports true.
func (s *Solver) unlimited(tasks []Task) bool {
	const attempts = 5
	lower, upper := s.lower, s.upper
	defer func() { s.lower, s.upper = lower, upper }()
	copy(s.try, s.best)
	least := math.Inf(1)
	for n := range min(attempts, max(s.Attempts, 1)) {
		if n > 0 {
			s.model.Random(s.rng, s.try)
		}
		s.lower, s.upper = s.unlimitedLower, s.unlimitedUpper
		if !s.search(tasks, s.try, true).solved {
			continue
		}
		beyond, joint := s.beyond(s.try, lower, upper)
		if joint < 0 {
			s.lower, s.upper = lower, upper
			s.confine(s.try)
			copy(s.best, s.try)
			return true
		}
		if beyond < least {
			least = beyond
			s.failure.Reason, s.failure.Joint, s.failure.By = JointLimit, s.names[joint], beyond
		}
	}
	return false
}

// beyond returns by how much a configuration leaves the limits, full turns apart, and the joint that does so most.
func (s *Solver) beyond(q, lower, upper []float64) (most float64, joint int) {
	joint = -1
	for i, k := range s.place {
		if k < 0 || math.IsInf(lower[i], -1) && math.IsInf(upper[i], 1) {
			continue
		}
		x := q[k]
		if s.turns[i] {
			x -= 2 * math.Pi * math.Round((x-(lower[i]+upper[i])/2)/(2*math.Pi))
		}
		if d := math.Max(lower[i]-x, x-upper[i]); d > most {
			most, joint = d, i
		}
	}
	return most, joint
}

// excess returns by how much the position of a target lies beyond the reach of its tool: the sum of the distances between
// the joints that carry it, and of the travel of those that slide; 0 where it may be within.
func (s *Solver) excess(task *Task) float64 {
	if task.Weight[0] == 0 || task.Weight[1] == 0 || task.Weight[2] == 0 {
		return 0
	}
	n, J := s.step.n, s.step.raw[:6*s.step.n]
	link := multibody.Jacobian(s.data, s.best, task.Link, multibody.Mixed, J)
	multibody.FK(s.data, s.best)
	base, last, reach, any := link.P, link.P, 0.0, false
	for i, j := range s.joints {
		moves := false
		for r := range 6 {
			moves = moves || J[r*n+j.V] != 0
		}
		if !moves {
			continue
		}
		if j.Mimic != nil {
			return 0
		}
		origin := s.data.Pose(s.children[i]).P
		switch j.Type {
		case multibody.Revolute, multibody.Continuous, multibody.Spherical, multibody.Universal:
			if any {
				reach += origin.Sub(last).Norm()
			}
		case multibody.Prismatic:
			travel := s.upper[j.V] - s.lower[j.V]
			if !any { // the base itself slides
				base = origin
			} else {
				reach += origin.Sub(last).Norm()
			}
			reach += travel
		default:
			return 0
		}
		if !any {
			base, any = origin, true
		}
		last = origin
	}
	if !any {
		return 0
	}
	reach += link.Mul(task.Tool).P.Sub(last).Norm()
	return math.Max(0, task.Target.P.Sub(base).Norm()-reach)
}
