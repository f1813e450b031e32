package timed

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/proof"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// Planner plans motions in time: paths by [planning.Connect], shortened by a [planning.Simplifier], of which the quickest is made quicker still by moves of its
// points between start and goal, then timed with rounded corners by [trajectory.Rounded], and the result examined by a [proof.Prover].
//
// The first path leads to any of the goals, the others to those from which a straight motion would take least, if that is less than the quickest path takes. In a space with a constraint the
// first path is taken as it is.
//
// Where the rounding of a corner is not free the corner is made sharper, until the motion stops there. Where an edge is not free,
// which happens between the points that the planner checked, the path is planned again with the next seed and half the resolution. The
// [Report] counts both. A plan allocates nothing, except for errors that name bodies, and for a path that has more than 256 points after it was simplified.
type Planner struct {
	Timer
	Attempts int // paths after which a plan gives up
	Paths    int // of which the quickest is taken
	Moves    int // of the points of the quickest path

	connect    *planning.Connect
	simplifier *planning.Simplifier
	quickener  *quickener
	best       []float64   // points of the quickest path
	near       []nearGoal  // goals to which a straight motion takes least
	goals      [][]float64 // those of them that the next path may lead to
	fault      ContactError
}

// ContactError means that the exact engine finds a contact on each path that was planned.
type ContactError struct {
	Attempts int
	proof.Verdict
}

// Error names the contact on the last path.
func (e *ContactError) Error() string {
	return fmt.Sprintf("plan a motion: the exact engine finds a contact on each of %d paths; on the last one %s; raise the attempts, lower the planner's resolution or pad the robot", e.Attempts, e.Verdict)
}

// NewPlanner returns a planner of motions that keep limits, one for each joint of the space of connect. The prover must be for the same
// joints and scene as the engine of connect; a constraint of its space holds for the motion. Numbers that do not agree are a mistake of the program and panic.
func NewPlanner(connect *planning.Connect, prover *proof.Prover, limits []trajectory.Limits) *Planner {
	if n := connect.Space().Dim(); prover.Joints().Dim() != n {
		panic(fmt.Sprintf("timed: a motion planner of %d joints, with a prover of %d", n, prover.Joints().Dim()))
	}
	m := &Planner{
		Timer: *NewTimer(prover, limits), Attempts: 5, Paths: 5, Moves: 2000,
		connect: connect, simplifier: planning.NewSimplifier(connect.Verifier()), quickener: newQuickener(prover.Joints(), connect.Verifier(), limits),
		best: make([]float64, 0, pathPoints*connect.Space().Dim()), near: make([]nearGoal, 0, pathPoints), goals: make([][]float64, 0, mostGoals),
	}
	m.Keep = connect.Verifier().Kept()
	return m
}

// Simplifier returns the simplifier of the planner.
func (m *Planner) Simplifier() *planning.Simplifier { return m.simplifier }

// Plan returns a motion from rest at start to rest at one of the goals, valid until the next call. Errors are those of [planning.Connect.PlanToAny], a
// [*ContactError], valid as long, and an axis error of package trajectory for limits that are not finite and positive.
func (m *Planner) Plan(start []float64, goals ...[]float64) (*trajectory.Rounded, Report, error) {
	c, v := m.connect, m.connect.Verifier()
	seed, resolution, repair := c.Seed, v.Resolution, c.Repair
	defer func() { c.Seed, m.simplifier.Seed, v.Resolution, c.Repair = seed, seed, resolution, repair }()
	var r Report
	for r.Replanned = 0; r.Replanned < m.Attempts; r.Replanned++ {
		path, err := c.PlanToAny(start, goals...)
		if err != nil {
			return nil, r, err
		}
		m.simplifier.Simplify(path)
		free := false
		if m.Keep == nil {
			m.quickest(path, start, goals)
			free, err = m.move(m.Deviation, &r)
		} else {
			free, err = m.Time(path, &r)
		}
		if err != nil || free {
			return m.motion, r, err
		}
		c.Seed++
		c.Repair = false // this path is given up
		m.simplifier.Seed++
		v.Resolution /= 2
	}
	m.fault = ContactError{m.Attempts, r.Verdict}
	return nil, r, &m.fault
}
