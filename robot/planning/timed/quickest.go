package timed

import (
	"cmp"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/robot/planning"
)

// The samples of all paths after the first one together, at most: where no goal that is nearer can be reached a search would last until all are taken.
const (
	persistence  = 4   // times those of the first path,
	leastSamples = 100 // counted as at least this number
)

// mostGoals is how many goals the paths after the first one may lead to.
const mostGoals = 4

// nearGoal is a goal, and the duration of a straight motion to it.
type nearGoal struct {
	point    []float64
	duration float64
}

// quickest plans other paths than the first one, takes the points of the quickest, and moves them. The first path is that of the planner of paths, which a repair begins with: it
// becomes the result.
func (m *Planner) quickest(path *planning.Path, start []float64, goals [][]float64) {
	c := m.connect
	least := m.estimate(path)
	m.best = append(m.best[:0], m.points...)
	samples, seed, first, iterations, repair := c.Samples, c.Seed, m.simplifier.Seed, c.Iterations, c.Repair
	left := min(iterations, persistence*max(samples, leastSamples))
	c.Repair = false
	m.near = m.near[:0]
	if m.Paths > 1 {
		m.findNear(start, goals)
	}
	for k := range uint64(max(m.Paths, 1) - 1) {
		near := m.nearer(least)
		if len(near) == 0 || left <= 0 {
			break
		}
		c.Iterations = left
		c.Seed, m.simplifier.Seed = seed+k+1, first+k+1
		other, err := c.PlanToAny(start, near...)
		samples += c.Samples
		left -= c.Samples
		if err != nil {
			continue
		}
		m.simplifier.Simplify(other)
		if d := m.estimate(other); d < least {
			least = d
			m.best, m.points = m.points, m.best
		}
	}
	c.Samples, c.Seed, m.simplifier.Seed, c.Iterations, c.Repair = samples, seed, first, iterations, repair
	m.points, m.best = m.best, m.points
	m.quickener.quicken(m.points, m.Moves, seed)
	m.replace(path)
}

// estimate takes the points of a path, and estimates how long the motion along it lasts.
func (m *Planner) estimate(path *planning.Path) float64 {
	m.lay(path)
	return m.quickener.estimate.Duration(m.points)
}

// replace puts the points that were taken into a path.
func (m *Planner) replace(path *planning.Path) {
	joints := m.prover.Joints()
	path.Reset()
	for k := 0; k < len(m.points); k += joints.Dim() {
		path.Add(m.points[k : k+joints.Dim()])
		for i, circle := range joints.Circle {
			if x := &path.At(path.Len() - 1)[i]; circle {
				*x = math.Remainder(*x, 2*math.Pi)
			}
		}
	}
}

// findNear finds the free goals to which a straight motion takes least.
func (m *Planner) findNear(start []float64, goals [][]float64) {
	joints := m.prover.Joints()
	for _, goal := range goals {
		if joints.Outside(goal) >= 0 || !m.connect.Verifier().Free(goal) {
			continue
		}
		m.points = append(append(m.points[:0], start...), goal...)
		joints.Difference(start, goal, m.points[len(start):])
		for i, x := range start {
			m.points[len(start)+i] += x
		}
		m.near = append(m.near, nearGoal{goal, m.quickener.estimate.Duration(m.points)})
	}
	slices.SortFunc(m.near, func(a, b nearGoal) int { return cmp.Compare(a.duration, b.duration) })
	m.near = m.near[:min(mostGoals, len(m.near))]
}

// nearer returns the goals to which a straight motion takes less than a duration.
func (m *Planner) nearer(duration float64) [][]float64 {
	m.goals = m.goals[:0]
	for _, g := range m.near {
		if g.duration < duration {
			m.goals = append(m.goals, g.point)
		}
	}
	return m.goals
}
