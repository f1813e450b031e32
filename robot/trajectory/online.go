package trajectory

import "math"

// Online generates motion cycle by cycle: in each cycle its targets and limits may change, and from wherever the axes
// are it leads to the targets in the shortest time.
//
//	g := trajectory.NewOnline(7)
//	g.Input.Axes[0] = trajectory.Axis{Target: …, Limits: …}
//	for {
//		arrived, err := g.Step(dt)
//		… command g.Input.Axes[0].Start …
//	}
//
// [Online.Step] puts the state to command into the Start of each axis, so that it is where the next motion starts. If
// the axes are somewhere else, set Start. Step allocates nothing; it plans again only when Input has changed. The
// time of a cycle may differ from cycle to cycle: after a missed one the axes are where the motion leads in that time, so the
// commanded velocity stays that of the motion.
type Online struct {
	Input Input // the motion that is wanted; may be changed before each Step

	planner    *Planner
	trajectory *Trajectory
	axes       []Axis // as of the last step
	minimum    float64
	multiple   float64
	time       float64
	planned    bool
}

// NewOnline returns a generator for the given number of axes.
func NewOnline(axes int) *Online {
	return &Online{
		Input:      Input{Axes: make([]Axis, axes)},
		planner:    NewPlanner(axes),
		trajectory: NewTrajectory(axes),
		axes:       make([]Axis, axes),
	}
}

// Step moves the axes on by the time dt (s) that passed since the last step, and reports whether all have arrived. If Input is
// rejected it returns the reason, an [*AxisError], and the axes go on along the last trajectory, or stay where they are if there
// is none. It panics unless dt is finite and not negative.
func (g *Online) Step(dt float64) (arrived bool, err error) {
	if !(dt >= 0) || math.IsInf(dt, 1) {
		panic("trajectory: Online.Step: expected a time that is finite and not negative")
	}
	if !g.planned || g.changed() {
		if err = g.planner.Plan(&g.Input, g.trajectory); err == nil {
			g.planned, g.time = true, 0
			g.minimum, g.multiple = g.Input.MinDuration, g.Input.Cycle
			copy(g.axes, g.Input.Axes)
		} else if !g.planned {
			return false, err
		}
	}
	g.time += dt
	for i := range g.axes {
		s := g.trajectory.profiles[i].State(g.time)
		g.axes[i].Start, g.Input.Axes[i].Start = s, s
	}
	return g.time >= g.trajectory.duration, err
}

// Trajectory returns the motion that is under way, and the time within it. Both change with Step.
func (g *Online) Trajectory() (t *Trajectory, now float64) { return g.trajectory, g.time }

// changed reports whether Input differs from the one for which the current motion was planned.
func (g *Online) changed() bool {
	if g.minimum != g.Input.MinDuration || g.multiple != g.Input.Cycle {
		return true
	}
	for i := range g.axes {
		if g.axes[i] != g.Input.Axes[i] {
			return true
		}
	}
	return false
}
