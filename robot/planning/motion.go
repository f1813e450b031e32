package planning

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// MotionPlanner plans motions in time: a path by [Connect], shortened by a [Simplifier], timed with rounded corners by [trajectory.Rounded], and the
// result examined by a [Prover].
//
// Where the rounding of a corner is not free the corner is made sharper, until the motion stops there. Where an edge is not free,
// which happens between the points that the planner checked, the path is planned again with the next seed and half the resolution. The
// [Report] counts both. A plan allocates nothing, except for errors that name bodies, and for a path that has more than 256 points after it was simplified.
type MotionPlanner struct {
	Timer
	Attempts int // paths after which a plan gives up

	connect    *Connect
	simplifier *Simplifier
	fault      ContactError
}

// ContactError means that the exact engine finds a contact on each path that was planned.
type ContactError struct {
	Attempts int
	Verdict
}

// Error names the contact on the last path.
func (e *ContactError) Error() string {
	return fmt.Sprintf("plan a motion: the exact engine finds a contact on each of %d paths; on the last one %s; raise the attempts, lower the planner's resolution or pad the robot", e.Attempts, e.Verdict)
}

// NewMotionPlanner returns a planner of motions that keep limits, one for each joint of the space of connect. The prover must be for the same
// joints and scene as the engine of connect; a constraint of its space holds for the motion. Numbers that do not agree are a mistake of the program and panic.
func NewMotionPlanner(connect *Connect, prover *Prover, limits []trajectory.Limits) *MotionPlanner {
	if n := connect.space.Dim(); prover.space.Dim() != n {
		panic(fmt.Sprintf("planning: a motion planner of %d joints, with a prover of %d", n, prover.space.Dim()))
	}
	m := &MotionPlanner{Timer: *NewTimer(prover, limits), Attempts: 5, connect: connect, simplifier: NewSimplifier(connect.verifier)}
	m.Keep = connect.verifier.kept
	return m
}

// Simplifier returns the simplifier of the planner.
func (m *MotionPlanner) Simplifier() *Simplifier { return m.simplifier }

// Plan returns a motion from rest at start to rest at one of the goals, valid until the next call. Errors are those of [Connect.PlanToAny], a
// [*ContactError], valid as long, and an axis error of package trajectory for limits that are not finite and positive.
func (m *MotionPlanner) Plan(start []float64, goals ...[]float64) (*trajectory.Rounded, Report, error) {
	c := m.connect
	seed, resolution, repair := c.Seed, c.verifier.resolution, c.Repair
	defer func() { c.Seed, m.simplifier.Seed, c.verifier.resolution, c.Repair = seed, seed, resolution, repair }()
	var r Report
	for r.Replanned = 0; r.Replanned < m.Attempts; r.Replanned++ {
		path, err := c.PlanToAny(start, goals...)
		if err != nil {
			return nil, r, err
		}
		m.simplifier.Simplify(path)
		if free, err := m.Time(path, &r); err != nil || free {
			return m.motion, r, err
		}
		c.Seed++
		c.Repair = false // this path is given up
		m.simplifier.Seed++
		c.verifier.resolution /= 2
	}
	m.fault = ContactError{m.Attempts, r.Verdict}
	return nil, r, &m.fault
}
