package geometry

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Bounds is a box along the axes of a frame: all points p with Min ≤ p ≤ Max in each coordinate (m).
type Bounds struct{ Min, Max spatial.Vec3 }

// Bounds returns the bounds in the world of the shape at this pose: exact for boxes and rounded points and segments, else
// those of the box that encloses the shape in its own frame. A plane's are infinite.
func (s *Shape) Bounds(pose *spatial.Pose) Bounds {
	if s.kind == Plane {
		inf := math.Inf(1)
		return Bounds{spatial.Vec3{X: -inf, Y: -inf, Z: -inf}, spatial.Vec3{X: inf, Y: inf, Z: inf}}
	}
	f := frameOf(pose)
	c := f.point(s.bounds.Min.Lerp(s.bounds.Max, 0.5))
	h := f.extent(s.bounds.Max.Sub(s.bounds.Min).Scale(0.5))
	r := spatial.Vec3{X: s.round, Y: s.round, Z: s.round}
	return Bounds{c.Sub(h).Sub(r), c.Add(h).Add(r)}
}

// Union returns the bounds of both.
func (b Bounds) Union(c Bounds) Bounds {
	return Bounds{
		spatial.Vec3{X: min(b.Min.X, c.Min.X), Y: min(b.Min.Y, c.Min.Y), Z: min(b.Min.Z, c.Min.Z)},
		spatial.Vec3{X: max(b.Max.X, c.Max.X), Y: max(b.Max.Y, c.Max.Y), Z: max(b.Max.Z, c.Max.Z)},
	}
}

// Overlaps reports whether b and c, grown by margin, have a common point.
func (b Bounds) Overlaps(c Bounds, margin float64) bool {
	return b.Min.X <= c.Max.X+margin && c.Min.X <= b.Max.X+margin &&
		b.Min.Y <= c.Max.Y+margin && c.Min.Y <= b.Max.Y+margin &&
		b.Min.Z <= c.Max.Z+margin && c.Min.Z <= b.Max.Z+margin
}

// boundsOf returns the bounds of points.
func boundsOf(points []spatial.Vec3) Bounds {
	b := Bounds{points[0], points[0]}
	for _, p := range points[1:] {
		b = b.Union(Bounds{p, p})
	}
	return b
}

// frame is a pose with the rows of its rotation as vectors: it takes coordinates of a second frame to a first one.
type frame struct{ x, y, z, p spatial.Vec3 }

func frameOf(pose *spatial.Pose) frame {
	r := &pose.R
	return frame{
		spatial.Vec3{X: r[0][0], Y: r[0][1], Z: r[0][2]}, spatial.Vec3{X: r[1][0], Y: r[1][1], Z: r[1][2]},
		spatial.Vec3{X: r[2][0], Y: r[2][1], Z: r[2][2]}, pose.P,
	}
}

// relative returns the frame of b seen from a.
func relative(a, b *spatial.Pose) frame {
	f := frameOf(b)
	return frame{
		combine(f.x, f.y, f.z, a.R[0][0], a.R[1][0], a.R[2][0]),
		combine(f.x, f.y, f.z, a.R[0][1], a.R[1][1], a.R[2][1]),
		combine(f.x, f.y, f.z, a.R[0][2], a.R[1][2], a.R[2][2]),
		into(a, b.P),
	}
}

// into returns the point p of the world in the frame of pose.
func into(pose *spatial.Pose, p spatial.Vec3) spatial.Vec3 {
	x, y, z := p.X-pose.P.X, p.Y-pose.P.Y, p.Z-pose.P.Z
	r := &pose.R
	return spatial.Vec3{
		X: r[0][0]*x + r[1][0]*y + r[2][0]*z, Y: r[0][1]*x + r[1][1]*y + r[2][1]*z, Z: r[0][2]*x + r[1][2]*y + r[2][2]*z,
	}
}

// combine returns i x + j y + k z.
func combine(x, y, z spatial.Vec3, i, j, k float64) spatial.Vec3 {
	return spatial.Vec3{X: i*x.X + j*y.X + k*z.X, Y: i*x.Y + j*y.Y + k*z.Y, Z: i*x.Z + j*y.Z + k*z.Z}
}

// turn takes a direction from the second frame to the first.
func (f *frame) turn(v spatial.Vec3) spatial.Vec3 {
	return spatial.Vec3{X: f.x.Dot(v), Y: f.y.Dot(v), Z: f.z.Dot(v)}
}

// back takes a direction from the first frame to the second.
func (f *frame) back(v spatial.Vec3) spatial.Vec3 { return combine(f.x, f.y, f.z, v.X, v.Y, v.Z) }

// point takes a point from the second frame to the first.
func (f *frame) point(v spatial.Vec3) spatial.Vec3 {
	return spatial.Vec3{X: f.x.Dot(v) + f.p.X, Y: f.y.Dot(v) + f.p.Y, Z: f.z.Dot(v) + f.p.Z}
}

// inverse returns the first frame seen from the second.
func (f *frame) inverse() frame {
	return frame{
		spatial.Vec3{X: f.x.X, Y: f.y.X, Z: f.z.X}, spatial.Vec3{X: f.x.Y, Y: f.y.Y, Z: f.z.Y}, spatial.Vec3{X: f.x.Z, Y: f.y.Z, Z: f.z.Z},
		f.back(f.p).Neg(),
	}
}

// then returns the frame of g's second frame seen from f's first one.
func (f *frame) then(g *frame) frame {
	return frame{
		combine(g.x, g.y, g.z, f.x.X, f.x.Y, f.x.Z), combine(g.x, g.y, g.z, f.y.X, f.y.Y, f.y.Z),
		combine(g.x, g.y, g.z, f.z.X, f.z.Y, f.z.Z), f.point(g.p),
	}
}

// extent returns the half sizes in the first frame of a box with half sizes h in the second.
func (f *frame) extent(h spatial.Vec3) spatial.Vec3 {
	return spatial.Vec3{
		X: math.Abs(f.x.X)*h.X + math.Abs(f.x.Y)*h.Y + math.Abs(f.x.Z)*h.Z,
		Y: math.Abs(f.y.X)*h.X + math.Abs(f.y.Y)*h.Y + math.Abs(f.y.Z)*h.Z,
		Z: math.Abs(f.z.X)*h.X + math.Abs(f.z.Y)*h.Y + math.Abs(f.z.Z)*h.Z,
	}
}

// column returns axis i of the second frame in the first.
func (f *frame) column(i int) spatial.Vec3 {
	switch i {
	case 0:
		return spatial.Vec3{X: f.x.X, Y: f.y.X, Z: f.z.X}
	case 1:
		return spatial.Vec3{X: f.x.Y, Y: f.y.Y, Z: f.z.Y}
	}
	return spatial.Vec3{X: f.x.Z, Y: f.y.Z, Z: f.z.Z}
}
