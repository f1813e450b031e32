package description

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// joint reads a joint of a model or kinematics.
func (x *rlReader) joint(e *document.Element, kind multibody.JointType) {
	j := Joint{Name: x.Required(e, "id"), Type: kind, Position: e.Pos}
	j.Parent, j.Child = x.ends(e)
	pose := x.origin(e).Pose()
	if j.Parent == x.root {
		pose = x.world.Pose().Mul(pose)
	}
	j.Axis = x.axis(e, j.Name, 0)
	slide := 1.0 // length of the second axis along the first
	if kind == multibody.Helical || kind == multibody.Cylindrical {
		slide = x.slide(e, &j)
	}
	if kind == multibody.Helical {
		j.Pitch = x.component(e, "pitch", 1) * slide
	}
	j.Limits = x.limits(e, kind)
	if e.Child("wraparound") != nil {
		x.wrap(e, &j)
	}
	pose = pose.Mul(x.offset(e, &j))
	j.Origin = originOf(pose)
	if dh := x.only(e, "dh"); dh != nil {
		x.denavitHartenberg(j, dh)
		return
	}
	x.robot.Joints = append(x.robot.Joints, j)
}

// axis returns axis i of a joint. One that is missing or empty is z.
func (x *rlReader) axis(e *document.Element, joint string, i int) spatial.Vec3 {
	z := spatial.Vec3{Z: 1}
	axes := e.Children("axis")
	if i >= len(axes) {
		return z
	}
	given := func(name string) bool { c := axes[i].Child(name); return c != nil && c.Text() != "" }
	axis := x.vector(axes[i])
	switch {
	case !given("z") && axis == spatial.Vec3{}:
		return z
	case !given("z"):
		x.Addf(axes[i].Pos, "the axis of joint %q has <x> or <y> and no <z>, for which the library reads 1: write <z>0</z> if that is meant", joint)
	case axis == spatial.Vec3{}:
		x.Addf(axes[i].Pos, "the axis of joint %q has length zero: it must point in the direction of motion", joint)
		return z
	}
	return axis
}

// slide returns the length of the second axis, along which a helical or cylindrical joint slides, negative where it points against the
// first. It must be parallel to that.
func (x *rlReader) slide(e *document.Element, j *Joint) float64 {
	second := x.axis(e, j.Name, 1)
	length := second.Dot(j.Axis.Unit())
	parallel := second.Cross(j.Axis.Unit()).Norm() <= 1e-9*second.Norm()
	if parallel && (length > 0 || j.Type == multibody.Helical) {
		return length
	}
	var missing string
	if len(e.Children("axis")) < 2 {
		missing = ", the library's default for a missing second axis"
	}
	x.Addf(e.Pos, "joint %q turns about %v and slides along %v%s: both <axis> of a %s joint must point in one direction",
		j.Name, j.Axis, second, missing, e.Name)
	return 1
}

// wrap makes an angle endless: its limits are but those of its numbers.
func (x *rlReader) wrap(e *document.Element, j *Joint) {
	switch {
	case j.Type == multibody.Revolute:
		j.Type = multibody.Continuous
	case j.Type == multibody.Cylindrical && len(j.Limits) > 0:
	default:
		x.doubtf(e.Pos, "<wraparound> of joint %q is not read: only the angle of a revolute or cylindrical joint is endless", j.Name)
		return
	}
	j.Limits[0].Lower, j.Limits[0].Upper = math.Inf(-1), math.Inf(1)
}

// offset returns the placement of a joint at position zero. The offset of a helical joint only shifts, as in the library, and those of a
// joint that moves freely are lengths.
func (x *rlReader) offset(e *document.Element, j *Joint) spatial.Pose {
	var o [3]float64
	offsets := e.Children("offset")
	for i := range min(len(offsets), len(o)) {
		o[i] = x.value(offsets[i], 0) * rlUnit(j.Type)
	}
	axis := j.Axis.Unit()
	switch j.Type {
	case multibody.Revolute, multibody.Continuous:
		return spatial.Rotation(spatial.AngleAxis(o[0], axis))
	case multibody.Prismatic:
		return spatial.Translation(axis.Scale(o[0]))
	case multibody.Helical:
		return spatial.Translation(axis.Scale(j.Pitch * o[0]))
	case multibody.Cylindrical:
		return spatial.Pose{R: spatial.AngleAxis(o[0], axis), P: axis.Scale(o[1])}
	case multibody.Floating:
		return spatial.Translation(spatial.Vec3{X: o[0], Y: o[1], Z: o[2]})
	}
	return spatial.IdentityPose()
}

// ends returns the ids of the frames that a joint connects.
func (x *rlReader) ends(e *document.Element) (parent, child string) {
	f := x.only(e, "frame")
	if f == nil {
		x.Addf(e.Pos, "joint %q has no <frame> with <a idref> and <b idref>", e.Optional("id"))
		return "", ""
	}
	a, b := x.only(f, "a"), x.only(f, "b")
	if a == nil || b == nil {
		x.Addf(f.Pos, "<frame> of joint %q needs <a idref> and <b idref>", e.Optional("id"))
		return "", ""
	}
	return x.Required(a, "idref"), x.Required(b, "idref")
}

// rlBounded is the number of coordinates of a joint whose limits the library reads.
var rlBounded = map[multibody.JointType]int{
	multibody.Revolute: 1, multibody.Prismatic: 1, multibody.Helical: 1, multibody.Cylindrical: 2, multibody.Floating: 3,
}

// limits reads min, max and speed, one for each coordinate; nil for a joint that does not move or has none of them.
func (x *rlReader) limits(e *document.Element, kind multibody.JointType) []multibody.Limits {
	if kind == multibody.Fixed {
		return nil
	}
	lower, upper, speed := e.Children("min"), e.Children("max"), e.Children("speed")
	n, most := max(len(lower), len(upper), len(speed)), rlBounded[kind]
	if n > most {
		x.doubtf(e.Pos, "joint %q has limits for %d coordinates, of which %d are read, as in the library", e.Optional("id"), n, most)
		n = most
	}
	if most == 1 {
		n = 1
	}
	limits := make([]multibody.Limits, n)
	for i := range limits {
		limits[i] = multibody.Unlimited()
		unit := rlUnit(kind)
		if i < len(lower) {
			limits[i].Lower = x.value(lower[i], limits[i].Lower) * unit
		}
		if i < len(upper) {
			limits[i].Upper = x.value(upper[i], limits[i].Upper) * unit
		}
		if i < len(speed) {
			if limits[i].Velocity = x.value(speed[i], limits[i].Velocity) * unit; limits[i].Velocity < 0 {
				x.Addf(speed[i].Pos, "the speed of joint %q is %g: it is a magnitude and cannot be negative", e.Optional("id"), x.content(speed[i]))
			}
		}
	}
	return limits
}

// rlUnit returns what makes SI units of the limits and offsets of a joint: files have degrees for revolute joints alone.
func rlUnit(kind multibody.JointType) float64 {
	if kind == multibody.Revolute || kind == multibody.Continuous {
		return math.Pi / 180
	}
	return 1
}

// denavitHartenberg adds a joint as a moving one about or along the z axis of its parent and a fixed one behind it.
func (x *rlReader) denavitHartenberg(j Joint, dh *document.Element) {
	const degree = math.Pi / 180
	d, a := x.component(dh, "d", 0), x.component(dh, "a", 0)
	theta, alpha := x.component(dh, "theta", 0)*degree, x.component(dh, "alpha", 0)*degree
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
