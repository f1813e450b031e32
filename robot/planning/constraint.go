package planning

import (
	"fmt"
	"math"
	"strings"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Constraint keeps a tool in a region on its whole way: a task space region (Berenson, Srinivasa and Kuffner, International Journal of Robotics Research
// 30(12), 2011, section 3). A cup stays upright, a pen in a plane, a drill on a line.
type Constraint struct {
	Link        string       // that carries the tool, with the prefix of its model
	Tool        spatial.Pose // in the frame of the link; the zero value is this frame
	Frame       spatial.Pose // of the region, in the scene
	Orientation spatial.Mat3 // of the tool in Frame where it is not turned
	Position    spatial.Vec3 // how far the tool may be from the origin along each axis of Frame, m; infinite: any distance
	Rotation    spatial.Vec3 // how far it may be turned about each axis of Frame, rad; infinite: freely, about none, one or all three
}

// check refuses sizes that make no region.
func (c *Constraint) check() error {
	turns := 0
	for i, size := range c.sizes() {
		if !(size >= 0) {
			return fmt.Errorf("keep a tool in a region: size %d is %g, want 0 or more", i, size)
		}
		if i >= 3 && math.IsInf(size, 1) {
			turns++
		}
	}
	if turns == 2 {
		return fmt.Errorf("keep a tool in a region: it may turn freely about two axes; want none, one or all three")
	}
	if !c.Orientation.IsRotation(1e-6) || !c.Frame.R.IsRotation(1e-6) {
		return fmt.Errorf("keep a tool in a region: the orientation of its frame or of the tool is no rotation")
	}
	return nil
}

func (c *Constraint) sizes() [6]float64 {
	return [6]float64{c.Position.X, c.Position.Y, c.Position.Z, c.Rotation.X, c.Rotation.Y, c.Rotation.Z}
}

// off returns how far a pose of the tool in the scene is outside the region along and about the axes of Frame: m and rad. About a free axis it is not turned:
// what counts is the angle by which that axis of the tool is tilted.
func (c *Constraint) off(tool spatial.Pose) (e [6]float64) {
	p := c.Frame.ApplyInverse(tool.P)
	turned := c.Frame.R.T().Mul(tool.R).Mul(c.Orientation.T())
	w := turned.Log()
	for i, size := range [3]float64{c.Rotation.X, c.Rotation.Y, c.Rotation.Z} {
		if math.IsInf(size, 1) {
			var axis spatial.Vec3
			*[3]*float64{&axis.X, &axis.Y, &axis.Z}[i] = 1
			w = tilt(axis, turned.Col(i))
		}
	}
	for i, x := range [6]float64{p.X, p.Y, p.Z, w.X, w.Y, w.Z} {
		size := c.sizes()[i]
		e[i] = math.Copysign(max(0, math.Abs(x)-size), x)
	}
	return e
}

// tilt returns the least rotation vector that turns one unit vector into another.
func tilt(from, to spatial.Vec3) spatial.Vec3 {
	n := from.Cross(to)
	sin := n.Norm()
	if sin < 1e-12 {
		if from.Dot(to) > 0 {
			return spatial.Vec3{}
		}
		n, sin = from.Cross(spatial.Vec3{X: from.Y, Y: from.Z, Z: from.X}), 1 // any axis
		n = n.Scale(1 / n.Norm())
	}
	return n.Scale(math.Atan2(from.Cross(to).Norm(), from.Dot(to)) / sin)
}

// ConstraintError means that the tool is not where a constraint keeps it.
type ConstraintError struct {
	End  string // start or goal; "": no configuration that was tried satisfies the constraint, and Off is the least failure
	Link string
	Off  [6]float64 // along and about the axes of the constraint's frame, m and rad
}

// Error describes how far the tool is from its region.
func (e *ConstraintError) Error() string {
	var parts []string
	for i, axis := range []string{"x", "y", "z"} {
		if math.Abs(e.Off[i]) > 1e-9 {
			parts = append(parts, fmt.Sprintf("%.3g mm along %s", 1000*e.Off[i], axis))
		}
	}
	for i, axis := range []string{"x", "y", "z"} {
		if math.Abs(e.Off[i+3]) > 1e-9 {
			parts = append(parts, fmt.Sprintf("%.3g rad about %s", e.Off[i+3], axis))
		}
	}
	off := strings.Join(parts, ", ")
	if e.End == "" {
		return fmt.Sprintf("plan a motion: no configuration of the robot satisfies the constraint on %s: the nearest one that was found is off by %s; widen the region or move it", e.Link, off)
	}
	return fmt.Sprintf("plan a motion: the %s does not satisfy the constraint on %s: it is off by %s", e.End, e.Link, off)
}
