package trajectory

import (
	"fmt"
	"sort"

	"github.com/sinew-robotics/sinew/robot/curve"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// ToolPath is a path of a frame in space, such as the tool of a robot: straight lines and circular arcs, with the
// orientation turning about one axis meanwhile. The path coordinate s counts the way in metres; where the tool turns
// by more radians than it moves metres, it counts the turn in radians instead.
//
// It is built piece by piece:
//
//	path := trajectory.NewToolPath(start).Blend(0.02)
//	path.LineTo(a)
//	path.ArcTo(via, b)
//
// At the point where two pieces meet the tool would have to stop. With a blend it passes by the corner, on a quintic of
// position and rotation vector, with continuous first and second derivatives.
type ToolPath struct {
	pieces  []toolPiece
	starts  []float64 // s at which a piece begins, and at last the end of the path
	corners []float64 // where the direction jumps
	last    spatial.Pose
	before  float64 // what a blend takes of the piece that ends in its corner
	after   float64 // and of the one that starts there
	halves  bool    // a blend takes at most half of the shorter piece
}

// toolPiece is used for its own coordinate in [from, to].
type toolPiece struct {
	curve.Pose
	from, to float64
	length   float64 // that it had before blends took from it
}

// NewToolPath returns a path that begins at a pose.
func NewToolPath(start spatial.Pose) *ToolPath {
	return &ToolPath{last: start, starts: []float64{0}}
}

// Blend sets how far (in units of s) before and after a corner the tool leaves the pieces that meet there. It holds for
// the corners at the starts of the pieces added from now on, and is reduced to half of the shorter piece. The default,
// 0, means no blends. A blend between lines stays within the triangle of its corner and those two points.
func (p *ToolPath) Blend(distance float64) *ToolPath {
	p.before, p.after, p.halves = distance, distance, true
	return p
}

// BlendUnequal is as [ToolPath.Blend] with distances that differ before and after the corner, each of which is reduced to what the blend at the other
// end has left of its piece.
func (p *ToolPath) BlendUnequal(before, after float64) *ToolPath {
	p.before, p.after, p.halves = before, after, false
	return p
}

// LineTo appends a straight line to a pose. A line to where the path ends already is left out.
func (p *ToolPath) LineTo(to spatial.Pose) *ToolPath {
	from := p.last
	if length := max(to.P.Sub(from.P).Norm(), turn(from, to)); length > 0 {
		p.add(curve.Line(from.P, to.P, length), to, length)
	}
	return p
}

// ArcTo appends the circular arc through a point to a pose. It fails with [curve.ErrStraight] if the three points are
// on a line.
func (p *ToolPath) ArcTo(via spatial.Vec3, to spatial.Pose) error {
	from := p.last
	unit, err := curve.ArcThrough(from.P, via, to.P, 1)
	if err != nil {
		return fmt.Errorf("trajectory: cannot append an arc from %v through %v to %v: %w", from.P, via, to.P, err)
	}
	length := max(unit.At(0, 1).Norm(), turn(from, to)) // in a duration of 1 the speed is the way
	arc, err := curve.ArcThrough(from.P, via, to.P, length)
	if err != nil {
		return err
	}
	p.add(arc, to, length)
	return nil
}

// turn returns the angle between two orientations.
func turn(a, b spatial.Pose) float64 { return a.R.T().Mul(b.R).Log().Norm() }

func (p *ToolPath) add(position curve.Path, to spatial.Pose, length float64) {
	next := toolPiece{curve.Pose{Position: position, Rotation: curve.Slerp(length, p.last.R.Quat(), to.R.Quat())}, 0, length, length}
	p.last = to
	if n := len(p.pieces); n > 0 {
		before := &p.pieces[n-1]
		if p.before > 0 && p.after > 0 {
			a, b := min(p.before, before.to-before.from), min(p.after, length)
			if p.halves {
				a = min(a, before.length/2, length/2)
				b = a
			}
			before.to -= a
			next.from = b
			p.starts[n] -= a
			p.push(blendOf(before, &next, a+b))
		} else if jump := before.Derivative(before.to, 1).Sub(next.Derivative(0, 1)); jump.Linear.Norm()+jump.Angular.Norm() > 1e-9 {
			p.corners = append(p.corners, p.starts[n])
		}
	}
	p.push(next)
}

func (p *ToolPath) push(c toolPiece) {
	p.pieces = append(p.pieces, c)
	p.starts = append(p.starts, p.starts[len(p.starts)-1]+c.to-c.from)
}

// blendOf returns the piece of the given length from the end of a to the start of b.
func blendOf(a, b *toolPiece, length float64) toolPiece {
	var x, y [3]spatial.Vec3 // position and derivatives at the ends
	for k := range x {
		x[k], y[k] = a.Position.At(a.to, k), b.Position.At(b.from, k)
	}
	hermite := func(c func(spatial.Vec3) float64) curve.Function {
		return curve.Hermite(0, length, []float64{c(x[0]), c(x[1]), c(x[2])}, []float64{c(y[0]), c(y[1]), c(y[2])})
	}
	turning := func(c *toolPiece, s float64) []spatial.Vec3 {
		return []spatial.Vec3{curve.AngularVelocity(c.Rotation, s, 0), curve.AngularVelocity(c.Rotation, s, 1)}
	}
	return toolPiece{
		Pose: curve.Pose{
			Position: curve.Path{
				X: hermite(func(v spatial.Vec3) float64 { return v.X }),
				Y: hermite(func(v spatial.Vec3) float64 { return v.Y }),
				Z: hermite(func(v spatial.Vec3) float64 { return v.Z }),
			},
			Rotation: curve.QuatHermite(length, a.Rotation.At(a.to, 0), b.Rotation.At(b.from, 0), turning(a, a.to), turning(b, b.from)),
		},
		to: length,
	}
}

// piece returns the piece at s, and its own coordinate there.
func (p *ToolPath) piece(s float64) (*toolPiece, float64) {
	if len(p.pieces) == 0 {
		panic("trajectory: a ToolPath without pieces has no points")
	}
	k := min(max(sort.SearchFloat64s(p.starts, s)-1, 0), len(p.pieces)-1)
	if k+1 < len(p.pieces) && s >= p.starts[k+1] {
		k++
	}
	c := &p.pieces[k]
	return c, min(max(c.from+s-p.starts[k], c.from), c.to)
}

// Domain returns 0 and the length of the path.
func (p *ToolPath) Domain() (lower, upper float64) { return 0, p.starts[len(p.starts)-1] }

// Corners returns where the direction jumps: a motion has to stop there. Places are lengths along the path, m.
func (p *ToolPath) Corners() []float64 { return p.corners }

// Pose returns the pose at s, which is clamped to the domain.
func (p *ToolPath) Pose(s float64) spatial.Pose {
	c, s := p.piece(s)
	return c.Pose.At(s)
}

// Derivative returns the first or second derivative of the pose in s, by order: of the position, and, of one order less,
// the angular velocity; both in the axes of the frame in which the path is given. Moving at ṡ and s̈, the tool has the
// velocity D1 ṡ and the acceleration D1 s̈ + D2 ṡ².
func (p *ToolPath) Derivative(s float64, order int) spatial.Motion {
	if order != 1 && order != 2 {
		panic("trajectory: Derivative: expected order 1 or 2")
	}
	c, s := p.piece(s)
	return c.Pose.Derivative(s, order)
}

// At stores the derivative of the position of the given order in out, so that a ToolPath is a [Path] with the axes x, y
// and z.
func (p *ToolPath) At(out []float64, s float64, order int) {
	c, s := p.piece(s)
	x := c.Position.At(s, order)
	out[0], out[1], out[2] = x.X, x.Y, x.Z
}
