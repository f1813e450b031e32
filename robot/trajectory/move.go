package trajectory

import "fmt"

// Move returns the motion of least duration of one axis. With finite limits it is the double-S profile (rest to rest:
// seven pieces of constant jerk); with an infinite Jerk limit it is the trapezoidal profile; with an infinite
// Acceleration limit too, a constant velocity. It fails with one of the reasons of an [AxisError], wrapped.
//
// L. Biagiotti, C. Melchiorri, Trajectory Planning for Automatic Machines and Robots, Springer 2008, chapter 3, has
// the textbook cases. For several axes, or again and again, use [Planner].
func Move(start, target State, limits Limits) (Profile, error) {
	return MoveIn(0, start, target, limits)
}

// MoveIn returns a motion like Move that lasts a given time (s): if that is more than the least duration the axis moves
// with less than its limits allow. A duration that cannot be kept exactly (less than the least, or one in which an axis
// that starts or ends in motion cannot help being early or late) gives the least possible above it.
func MoveIn(duration float64, start, target State, limits Limits) (Profile, error) {
	in := Input{Axes: []Axis{{Start: start, Target: target, Limits: limits}}, MinDuration: duration}
	motion := NewTrajectory(1)
	if err := NewPlanner(1).Plan(&in, motion); err != nil {
		return Profile{}, err
	}
	return *motion.Axis(0), nil
}

// Stretch slows the motion so that it lasts the given time (s): the path through space, and what states of rest it
// has, stay what they are; velocities, accelerations and jerks shrink with the first, second and third power of the
// ratio. It panics unless the duration is at least the present one.
func (t *Trajectory) Stretch(duration float64) {
	if !(duration >= t.duration) {
		panic(fmt.Sprintf("trajectory: Stretch to %v s: expected at least the present %v s", duration, t.duration))
	}
	if t.duration == 0 {
		t.duration = duration
		return
	}
	k := duration / t.duration
	for i := range t.profiles {
		p := &t.profiles[i]
		for c := range p.pieces[:p.n] {
			p.pieces[c].slow(k)
		}
		p.end.slow(k)
	}
	t.duration = duration
}

// slow makes c last k times as long.
func (c *piece) slow(k float64) {
	c.start *= k
	c.velocity /= k
	c.acceleration /= k * k
	c.jerk /= k * k * k
}
