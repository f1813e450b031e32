package trajectory

import (
	"fmt"
	"sort"
)

// Route is a sequence of trajectories, each starting in the state in which the one before ends.
type Route struct {
	parts []*Trajectory
	ends  []float64
}

// Axes returns the number of axes.
func (r *Route) Axes() int { return r.parts[0].Axes() }

// Duration returns when the last part ends (s).
func (r *Route) Duration() float64 { return r.ends[len(r.ends)-1] }

// Parts returns the number of trajectories.
func (r *Route) Parts() int { return len(r.parts) }

// Part returns trajectory k, and when it starts (s).
func (r *Route) Part(k int) (t *Trajectory, start float64) {
	if k > 0 {
		start = r.ends[k-1]
	}
	return r.parts[k], start
}

// At writes the states of all axes at a time (s) to out, and panics if their numbers differ. It allocates nothing.
func (r *Route) At(time float64, out []State) {
	k := min(sort.SearchFloat64s(r.ends, time), len(r.parts)-1)
	t, start := r.Part(k)
	t.At(time-start, out)
}

// PlanThrough returns the motion of in that passes the positions via on its way, in this order: via[k] has a position
// for each axis, and all axes are there at the same time. Velocities and accelerations at these points are chosen for
// the least duration.
//
// The choice is a search from several initial guesses (at rest; along the chord, at several speeds) that improves one
// point at a time until no step of 0.1 % of the limits helps. So the duration is a local optimum, at most that
// of a motion that stops at every point. Between two points the motion is the optimum of [Planner]. The search
// takes milliseconds, and is not meant for the control cycle.
//
// All axes must be synchronized in time and go to positions; it panics otherwise, or if a point has the wrong number of
// positions. It fails with an [*AxisError] as Plan does.
func PlanThrough(in *Input, via [][]float64) (*Route, error) {
	for i := range in.Axes {
		if x := &in.Axes[i]; x.Control != ToPosition || x.Sync != InTime || x.Idle {
			panic(fmt.Sprintf("trajectory: PlanThrough: axis %d: expected to go to a position, synchronized in time", i))
		}
	}
	for k := range via {
		if len(via[k]) != len(in.Axes) {
			panic(fmt.Sprintf("trajectory: PlanThrough: point %d has %d positions for %d axes", k, len(via[k]), len(in.Axes)))
		}
	}
	if err := in.Check(); err != nil {
		return nil, err
	}
	var best *search
	for _, speed := range [...]float64{0, 0.3, 0.7} {
		s := newSearch(in, via)
		s.guess(speed)
		s.run()
		if best == nil || s.total() < best.total() {
			best = s
		}
	}
	return best.route()
}
