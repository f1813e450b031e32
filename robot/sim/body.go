package sim

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Body is a rigid body of a [World] that belongs to no robot: free to move, or fixed as a wall, a ramp or the ground are.
type Body struct {
	Name     string
	Fixed    bool
	Inertia  spatial.Inertia // in the frame of the body; unused if Fixed
	Pose     spatial.Pose    // in the world; the zero value means the identity
	Velocity spatial.Motion  // at first: of the centre of mass, and angular, in the axes of the world; m/s and rad/s
	Parts    []geometry.Part // in the frame of the body; a pose without rotation matrix means no rotation
	Material Material
}

// mover is a free body in motion.
type mover struct {
	mass    float64
	com     spatial.Vec3 // in the frame of the body
	inertia spatial.Mat3 // about the centre of mass, in the axes of the body
	inverse spatial.Mat3 // of that

	at     spatial.Vec3 // of the centre of mass in the world
	turn   spatial.Quat // of the body
	v, ω   spatial.Vec3 // of the centre of mass, and angular, in the axes of the world
	push   spatial.Force
	felt   spatial.Mat3 // inverse of the rotational inertia in the axes of the world, in the middle of the substep
	nextV  spatial.Vec3 // v⁺
	nextΩ  spatial.Vec3
	pinned bool // fixed: the rest is unused but at and turn
}

func newMover(b *Body, pose spatial.Pose) mover {
	if b.Fixed {
		return mover{pinned: true, at: pose.P, turn: pose.R.Quat()}
	}
	i := b.Inertia.Rotational.Mat3()
	return mover{mass: b.Inertia.Mass, com: b.Inertia.COM, inertia: i, inverse: i.Inverse(),
		at: pose.Apply(b.Inertia.COM), turn: pose.R.Quat(), v: b.Velocity.Linear, ω: b.Velocity.Angular}
}

// pose returns the pose of the body's frame.
func (m *mover) pose() spatial.Pose {
	r := m.turn.Mat3()
	return spatial.Pose{R: r, P: m.at.Sub(r.MulVec(m.com))}
}

// drift moves the body with its velocity for h seconds.
func (m *mover) drift(h float64) {
	m.at = m.at.Add(m.v.Scale(h))
	m.turn = spatial.ExpQuat(m.ω.Scale(h)).Mul(m.turn).Unit()
}

// free finds the velocities after a substep of h seconds without contacts, in the middle of it. The rotation follows Euler's equations by
// the implicit midpoint rule in the axes of the body, which keeps the rotational energy exactly:
//
//	I (ω⁺ - ω) + h ω½ × I ω½ = h τ,   ω½ = (ω + ω⁺)/2
func (m *mover) free(h float64, gravity spatial.Vec3) {
	r := m.turn.Mat3()
	m.felt = r.Mul(m.inverse).Mul(r.T())
	m.nextV = m.v.Add(gravity.Add(m.push.Linear.Scale(1 / m.mass)).Scale(h))
	w := r.TMulVec(m.ω)
	half := w
	for range 4 { // Newton's method; |ω| h is small, so it settles at once
		momentum := m.inertia.MulVec(half)
		rest := m.inertia.MulVec(half.Sub(w)).Scale(2).Add(half.Cross(momentum).Scale(h))
		slope := m.inertia.Scale(2).Add(half.Skew().Mul(m.inertia).Sub(momentum.Skew()).Scale(h))
		half = half.Sub(slope.Inverse().MulVec(rest))
	}
	m.nextΩ = r.MulVec(half.Scale(2).Sub(w)).Add(m.felt.MulVec(m.push.Angular).Scale(h))
}

// energy returns the kinetic energy, and the potential energy of the centre of mass against the world's origin.
func (m *mover) energy(gravity spatial.Vec3) float64 {
	if m.pinned {
		return 0
	}
	w := m.turn.Mat3().TMulVec(m.ω)
	return m.mass*(m.v.Dot(m.v)/2-gravity.Dot(m.at)) + w.Dot(m.inertia.MulVec(w))/2
}

// checkBody returns what is wrong with the figures of a body.
func (b *Body) check() (wrong []error) {
	fail := func(format string, args ...any) {
		wrong = append(wrong, fmt.Errorf("body %q "+format, append([]any{b.Name}, args...)...))
	}
	if len(b.Parts) == 0 {
		fail("has no shape: nothing could touch it")
	}
	if err := b.Material.check(); err != nil {
		fail("cannot touch anything: %w", err)
	}
	if b.Fixed {
		return wrong
	}
	if !(b.Inertia.Mass > 0) {
		fail("has the mass %v kg: must be positive, or the body Fixed", b.Inertia.Mass)
	} else if err := b.Inertia.Check(1e-9); err != nil {
		fail("has an impossible inertia: %w", err)
	} else if least, _ := b.Inertia.Rotational.Eigen(); !(min(least.X, least.Y, least.Z) > 0) {
		fail("has no rotational inertia about some axis: all three principal moments must be positive")
	}
	if !b.Velocity.Linear.IsFinite() || !b.Velocity.Angular.IsFinite() {
		fail("moves with %v: must be finite", b.Velocity)
	}
	return wrong
}
