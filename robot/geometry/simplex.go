package geometry

import "github.com/sinew-robotics/sinew/robot/spatial"

// corner is a point of the Minkowski difference of two cores: w = a - b, where a is in the first frame and so is w; b is kept in the
// second frame, so that it stays on its shape when the pose changes.
type corner struct{ w, a, b spatial.Vec3 }

// nearest is the point of a simplex that is nearest to the origin: v is the sum of weight[i] times corner id[i].
type nearest struct {
	n      int
	id     [4]int
	weight [4]float64
	v      spatial.Vec3
	vv     float64
}

// The functions below are the sub-distance algorithm of Montanari, Petrinic and Barbieri (2017): a simplex is reduced to the face
// whose signed volumes have one sign. They are exact to rounding also for needles.

func nearestOfPoint(s *[4]corner, i int) nearest {
	v := s[i].w
	return nearest{n: 1, id: [4]int{i}, weight: [4]float64{1}, v: v, vv: v.Dot(v)}
}

func nearestOfSegment(s *[4]corner, i, j int) nearest {
	a := s[i].w
	u := s[j].w.Sub(a)
	l, p := u.Dot(u), -a.Dot(u)
	if p <= 0 || l == 0 {
		return nearestOfPoint(s, i)
	}
	if p >= l {
		return nearestOfPoint(s, j)
	}
	t := p / l
	v := a.Add(u.Scale(t))
	return nearest{n: 2, id: [4]int{i, j}, weight: [4]float64{1 - t, t}, v: v, vv: v.Dot(v)}
}

func nearestOfTriangle(s *[4]corner, i, j, k int) nearest {
	a, b, c := s[i].w, s[j].w, s[k].w
	ab, ac := b.Sub(a), c.Sub(a)
	n := ab.Cross(ac)
	nn := n.Dot(n)
	all := false
	var x, y, z float64
	if nn > 1e-28*ab.Dot(ab)*ac.Dot(ac) && nn > 0 {
		// the plane's distance from the nearest corner, which keeps the most digits
		m, aa := a, a.Dot(a)
		if bb := b.Dot(b); bb < aa {
			m, aa = b, bb
		}
		if c.Dot(c) < aa {
			m = c
		}
		p := n.Scale(n.Dot(m) / nn)
		a, b, c = a.Sub(p), b.Sub(p), c.Sub(p)
		x, y, z = n.Dot(b.Cross(c)), n.Dot(c.Cross(a)), n.Dot(a.Cross(b))
		if x > 0 && y > 0 && z > 0 {
			r := 1 / (x + y + z)
			return nearest{n: 3, id: [4]int{i, j, k}, weight: [4]float64{x * r, y * r, z * r}, v: p, vv: p.Dot(p)}
		}
	} else {
		all = true
	}
	best := nearest{vv: -1}
	if all || x <= 0 {
		best = nearestOfSegment(s, j, k)
	}
	if all || y <= 0 {
		if o := nearestOfSegment(s, i, k); best.vv < 0 || o.vv < best.vv {
			best = o
		}
	}
	if all || z <= 0 {
		if o := nearestOfSegment(s, i, j); best.vv < 0 || o.vv < best.vv {
			best = o
		}
	}
	return best
}

func nearestOfTetrahedron(s *[4]corner) nearest {
	best := nearest{vv: -1}
	for l := range 4 {
		i, j, k := (l+1)&3, (l+2)&3, (l+3)&3
		a := s[i].w
		n := s[j].w.Sub(a).Cross(s[k].w.Sub(a))
		in, origin := n.Dot(s[l].w.Sub(a)), -n.Dot(a)
		if in > 0 && origin >= 0 || in < 0 && origin <= 0 {
			continue
		}
		if o := nearestOfTriangle(s, i, j, k); best.vv < 0 || o.vv < best.vv {
			best = o
		}
	}
	if best.vv < 0 { // the origin is inside
		best = nearest{n: 4, id: [4]int{0, 1, 2, 3}}
	}
	return best
}

// reduce finds the point of the simplex nearest to the origin and keeps only the corners that it needs.
func (q *Query) reduce() {
	s := &q.simplex
	switch q.corners {
	case 1:
		q.near = nearestOfPoint(s, 0)
	case 2:
		q.near = nearestOfSegment(s, 0, 1)
	case 3:
		q.near = nearestOfTriangle(s, 0, 1, 2)
	case 4:
		q.near = nearestOfTetrahedron(s)
	}
	if q.near.n < q.corners { // otherwise they are in order
		q.compact()
	}
}

// reduceToEdge is reduce among the edges only.
func (q *Query) reduceToEdge() {
	q.near.vv = -1
	for i := range q.corners {
		for j := range i {
			if o := nearestOfSegment(&q.simplex, j, i); q.near.vv < 0 || o.vv < q.near.vv {
				q.near = o
			}
		}
	}
	q.compact()
}

// compact drops the corners that the nearest point does not need.
func (q *Query) compact() {
	s, o := &q.simplex, &q.near
	// sort, so that corners move down only
	for i := 1; i < o.n; i++ {
		for j := i; j > 0 && o.id[j] < o.id[j-1]; j-- {
			o.id[j], o.id[j-1] = o.id[j-1], o.id[j]
			o.weight[j], o.weight[j-1] = o.weight[j-1], o.weight[j]
		}
	}
	for i := range o.n {
		if o.id[i] != i {
			s[i] = s[o.id[i]]
			o.id[i] = i
		}
	}
	q.corners = o.n
}

// witnesses returns the nearest points on both cores in the first frame.
func (q *Query) witnesses(f *frame) (a, b spatial.Vec3) {
	for i := range q.corners {
		k := q.near.weight[i]
		a = a.Add(q.simplex[i].a.Scale(k))
		b = b.Add(q.simplex[i].b.Scale(k))
	}
	return a, f.point(b)
}
