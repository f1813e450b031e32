package trajectory

// beyond is how far outside of its limits a motion counts as within them, in the unit of positions.
const beyond = 1e-6

// PlanWithin plans the motion of Input without moving on, as Step(0), and keeps positions within limits: an axis that turns back close to
// its limits, and that would leave them if it took the time of the others, becomes Independent and moves as fast as it can. An axis that
// starts outside may stay outside, but goes no further. lower and upper have an element for each axis, infinite where there is no limit. It
// returns the errors of [Online.Step], allocates nothing, and panics where lower or upper is too short.
func (g *Online) PlanWithin(lower, upper []float64) error {
	if _, err := g.Step(0); err != nil {
		return err
	}
	hurry := false
	for i := range g.Input.Axes {
		x, reach := &g.Input.Axes[i], g.trajectory.profiles[i].Extrema()
		leaves := reach.Max > max(upper[i], x.Start.Position)+beyond || reach.Min < min(lower[i], x.Start.Position)-beyond
		if leaves && x.Sync != Independent {
			x.Sync, hurry = Independent, true
		}
	}
	if !hurry {
		return nil
	}
	_, err := g.Step(0)
	return err
}
