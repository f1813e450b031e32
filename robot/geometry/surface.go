package geometry

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/geometry/internal/quickhull"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Surface returns the surface of the shape as triangles whose corners are indices into points (m), for pictures and files. Boxes, hulls, meshes and
// height fields are exact; round forms and rounded edges of convex shapes are drawn by 1,280 triangles with all corners on the surface. Meshes, height fields
// and compounds are returned without their rounding radius. Planes, clouds and distance fields have no triangles; see [Shape.Balls].
func (s *Shape) Surface() (points []spatial.Vec3, triangles [][3]int) {
	switch {
	case s.kind == Plane || s.kind == Cloud || s.kind == DistanceField:
		return nil, nil
	case s.kind == Mesh:
		for _, t := range s.tree.triangles {
			triangles = append(triangles, [3]int{int(t[0]), int(t[1]), int(t[2])})
		}
		return append(points, s.tree.corners...), triangles
	case s.kind == HeightField:
		return s.tree.field.surface()
	case s.kind == Compound:
		for _, p := range s.tree.parts {
			corners, list := p.Shape.Surface()
			first := len(points)
			for _, c := range corners {
				points = append(points, p.Pose.Apply(c))
			}
			for _, t := range list {
				triangles = append(triangles, [3]int{first + t[0], first + t[1], first + t[2]})
			}
		}
		return points, triangles
	case s.kind == Box && s.round == 0:
		h := s.half
		for i := range 8 {
			points = append(points, spatial.Vec3{X: h.X * float64(i&1*2-1), Y: h.Y * float64(i>>1&1*2-1), Z: h.Z * float64(i>>2&1*2-1)})
		}
		return points, [][3]int{{0, 3, 1}, {0, 2, 3}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4}, {2, 7, 3}, {2, 6, 7}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}}
	case (s.kind == Hull || s.kind == piece) && s.round == 0:
		if points, triangles = hullSurface(s.points); triangles != nil {
			return points, triangles
		}
	}
	return s.roundSurface()
}

// Balls returns the middles and radii (m) of the balls of a cloud or a distance field, nil for other shapes.
func (s *Shape) Balls() (centers []spatial.Vec3, radii []float64) {
	if s.kind != Cloud && s.kind != DistanceField {
		return nil, nil
	}
	for _, d := range s.tree.dots {
		centers, radii = append(centers, d.c), append(radii, d.r+s.round)
	}
	return centers, radii
}

// hullSurface returns the faces of the convex hull of points with a copy of these; nothing for points without a volume.
func hullSurface(points []spatial.Vec3) ([]spatial.Vec3, [][3]int) {
	triangles := quickhull.Triangles(points)
	if triangles == nil {
		return nil, nil
	}
	return append([]spatial.Vec3(nil), points...), triangles
}

// surface returns the sides of a height field, those that rest on the floor included.
func (g *grid) surface() (points []spatial.Vec3, triangles [][3]int) {
	at := func(c, r int, z float64) {
		points = append(points, spatial.Vec3{X: g.x + float64(c)*g.dx, Y: g.y + float64(r)*g.dy, Z: z})
	}
	for r := range g.rows {
		for c := range g.columns {
			at(c, r, g.heights[c+r*g.columns])
		}
	}
	number := func(c, r int) int { return c + r*g.columns }
	for r := range g.rows - 1 {
		for c := range g.columns - 1 {
			a, b, d, e := number(c, r), number(c+1, r), number(c+1, r+1), number(c, r+1)
			triangles = append(triangles, [3]int{a, b, d}, [3]int{a, d, e})
		}
	}
	var rim []int // counter-clockwise from above
	for c := range g.columns - 1 {
		rim = append(rim, number(c, 0))
	}
	for r := range g.rows - 1 {
		rim = append(rim, number(g.columns-1, r))
	}
	for c := g.columns - 1; c > 0; c-- {
		rim = append(rim, number(c, g.rows-1))
	}
	for r := g.rows - 1; r > 0; r-- {
		rim = append(rim, number(0, r))
	}
	first := len(points)
	for _, k := range rim {
		p := points[k]
		p.Z = g.floor
		points = append(points, p)
	}
	for i := range rim {
		k := (i + 1) % len(rim)
		triangles = append(triangles, [3]int{rim[i], first + i, first + k}, [3]int{rim[i], first + k, rim[k]})
		if i > 1 {
			triangles = append(triangles, [3]int{first, first + i, first + i - 1})
		}
	}
	return points, triangles
}

// roundSurface returns the points of a convex shape that lie farthest in the directions of a divided icosahedron, joined as there.
func (s *Shape) roundSurface() ([]spatial.Vec3, [][3]int) {
	directions, triangles := icosphere(3)
	hint := int32(-1)
	points := make([]spatial.Vec3, len(directions))
	for i, d := range directions {
		points[i] = s.support(d, &hint).Add(d.Scale(s.round))
	}
	return points, triangles
}

// icosphere returns unit vectors and the triangles between them: an icosahedron whose triangles are divided into four a number of times.
func icosphere(divisions int) (points []spatial.Vec3, triangles [][3]int) {
	g := (1 + math.Sqrt(5)) / 2
	for _, p := range []spatial.Vec3{
		{X: -1, Y: g}, {X: 1, Y: g}, {X: -1, Y: -g}, {X: 1, Y: -g}, {Y: -1, Z: g}, {Y: 1, Z: g}, {Y: -1, Z: -g}, {Y: 1, Z: -g}, {X: g, Z: -1}, {X: g, Z: 1}, {X: -g, Z: -1}, {X: -g, Z: 1},
	} {
		points = append(points, p.Unit())
	}
	triangles = [][3]int{
		{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
		{3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9}, {4, 9, 5}, {2, 4, 11}, {6, 2, 10}, {8, 6, 7}, {9, 8, 1},
	}
	for range divisions {
		middles := map[[2]int]int{}
		middle := func(a, b int) int {
			key := [2]int{min(a, b), max(a, b)}
			k, ok := middles[key]
			if !ok {
				k = len(points)
				middles[key] = k
				points = append(points, points[a].Add(points[b]).Unit())
			}
			return k
		}
		var finer [][3]int
		for _, t := range triangles {
			a, b, c := middle(t[0], t[1]), middle(t[1], t[2]), middle(t[2], t[0])
			finer = append(finer, [3]int{t[0], a, c}, [3]int{t[1], b, a}, [3]int{t[2], c, b}, [3]int{a, b, c})
		}
		triangles = finer
	}
	return points, triangles
}
