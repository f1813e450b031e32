package trajectory

import "fmt"

// Trajectory is the motion of several axes. It begins at time 0; after its end each axis goes on with the acceleration
// of its target.
type Trajectory struct {
	profiles []Profile
	duration float64
}

// NewTrajectory returns a trajectory of the given number of axes that rest at 0, for [Planner.Plan] to fill.
func NewTrajectory(axes int) *Trajectory { return &Trajectory{profiles: make([]Profile, axes)} }

// Axes returns the number of axes.
func (t *Trajectory) Axes() int { return len(t.profiles) }

// Duration returns when the last axis arrives (s).
func (t *Trajectory) Duration() float64 { return t.duration }

// Axis returns the motion of axis i. It changes when the trajectory is planned again.
func (t *Trajectory) Axis(i int) *Profile { return &t.profiles[i] }

// At writes the states of all axes at a time (s) to out, and panics if their numbers differ.
func (t *Trajectory) At(time float64, out []State) {
	if len(out) != len(t.profiles) {
		panic(fmt.Sprintf("trajectory: At: expected %d states, got %d", len(t.profiles), len(out)))
	}
	for i := range t.profiles {
		out[i] = t.profiles[i].State(time)
	}
}
