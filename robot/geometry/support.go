package geometry

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// support returns a point of the core of a convex shape or a mesh that lies farthest in direction d (of any length but zero), in the shape's
// frame. hint is the corner where the search on a hull begins, or the triangle of a mesh; it is updated.
func (s *Shape) support(d spatial.Vec3, hint *int32) spatial.Vec3 {
	h := &s.half
	switch s.kind {
	case Box:
		return spatial.Vec3{X: math.Copysign(h.X, d.X), Y: math.Copysign(h.Y, d.Y), Z: math.Copysign(h.Z, d.Z)}
	case Hull, piece:
		if s.hull != nil {
			*hint = s.hull.climb(s.points, d, *hint)
			return s.points[*hint]
		}
		best := s.points[0]
		most := best.Dot(d)
		for i := 1; i < len(s.points); i++ {
			if x := s.points[i].Dot(d); x > most {
				best, most = s.points[i], x
			}
		}
		return best
	case Mesh:
		return s.tree.farthestCorner(d, hint)
	case Capsule:
		return spatial.Vec3{Z: math.Copysign(h.Z, d.Z)}
	case Cylinder:
		k := h.X / math.Sqrt(max(d.X*d.X+d.Y*d.Y, math.SmallestNonzeroFloat64))
		if !(k < math.MaxFloat64) || d.X*d.X+d.Y*d.Y < 1e-300 {
			return spatial.Vec3{Z: math.Copysign(h.Z, d.Z)}
		}
		return spatial.Vec3{X: k * d.X, Y: k * d.Y, Z: math.Copysign(h.Z, d.Z)}
	case Cone:
		across := math.Sqrt(d.X*d.X + d.Y*d.Y)
		if 2*h.Z*d.Z >= h.X*across {
			return spatial.Vec3{Z: h.Z}
		}
		if across < 1e-150 {
			return spatial.Vec3{Z: -h.Z}
		}
		k := h.X / across
		return spatial.Vec3{X: k * d.X, Y: k * d.Y, Z: -h.Z}
	case Ellipsoid:
		e := spatial.Vec3{X: h.X * d.X, Y: h.Y * d.Y, Z: h.Z * d.Z}
		n := e.Norm()
		if n < 1e-150 {
			return spatial.Vec3{}
		}
		return spatial.Vec3{X: h.X * e.X / n, Y: h.Y * e.Y / n, Z: h.Z * e.Z / n}
	}
	return spatial.Vec3{}
}

// centre returns a point inside the core of a convex shape, and inside the bounds of a mesh.
func (s *Shape) centre() spatial.Vec3 {
	if s.kind == piece {
		return s.points[0].Add(s.points[1]).Add(s.points[2]).Scale(1. / 3)
	}
	if s.kind == Hull || s.kind == Mesh {
		return s.bounds.Min.Lerp(s.bounds.Max, 0.5)
	}
	return spatial.Vec3{}
}
