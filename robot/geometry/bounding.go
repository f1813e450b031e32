package geometry

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Bounding returns a convex hull of at most n corners, n ≥ 4, that holds the corners of a hull; it has more where the rule below allows no fewer. It fails for other
// shapes and for a rounding radius.
//
// Edges are contracted to points by the rule of the bounding mesh (Gaschler, Fischer and Knoll, The Bounding Mesh Algorithm, 2015): the new point lies on the outer side of
// the planes of all triangles at both ends of its edge. So nothing of the hull is lost. In each direction the old hull reaches farthest at a corner; if that is an end
// of a contracted edge, the direction is in the cone of the normals at it, and the new point reaches at least as far. Therefore several edges without a common end may be
// contracted at once: here the cheapest, before the hull is made again. Of the points that the rule allows, the one is taken that adds the least volume over these triangles, by a
// linear program (Sander et al., Silhouette Clipping, 2000). The paper minimizes squared distances instead, and also treats meshes that are not convex.
func (s *Shape) Bounding(n int) (*Shape, error) {
	if s.kind != Hull || s.round > 0 || n < 4 {
		return nil, fmt.Errorf("bound a %v of radius %g m by %d corners: want a convex hull without a radius, and at least 4 corners", s.kind, s.round, n)
	}
	hull := s
	for len(hull.points) > n {
		points, triangles := hullSurface(hull.points)
		next, err := NewHull(contract(points, triangles, max(1, (len(points)-n)/boundingShare)))
		if err != nil {
			return nil, err
		}
		if len(next.points) >= len(hull.points) {
			break // no point is outside of all planes of an edge
		}
		hull = next
	}
	return hull.around(s.points)
}

const (
	boundingShare = 8  // at most one of 8 corners above n goes before the hull is made again
	mostPlanes    = 24 // at the ends of an edge that is contracted: the linear program tries their triples
)

// contraction is the best point of an edge.
type contraction struct {
	ends   [2]int
	at     spatial.Vec3
	volume float64 // that the point adds, m³
}

// contract returns the corners of a hull after at most n contractions, the cheapest first, of edges without a common end.
func contract(points []spatial.Vec3, triangles [][3]int, n int) (next []spatial.Vec3) {
	around := make([][]int, len(points)) // triangles at each point
	for i, t := range triangles {
		for _, k := range t {
			around[k] = append(around[k], i)
		}
	}
	var list []contraction
	for _, t := range triangles {
		for i := range 3 {
			p, q := t[i], t[(i+1)%3]
			if p > q {
				continue // the edge is that of another triangle, too
			}
			var planes []facet
			for _, k := range around[p] {
				planes = addFacet(planes, points, triangles[k])
			}
			for _, k := range around[q] {
				if !slices.Contains(triangles[k][:], p) {
					planes = addFacet(planes, points, triangles[k])
				}
			}
			if len(planes) > mostPlanes {
				continue
			}
			if at, volume := outermost(planes, points[p].Sub(points[q]).Norm()); !math.IsInf(volume, 1) {
				list = append(list, contraction{[2]int{p, q}, at, volume})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b contraction) int { return cmp.Compare(a.volume, b.volume) })
	gone := make([]bool, len(points))
	for _, c := range list {
		if n == 0 {
			break
		}
		if !gone[c.ends[0]] && !gone[c.ends[1]] {
			gone[c.ends[0]], gone[c.ends[1]] = true, true
			next = append(next, c.at)
			n--
		}
	}
	for i, p := range points {
		if !gone[i] {
			next = append(next, p)
		}
	}
	return next
}

// facet is the plane n·x = d of triangles with an outer normal.
type facet struct {
	n       spatial.Vec3
	d, area float64
}

// addFacet adds a triangle, to the plane in which it lies if there is one.
func addFacet(list []facet, points []spatial.Vec3, t [3]int) []facet {
	a, b, c := points[t[0]], points[t[1]], points[t[2]]
	n := b.Sub(a).Cross(c.Sub(a))
	area := n.Norm() / 2
	if area == 0 {
		return list
	}
	n = n.Scale(0.5 / area)
	for i := range list {
		if f := &list[i]; f.n.Sub(n).Norm() < 1e-9 {
			f.d, f.area = max(f.d, n.Dot(a)), f.area+area
			return list
		}
	}
	return append(list, facet{n, n.Dot(a), area})
}

// outermost returns the point x that minimizes Σ area (n·x - d) / 3 under n·x ≥ d for all planes: one where three of them meet. The volume is infinite if
// there is none. size is a length of the planes' corner, for the tolerance.
func outermost(planes []facet, size float64) (at spatial.Vec3, volume float64) {
	volume = math.Inf(1)
	for i := range planes {
		for j := range i {
			ij := planes[i].n.Cross(planes[j].n)
			for k := range j {
				det := ij.Dot(planes[k].n)
				if math.Abs(det) < 1e-6 {
					continue
				}
				x := planes[j].n.Cross(planes[k].n).Scale(planes[i].d).Add(planes[k].n.Cross(planes[i].n).Scale(planes[j].d)).Add(ij.Scale(planes[k].d)).Scale(1 / det)
				added := 0.0
				for _, f := range planes {
					over := f.n.Dot(x) - f.d
					if over < -1e-9*size || added >= volume {
						added = math.Inf(1)
						break
					}
					added += f.area * max(over, 0) / 3
				}
				if added < volume {
					at, volume = x, added
				}
			}
		}
	}
	return at, volume
}

// around returns the hull, grown from its middle by what rounding has left outside of other points.
func (s *Shape) around(others []spatial.Vec3) (*Shape, error) {
	points, triangles := hullSurface(s.points)
	if triangles == nil {
		return s, nil
	}
	var middle spatial.Vec3
	for _, p := range points {
		middle = middle.Add(p.Scale(1 / float64(len(points))))
	}
	factor := 1.0
	for _, t := range triangles {
		a := points[t[0]]
		n := points[t[1]].Sub(a).Cross(points[t[2]].Sub(a)).Unit()
		reach := n.Dot(a.Sub(middle))
		for _, p := range others {
			factor = max(factor, n.Dot(p.Sub(middle))/reach)
		}
	}
	if factor == 1 {
		return s, nil
	}
	for i, p := range points {
		points[i] = middle.Add(p.Sub(middle).Scale(factor * (1 + 4e-16)))
	}
	return NewHull(points)
}
