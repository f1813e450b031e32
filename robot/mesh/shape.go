package mesh

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

const (
	convexWork  = 20_000_000 // pairs of triangles and points that are compared at most
	convexSlack = 1e-6       // of the extent, by which a point of a convex surface may lie outside a triangle
	convexThin  = 1e-4       // of the extent: the normal of a triangle that is less high is not reliable, and its neighbours decide
)

// Shape returns the surface as a shape: a closed convex surface, either side out, as a convex hull, which is solid and fast; any other one as a
// mesh, which has no inside. A convex surface of many thousand triangles stays a mesh.
func (s *Surface) Shape() (*geometry.Shape, error) {
	if s.convex() {
		return geometry.NewHull(s.Points)
	}
	return geometry.NewMesh(s.Points, s.Triangles)
}

// convex reports whether the surface is closed and all points lie behind all triangles.
func (s *Surface) convex() bool {
	if len(s.Triangles)*len(s.Points) > convexWork {
		return false
	}
	q := s.Check()
	if !q.Closed() || q.Volume == 0 {
		return false
	}
	low, high := s.Points[0], s.Points[0]
	for _, p := range s.Points {
		low = spatial.Vec3{X: min(low.X, p.X), Y: min(low.Y, p.Y), Z: min(low.Z, p.Z)}
		high = spatial.Vec3{X: max(high.X, p.X), Y: max(high.Y, p.Y), Z: max(high.Z, p.Z)}
	}
	extent := high.Sub(low).Norm()
	side := math.Copysign(1, q.Volume)
	for _, t := range s.Triangles {
		a, b, c := s.Points[t[0]], s.Points[t[1]], s.Points[t[2]]
		n := b.Sub(a).Cross(c.Sub(a))
		length := n.Norm()
		if length <= convexThin*extent*max(b.Sub(a).Norm(), c.Sub(b).Norm(), a.Sub(c).Norm()) {
			continue
		}
		n = n.Scale(side / length)
		for _, p := range s.Points {
			if n.Dot(p.Sub(a)) > convexSlack*extent {
				return false
			}
		}
	}
	return true
}
