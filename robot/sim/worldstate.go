package sim

import (
	"fmt"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Parts returns the names of the parts in the order of their numbers: links as "robot/link".
func (w *World) Parts() []string { return append([]string(nil), w.names...) }

// Part returns the number of the part of that name. It fails if there is none.
func (w *World) Part(name string) (int, error) {
	for i, n := range w.names {
		if n == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("sim: find a part of a world: there is no %q%s", name, nearest.Hint(name, w.names))
}

// Pose returns the pose of a part in the world, as of the last Step.
func (w *World) Pose(part int) spatial.Pose { return w.parts[part].pose }

// Velocity returns the velocity (m/s, rad/s) of a body: that of its centre of mass, and the angular one, in the axes of the world. It panics for a link.
func (w *World) Velocity(part int) spatial.Motion {
	m := w.body(part, "Velocity")
	return spatial.Motion{Linear: m.v, Angular: m.ω}
}

// SetBody puts a body that is not fixed at a pose, with a velocity as in [World.Velocity]. It panics for other parts and for values that are
// not finite or not a rotation.
func (w *World) SetBody(part int, pose spatial.Pose, velocity spatial.Motion) {
	m := w.body(part, "SetBody")
	pose, err := complete(pose)
	if err != nil || m.pinned || !velocity.Linear.IsFinite() || !velocity.Angular.IsFinite() {
		panic(fmt.Sprintf("sim: SetBody of %q with %v and %v: expected a body that is not fixed, and finite values", w.names[part], pose, velocity))
	}
	m.at, m.turn = pose.Apply(m.com), pose.R.Quat()
	m.v, m.ω = velocity.Linear, velocity.Angular
	w.place()
}

// SetPush lets a force act on a body from now on: N at its centre of mass, and N m, both in the axes of the world. The zero force ends it. It
// panics for a link, which its simulator pushes, and for a force that is not finite.
func (w *World) SetPush(part int, force spatial.Force) {
	m := w.body(part, "SetPush")
	if !force.Linear.IsFinite() || !force.Angular.IsFinite() {
		panic(fmt.Sprintf("sim: SetPush of %q with %v: expected finite numbers", w.names[part], force))
	}
	m.push = force
}

func (w *World) body(part int, what string) *mover {
	p := &w.parts[part]
	if p.robot >= 0 {
		panic(fmt.Sprintf("sim: %s of %q: expected a body, not a link; its simulator has that", what, w.names[part]))
	}
	return &w.movers[p.mover]
}

// Energy returns the kinetic and potential energy (J) of all that moves, without that of springs and of shapes that touch.
func (w *World) Energy() (sum float64) {
	for i := range w.movers {
		sum += w.movers[i].energy(w.gravity)
	}
	for i := range w.robots {
		r := &w.robots[i]
		sum += multibody.KineticEnergy(r.data, r.q, r.v) + multibody.PotentialEnergy(r.data, r.q)
	}
	return sum
}
