package trajectory

// Online generates motion cycle by cycle: in each cycle its targets and limits may change, and from wherever the axes
// are it leads to the targets in the shortest time.
//
//	g := trajectory.NewOnline(7, 0.001)
//	g.Input.Axes[0] = trajectory.Axis{Target: …, Limits: …}
//	for {
//		arrived, err := g.Step()
//		… command g.Input.Axes[0].Start …
//	}
//
// [Online.Step] puts the state to command into the Start of each axis, so that it is where the next motion starts. If
// the axes are somewhere else, say so by setting Start. Step allocates nothing; it plans anew only when Input has
// changed.
type Online struct {
	Input Input

	cycle      float64
	planner    *Planner
	trajectory *Trajectory
	axes       []Axis // as of the last step
	minimum    float64
	multiple   float64
	time       float64
	planned    bool
}

// NewOnline returns a generator for the given number of axes, whose Step is called every cycle seconds.
func NewOnline(axes int, cycle float64) *Online {
	if !(cycle > 0) {
		panic("trajectory: NewOnline: expected a positive cycle time")
	}
	return &Online{
		Input:      Input{Axes: make([]Axis, axes)},
		cycle:      cycle,
		planner:    NewPlanner(axes),
		trajectory: NewTrajectory(axes),
		axes:       make([]Axis, axes),
	}
}

// Step moves the axes on by one cycle and tells whether all have arrived. If Input is rejected it returns the reason,
// an [*AxisError], and the axes go on along the last trajectory, or stay where they are if there is none.
func (g *Online) Step() (arrived bool, err error) {
	if !g.planned || g.changed() {
		if err = g.planner.Plan(&g.Input, g.trajectory); err == nil {
			g.planned, g.time = true, 0
			g.minimum, g.multiple = g.Input.MinDuration, g.Input.Cycle
			copy(g.axes, g.Input.Axes)
		} else if !g.planned {
			return false, err
		}
	}
	g.time += g.cycle
	for i := range g.axes {
		s := g.trajectory.profiles[i].State(g.time)
		g.axes[i].Start, g.Input.Axes[i].Start = s, s
	}
	return g.time >= g.trajectory.duration, err
}

// Trajectory returns the motion that is under way, and the time within it. Both change with Step.
func (g *Online) Trajectory() (t *Trajectory, now float64) { return g.trajectory, g.time }

// changed tells whether Input is another than the motion under way was planned for.
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
