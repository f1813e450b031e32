package description

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// joint reads a joint of a model or kinematics.
func (x *rlReader) joint(e *element, kind multibody.JointType) {
	j := Joint{Name: x.text(e, "id"), Type: kind, Axis: spatial.Vec3{Z: 1}, Position: e.pos}
	j.Parent, j.Child = x.ends(e)
	pose := x.origin(e).Pose()
	if j.Parent == x.root {
		pose = x.world.Pose().Mul(pose)
	}
	if axes := e.children("axis"); len(axes) > 0 {
		if j.Axis = x.vector(axes[0]); j.Axis == (spatial.Vec3{}) {
			x.addf(axes[0].pos, "the axis of joint %q has length zero: it must point in the direction of motion", j.Name)
			j.Axis.Z = 1
		}
	}
	if kind == multibody.Helical {
		j.Pitch = x.component(e, "pitch")
	}
	j.Limits = x.limits(e, kind)
	if e.child("wraparound") != nil && kind == multibody.Revolute {
		j.Type = multibody.Continuous
		j.Limits[0].Lower, j.Limits[0].Upper = math.Inf(-1), math.Inf(1)
	}
	if offset := e.child("offset"); offset != nil {
		pose = pose.Mul(moved(j.Type, j.Axis, x.content(offset)*angleUnit(kind, 0)))
	}
	j.Origin = originOf(pose)
	if dh := x.only(e, "dh"); dh != nil {
		x.denavitHartenberg(j, dh)
		return
	}
	x.robot.Joints = append(x.robot.Joints, j)
}

// ends returns the ids of the frames that a joint connects.
func (x *rlReader) ends(e *element) (parent, child string) {
	f := x.only(e, "frame")
	if f == nil {
		x.addf(e.pos, "joint %q has no <frame> with <a idref> and <b idref>", e.optional("id"))
		return "", ""
	}
	a, b := x.only(f, "a"), x.only(f, "b")
	if a == nil || b == nil {
		x.addf(f.pos, "<frame> of joint %q needs <a idref> and <b idref>", e.optional("id"))
		return "", ""
	}
	return x.text(a, "idref"), x.text(b, "idref")
}

// limits reads min, max and speed, one for each coordinate; nil for a joint that does not move or has none of them.
func (x *rlReader) limits(e *element, kind multibody.JointType) []multibody.Limits {
	if kind == multibody.Fixed {
		return nil
	}
	lower, upper, speed := e.children("min"), e.children("max"), e.children("speed")
	n := max(len(lower), len(upper), len(speed))
	if kind.NV() == 1 {
		n = 1
	}
	if n > kind.NQ() {
		x.addf(e.pos, "joint %q has limits for %d coordinates, it has %d", e.optional("id"), n, kind.NQ())
		return nil
	}
	limits := make([]multibody.Limits, n)
	for i := range limits {
		limits[i] = multibody.Unlimited()
		unit := angleUnit(kind, i)
		if i < len(lower) {
			limits[i].Lower = x.content(lower[i]) * unit
		}
		if i < len(upper) {
			limits[i].Upper = x.content(upper[i]) * unit
		}
		if i < len(speed) {
			if limits[i].Velocity = x.content(speed[i]) * unit; limits[i].Velocity < 0 {
				x.addf(speed[i].pos, "the speed of joint %q is %g: it is a magnitude and cannot be negative", e.optional("id"), x.content(speed[i]))
			}
		}
	}
	return limits
}

// angleUnit returns what makes SI units of coordinate i of a joint: degrees to radians, or 1 for lengths.
func angleUnit(kind multibody.JointType, i int) float64 {
	switch {
	case kind == multibody.Revolute, kind == multibody.Helical, kind == multibody.Spherical,
		kind == multibody.Cylindrical && i == 0, kind == multibody.Floating && i > 2:
		return math.Pi / 180
	}
	return 1
}

// moved returns the placement of a joint of one coordinate at position q.
func moved(kind multibody.JointType, axis spatial.Vec3, q float64) spatial.Pose {
	switch kind {
	case multibody.Revolute, multibody.Continuous:
		return spatial.Rotation(spatial.AngleAxis(q, axis.Unit()))
	case multibody.Prismatic:
		return spatial.Translation(axis.Unit().Scale(q))
	}
	return spatial.IdentityPose()
}

// denavitHartenberg adds a joint as a moving one about or along the z axis of its parent and a fixed one behind it.
func (x *rlReader) denavitHartenberg(j Joint, dh *element) {
	const degree = math.Pi / 180
	d, a := x.component(dh, "d"), x.component(dh, "a")
	theta, alpha := x.component(dh, "theta")*degree, x.component(dh, "alpha")*degree
	constant := spatial.Pose{R: spatial.RotZ(theta), P: spatial.Vec3{Z: d}}.
		Mul(spatial.Pose{R: spatial.RotX(alpha), P: spatial.Vec3{X: a}})
	child := j.Child
	j.Child = j.Name + "_moved"
	x.robot.Links = append(x.robot.Links, Link{Name: j.Child, Position: j.Position})
	x.robot.Joints = append(x.robot.Joints, j, Joint{
		Name: j.Name + "_dh", Type: multibody.Fixed, Parent: j.Child, Child: child,
		Origin: originOf(constant), Axis: j.Axis, Position: j.Position,
	})
}
