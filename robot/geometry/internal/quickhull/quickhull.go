// Package quickhull finds the corners and edges of convex hulls.
package quickhull

import (
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// face is a triangle of a growing hull, counterclockwise from outside. Edge i runs from corner i to corner i+1.
type face struct {
	v       [3]int32
	next    [3]*face // across edge i
	n       spatial.Vec3
	d       float64
	outside []int32 // points above the face
	far     int32   // the farthest of them
	height  float64
	dead    bool
}

// Of returns the corners of the convex hull of points and its edges in both directions (Barber, Dobkin and Huhdanpaa 1996). The edges
// are nil for a set without volume and for one that rounding does not let it finish; the corners are then all that may be extreme.
func Of(points []spatial.Vec3) (corners []spatial.Vec3, edges map[[2]int32]bool) {
	points = distinct(points)
	extent := extentOf(points)
	for _, tolerance := range tolerances {
		faces, ok := grow(points, tolerance*extent)
		if !ok {
			continue
		}
		if faces == nil {
			return points, nil
		}
		number := map[int32]int32{}
		edges = map[[2]int32]bool{}
		for _, f := range faces {
			for i := range 3 {
				if _, ok := number[f.v[i]]; !ok {
					number[f.v[i]] = int32(len(corners))
					corners = append(corners, points[f.v[i]])
				}
			}
		}
		for _, f := range faces {
			for i := range 3 {
				a, b := number[f.v[i]], number[f.v[(i+1)%3]]
				edges[[2]int32{a, b}], edges[[2]int32{b, a}] = true, true
			}
		}
		return corners, edges
	}
	return points, nil
}

// Triangles returns the faces of the convex hull, whose corners are indices into points; nil for points without a volume.
func Triangles(points []spatial.Vec3) [][3]int {
	extent := extentOf(points)
	for _, tolerance := range tolerances {
		faces, ok := grow(points, tolerance*extent)
		if !ok || faces == nil {
			continue
		}
		triangles := make([][3]int, len(faces))
		for i, f := range faces {
			triangles[i] = [3]int{int(f.v[0]), int(f.v[1]), int(f.v[2])}
		}
		return triangles
	}
	return nil
}

// tolerances are the heights above a face that rounding explains, parts of the extent: the next is tried where a hull becomes inconsistent.
var tolerances = [...]float64{4e-16, 1e-13, 1e-11}

func extentOf(points []spatial.Vec3) (extent float64) {
	for _, p := range points {
		extent = max(extent, math.Abs(p.X)+math.Abs(p.Y)+math.Abs(p.Z))
	}
	return extent
}

// distinct returns the points without repetition, in their order.
func distinct(points []spatial.Vec3) []spatial.Vec3 {
	seen := make(map[spatial.Vec3]bool, len(points))
	kept := make([]spatial.Vec3, 0, len(points))
	for _, p := range points {
		p = p.Add(spatial.Vec3{}) // -0 becomes 0
		if !seen[p] {
			seen[p] = true
			kept = append(kept, p)
		}
	}
	return kept
}

// grow returns the faces of the hull, nil if the points have no volume. ok is false if the hull became inconsistent.
func grow(points []spatial.Vec3, eps float64) (faces []*face, ok bool) {
	t, volume := firstTetrahedron(points, 64*eps)
	if !volume {
		return nil, true
	}
	make3 := func(a, b, c int32) *face {
		f := &face{v: [3]int32{a, b, c}, far: -1}
		f.n = points[b].Sub(points[a]).Cross(points[c].Sub(points[a])).Unit()
		f.d = f.n.Dot(points[a])
		return f
	}
	a, b, c, d := make3(t[0], t[1], t[2]), make3(t[1], t[0], t[3]), make3(t[2], t[1], t[3]), make3(t[0], t[2], t[3])
	a.next, b.next = [3]*face{b, c, d}, [3]*face{a, d, c}
	c.next, d.next = [3]*face{a, b, d}, [3]*face{a, c, b}
	faces = []*face{a, b, c, d}
	all := make([]int32, len(points))
	for i := range all {
		all[i] = int32(i)
	}
	share(points, all, faces, eps, nil)
	queue := slices.Clone(faces)
	for steps := 0; len(queue) > 0; {
		f := queue[len(queue)-1]
		if f.dead || f.far < 0 {
			queue = queue[:len(queue)-1]
			continue
		}
		if steps++; steps > 2*len(points) {
			return nil, false
		}
		apex := f.far
		w := walkHorizon{p: points[apex], eps: eps}
		w.from(f)
		fan := make([]*face, len(w.rim))
		if len(fan) < 3 {
			return nil, false
		}
		for i, r := range w.rim {
			n := make3(r.f.v[(r.edge+1)%3], r.f.v[r.edge], apex)
			if n.n == (spatial.Vec3{}) {
				return nil, false
			}
			n.next[0], r.f.next[r.edge] = r.f, n
			fan[i] = n
		}
		for i, n := range fan {
			m := fan[(i+1)%len(fan)]
			if n.v[1] != m.v[0] { // the rim is not one closed line
				return nil, false
			}
			n.next[1], m.next[2] = m, n
		}
		for _, g := range w.gone {
			share(points, g.outside, fan, eps, &apex)
			g.outside = nil
		}
		faces = append(faces, fan...)
		queue = append(queue, fan...)
	}
	live := faces[:0]
	for _, f := range faces {
		if !f.dead {
			live = append(live, f)
		}
	}
	return live, true
}

// share gives each point to the face that it is highest above; the others are inside.
func share(points []spatial.Vec3, which []int32, faces []*face, eps float64, without *int32) {
	for _, i := range which {
		if without != nil && i == *without {
			continue
		}
		var best *face
		height := eps
		for _, f := range faces {
			if h := f.n.Dot(points[i]) - f.d; h > height {
				best, height = f, h
			}
		}
		if best == nil {
			continue
		}
		best.outside = append(best.outside, i)
		if height > best.height {
			best.far, best.height = i, height
		}
	}
}

// walkHorizon collects the faces that the point p sees and the edges around them, in order.
type walkHorizon struct {
	p    spatial.Vec3
	eps  float64
	gone []*face
	rim  []rimEdge
}

// rimEdge is an edge of a face that stays.
type rimEdge struct {
	f    *face
	edge int
}

func (w *walkHorizon) from(f *face) {
	f.dead = true
	w.gone = append(w.gone, f)
	for i := range 3 {
		w.across(f, i)
	}
}

func (w *walkHorizon) across(f *face, edge int) {
	g := f.next[edge]
	if g.dead {
		return
	}
	e := slices.Index(g.next[:], f)
	// two faces may share more than one edge only in a broken hull; the corner settles which
	if e < 0 || g.v[(e+1)%3] != f.v[edge] {
		for k := range 3 {
			if g.next[k] == f && g.v[(k+1)%3] == f.v[edge] {
				e = k
			}
		}
	}
	if e < 0 {
		e = 0
	}
	if g.n.Dot(w.p)-g.d <= w.eps {
		w.rim = append(w.rim, rimEdge{g, e})
		return
	}
	g.dead = true
	w.gone = append(w.gone, g)
	w.across(g, (e+1)%3)
	w.across(g, (e+2)%3)
}

// firstTetrahedron returns four points that are far apart, the fourth behind the face of the first three. ok is false if all points
// lie within flat of a plane.
func firstTetrahedron(points []spatial.Vec3, flat float64) (t [4]int32, ok bool) {
	pick := func(measure func(p spatial.Vec3) float64) (best int32, most float64) {
		for i, p := range points {
			if m := measure(p); i == 0 || m > most {
				best, most = int32(i), m
			}
		}
		return best, most
	}
	widest := -1.0
	for _, axis := range []spatial.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		low, _ := pick(func(p spatial.Vec3) float64 { return -p.Dot(axis) })
		high, _ := pick(func(p spatial.Vec3) float64 { return p.Dot(axis) })
		if w := points[high].Sub(points[low]).Norm(); w > widest {
			t[0], t[1], widest = low, high, w
		}
	}
	if widest <= flat {
		return t, false
	}
	a := points[t[0]]
	u := points[t[1]].Sub(a).Unit()
	third, width := pick(func(p spatial.Vec3) float64 { return p.Sub(a).Cross(u).Norm() })
	if width <= flat {
		return t, false
	}
	t[2] = third
	n := points[t[1]].Sub(a).Cross(points[third].Sub(a)).Unit()
	fourth, height := pick(func(p spatial.Vec3) float64 { return math.Abs(p.Sub(a).Dot(n)) })
	if height <= flat {
		return t, false
	}
	t[3] = fourth
	if points[fourth].Sub(a).Dot(n) > 0 {
		t[0], t[1] = t[1], t[0]
	}
	return t, true
}
