package ik

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Velocity computes the velocity v of the joints at q that gives the tools of the tasks their velocities, in the control
// cycle: damped least squares near singularities (Nakamura and Hanafusa 1986), tasks of higher priority numbers in the
// freedom that the others leave (Siciliano and Slotine 1991). twists are the tools' velocities in world axes, linear then
// angular; a task's Target only defines the axes that its weights refer to. wish is the velocity of the joints wanted in the
// freedom that is left then, such as k·Difference(q, posture); nil for none.
//
// No joint moves faster than its limit of velocity, or so that it would leave its limits within the time dt (s): it is held
// there, and the others make up for it. It returns the rest that the tools' velocities then lack: the norm of the difference,
// weighted, over the tasks of the first priority. Its time is bounded: at most NV+1 solutions of the equations. It panics at
// wrong lengths and allocates nothing; with numbers that are not finite it returns NaN and zero velocities.
func (s *Solver) Velocity(q []float64, tasks []Task, twists []spatial.Motion, wish []float64, dt float64, v []float64) (missing float64) {
	s.want("Velocity", "q", len(q))
	if n := s.model.NV(); len(v) != n || wish != nil && len(wish) != n || len(twists) != len(tasks) || !(dt > 0) {
		panic(fmt.Sprintf("ik: Velocity: v has %d elements and wish %d, want %d (wish may be nil); %d twists for %d tasks; dt is %v, want more than 0",
			len(v), len(wish), n, len(twists), len(tasks), dt))
	}
	for i := range tasks {
		if tasks[i].check(s.links) != nil {
			clear(v)
			return math.NaN()
		}
	}
	t := &s.step
	t.arrange(tasks)
	t.evaluate(s, tasks, q)
	for i := range tasks {
		R, x := &tasks[i].Target.R, &twists[i]
		l, a := R.TMulVec(x.Linear), R.TMulVec(x.Angular)
		t.left[i] = [6]float64{l.X, l.Y, l.Z, a.X, a.Y, a.Z}
	}
	t.equations(tasks, t.left)
	s.speeds(q, dt)
	t.wish = wish
	copy(v, t.compute(s, DampedLeastSquares, q, s.low, s.high))
	for i, limit := range s.fastest { // where there are no position limits to work with
		if s.place[i] < 0 {
			v[i] = math.Min(math.Max(v[i], -limit), limit)
		}
	}
	first := 0
	if len(t.levels) > 0 {
		first = t.levels[0].lastRow
	}
	for r := range first {
		d := t.e[r]
		for c, x := range t.tools[r*t.n : (r+1)*t.n] {
			d -= x * v[c]
		}
		missing += d * d
	}
	for _, x := range v {
		if math.IsNaN(x) || math.IsNaN(missing) {
			clear(v)
			return math.NaN()
		}
	}
	return math.Sqrt(missing)
}

// speeds bounds where each coordinate may be after unit time at a constant velocity.
func (s *Solver) speeds(q []float64, dt float64) {
	for i, k := range s.place {
		if k < 0 {
			continue
		}
		slowest := math.Min(0, math.Max(-s.fastest[i], (s.lower[i]-q[k])/dt))
		s.low[i], s.high[i] = q[k]+slowest, q[k]+math.Max(0, math.Min(s.fastest[i], (s.upper[i]-q[k])/dt))
	}
}
