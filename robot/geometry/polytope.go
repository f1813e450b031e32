package geometry

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

const (
	polytopeCorners = 120
	polytopeFaces   = 2*polytopeCorners + 160
)

// face is a triangle of the polytope, counterclockwise from outside. Edge i runs from corner i to corner i+1.
type face struct {
	v    [3]int16
	next [3]int16 // face across edge i
	edge [3]int8  // which edge that is there
	dead bool
	pass int16
	n    spatial.Vec3 // outer unit normal; zero if the face has no area
	d    float64      // distance of its plane from the origin
}

// polytope is the workspace of the expanding polytope algorithm (van den Bergen 2001): a polytope inside the Minkowski difference, which is
// grown at the face nearest to the origin until that face lies on the surface of the difference.
type polytope struct {
	corners [polytopeCorners]corner
	hints   [polytopeCorners][2]int32 // corners of hulls that they came from
	faces   [polytopeFaces]face
	nc, nf  int
	tiny    float64
	// the horizon while it is walked
	first, last int16
	pass        int16
}

// depth returns the gap of overlapping cores, beginning with the simplex that gjk has left.
func (q *Query) depth(a, b *Shape, f *frame) gap {
	p := &q.polytope
	scale := a.reach + b.reach
	p.tiny = 1e-14 * scale
	var touch spatial.Vec3
	touching := q.corners > 0 && q.corners < 4
	if touching {
		touch, _ = q.witnesses(f)
	}
	if !q.inflate(a, b, f, scale) {
		return q.leastOverlap(a, b, f) // the difference is flat
	}
	tolerance := 1e-10
	if a.curved() || b.curved() {
		tolerance = 1e-6
	}
	p.start(&q.simplex)
	best := gap{d: math.Inf(-1)}
	found := false
	for i := range 4 {
		p.hints[i] = [2]int32{-1, -1}
	}
	for {
		k := p.nearest()
		if k < 0 {
			break
		}
		t := &p.faces[k]
		n := t.n
		hints := p.hints[t.v[2]] // of the newest corner
		pa := a.support(n, &hints[0])
		pb := b.support(f.back(n.Neg()), &hints[1])
		w := pa.Sub(f.point(pb))
		upper := n.Dot(w) // a translation by it separates
		if -upper > best.d {
			best.d, best.n = -upper, n
			best.a = p.touch(t)
		}
		if upper-t.d <= tolerance*math.Abs(upper)+p.tiny || -best.d-t.d <= tolerance*math.Abs(best.d)+p.tiny {
			found = true
			break
		}
		if p.nc == polytopeCorners {
			break
		}
		if p.nf+64 > polytopeFaces {
			p.compact()
			k = p.nearest()
		}
		p.hints[p.nc] = hints
		if !p.expand(k, corner{w, pa, pb}) {
			break
		}
	}
	if !found {
		if g := q.leastOverlap(a, b, f); g.d > best.d {
			best = g
		}
		best = q.refine(a, b, f, best)
	}
	if touching && math.Abs(best.d) < 1e-8*scale { // the face may be a needle; the simplex is at the contact
		best.a = touch
	}
	best.b = best.a.Add(best.n.Scale(best.d))
	return best
}

// refine lessens a depth by a search among directions around its own (Hooke and Jeeves 1961), for curved cores
// whose polytope has run out of corners.
func (q *Query) refine(a, b *Shape, f *frame, best gap) gap {
	var hintA, hintB int32 = -1, -1
	step := 0.1
	for tries := 0; step > 1e-8 && tries < 300; tries++ {
		e1 := perpendicular(best.n)
		e2 := best.n.Cross(e1)
		better := false
		for i := range 4 {
			e := e1
			if i&1 == 1 {
				e = e2
			}
			n := best.n.Add(e.Scale(step * float64(1-i&2))).Unit()
			pa, pb := a.support(n, &hintA), f.point(b.support(f.back(n.Neg()), &hintB))
			if d := n.Dot(pb.Sub(pa)); d > best.d {
				best, better = gap{d, pa, pa.Add(n.Scale(d)), n}, true
				break
			}
		}
		if !better {
			step /= 2
		}
	}
	return best
}

// leastOverlap returns the gap along the direction of least overlap among the axes of both shapes, those across two of them, and the one
// across the simplex: for differences so flat that no polytope can be grown.
func (q *Query) leastOverlap(a, b *Shape, f *frame) gap {
	best := gap{d: math.Inf(-1)}
	for i := range 16 {
		var n spatial.Vec3
		switch {
		case i == 0:
			n = q.across()
		case i < 4:
			n = [3]spatial.Vec3{{X: 1}, {Y: 1}, {Z: 1}}[i-1]
		case i < 7:
			n = f.column(i - 4)
		default:
			n = [3]spatial.Vec3{{X: 1}, {Y: 1}, {Z: 1}}[(i-7)/3].Cross(f.column((i - 7) % 3)).Unit()
		}
		if n == (spatial.Vec3{}) {
			continue
		}
		for range 2 {
			var hintA, hintB int32 = -1, -1
			pa, pb := a.support(n, &hintA), f.point(b.support(f.back(n.Neg()), &hintB))
			if d := n.Dot(pb.Sub(pa)); d > best.d {
				best = gap{d, pa, pa.Add(n.Scale(d)), n}
			}
			n = n.Neg()
		}
	}
	return best
}

// curved reports whether the core has a curved surface.
func (s *Shape) curved() bool { return s.kind == Cylinder || s.kind == Cone || s.kind == Ellipsoid }

// across returns a unit vector across the simplex.
func (q *Query) across() spatial.Vec3 {
	s := &q.simplex
	switch q.corners {
	case 2:
		return perpendicular(s[1].w.Sub(s[0].w))
	case 3, 4:
		u := s[1].w.Sub(s[0].w)
		if n := u.Cross(s[2].w.Sub(s[0].w)).Unit(); n != (spatial.Vec3{}) {
			return n
		}
		return perpendicular(u)
	}
	return spatial.Vec3{X: 1}
}

// inflate adds corners to the simplex until it is a tetrahedron with volume. It fails if the difference is flat.
func (q *Query) inflate(a, b *Shape, f *frame, scale float64) bool {
	s := &q.simplex
	flat := 1e-13 * scale
	var hintA, hintB int32 = -1, -1
	add := func(n spatial.Vec3) {
		pa, pb := a.support(n, &hintA), b.support(f.back(n.Neg()), &hintB)
		s[q.corners] = corner{pa.Sub(f.point(pb)), pa, pb}
	}
	if q.corners == 4 {
		u := s[1].w.Sub(s[0].w)
		n := u.Cross(s[2].w.Sub(s[0].w)).Unit()
		if math.Abs(n.Dot(s[3].w.Sub(s[0].w))) > flat {
			return true
		}
		q.corners = 3
	}
	if q.corners == 3 {
		u, v := s[1].w.Sub(s[0].w), s[2].w.Sub(s[0].w)
		if l := u.Norm(); l <= flat {
			s[1] = s[2]
			q.corners = 2
		} else if u.Cross(v).Norm() <= flat*l {
			q.corners = 2
		}
	}
	if q.corners == 2 && s[1].w.Sub(s[0].w).Norm() <= flat {
		q.corners = 1
	}
	if q.corners == 0 {
		add(spatial.Vec3{X: 1})
		q.corners = 1
	}
	if q.corners == 1 {
		for i := 0; i < 6 && q.corners == 1; i++ {
			n := [6]spatial.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}[i]
			if add(n); s[1].w.Sub(s[0].w).Norm() > flat {
				q.corners = 2
			}
		}
	}
	if q.corners == 2 {
		u := s[1].w.Sub(s[0].w).Unit()
		e1 := perpendicular(u)
		e2 := u.Cross(e1)
		for i := 0; i < 8 && q.corners == 2; i++ {
			x, y := math.Sincos(float64(i) * math.Pi / 4)
			add(e1.Scale(y).Add(e2.Scale(x)))
			if u.Cross(s[2].w.Sub(s[0].w)).Norm() > flat {
				q.corners = 3
			}
		}
	}
	if q.corners == 3 {
		n := q.across()
		for i := 0; i < 2 && q.corners == 3; i++ {
			if add(n); math.Abs(n.Dot(s[3].w.Sub(s[0].w))) > flat {
				q.corners = 4
			}
			n = n.Neg()
		}
	}
	return q.corners == 4
}
