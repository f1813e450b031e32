package geometry

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/geometry/internal/quickhull"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// climbFrom is the number of corners from which a hull's support is searched along its edges rather than among all corners.
const climbFrom = 24

// hullEdges are the edges of a hull, for the search of its support: the neighbours of corner i are next[first[i]:first[i+1]].
type hullEdges struct {
	first, next []int32
	start       [8]int32 // the support in the direction (±1, ±1, ±1); bit 0 is set for a negative x
}

// NewHull returns the convex hull of points (m), which are copied. Points inside are dropped. A flat, straight or single point set makes a flat
// hull. It fails for no points and for coordinates that are not finite or beyond [Limit].
func NewHull(points []spatial.Vec3) (*Shape, error) {
	if err := checkPoints("convex hull", points); err != nil {
		return nil, err
	}
	s := &Shape{kind: Hull}
	corners, edges := quickhull.Of(points)
	s.points, s.hull = corners, nil
	if len(corners) >= climbFrom && edges != nil {
		s.hull = newHullEdges(corners, edges)
	}
	return s.bound(), nil
}

// Corners returns a copy of the corners of a hull, nil for other shapes.
func (s *Shape) Corners() []spatial.Vec3 {
	if s.kind != Hull {
		return nil
	}
	return append([]spatial.Vec3(nil), s.points...)
}

func checkPoints(shape string, points []spatial.Vec3) error {
	if len(points) == 0 {
		return fmt.Errorf("make a %s: no points; want at least one", shape)
	}
	for i, p := range points {
		if !(max(p.X, p.Y, p.Z) <= Limit && min(p.X, p.Y, p.Z) >= -Limit) {
			return fmt.Errorf("make a %s: point %d is (%g, %g, %g): want coordinates from -%[6]g to %[6]g m", shape, i, p.X, p.Y, p.Z, float64(Limit))
		}
	}
	return nil
}

// newHullEdges lists neighbours by corner.
func newHullEdges(corners []spatial.Vec3, edges map[[2]int32]bool) *hullEdges {
	e := &hullEdges{first: make([]int32, len(corners)+1), next: make([]int32, len(edges))}
	for pair := range edges {
		e.first[pair[0]+1]++
	}
	for i := range corners {
		e.first[i+1] += e.first[i]
	}
	fill := append([]int32(nil), e.first...)
	for pair := range edges {
		e.next[fill[pair[0]]] = pair[1]
		fill[pair[0]]++
	}
	for i := range e.start {
		d := spatial.Vec3{X: 1 - 2*float64(i&1), Y: 1 - 2*float64(i>>1&1), Z: 1 - 2*float64(i>>2)}
		for k := range corners {
			if corners[k].Dot(d) > corners[e.start[i]].Dot(d) {
				e.start[i] = int32(k)
			}
		}
	}
	return e
}

// climb returns the corner farthest in direction d: it walks from corner hint, or the start of the octant of d if hint is negative, to the best
// neighbour until none is better. On a convex polytope that is the greatest.
func (e *hullEdges) climb(corners []spatial.Vec3, d spatial.Vec3, hint int32) int32 {
	if hint < 0 {
		i := 0
		if d.X < 0 {
			i = 1
		}
		if d.Y < 0 {
			i |= 2
		}
		if d.Z < 0 {
			i |= 4
		}
		hint = e.start[i]
	}
	c := &corners[hint]
	best := c.X*d.X + c.Y*d.Y + c.Z*d.Z
	for {
		at := hint
		for _, k := range e.next[e.first[at]:e.first[at+1]] {
			c := &corners[k]
			if x := c.X*d.X + c.Y*d.Y + c.Z*d.Z; x > best {
				best, hint = x, k
			}
		}
		if hint == at {
			return at
		}
	}
}
