package geometry

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// start makes the polytope the tetrahedron s.
func (p *polytope) start(s *[4]corner) {
	p.nc, p.nf, p.pass = 4, 0, 0
	copy(p.corners[:], s[:])
	if s[1].w.Sub(s[0].w).Cross(s[2].w.Sub(s[0].w)).Dot(s[3].w.Sub(s[0].w)) > 0 {
		p.corners[0], p.corners[1] = p.corners[1], p.corners[0]
	}
	// corner 3 now lies behind the face 0 1 2
	a, b, c, d := p.add(0, 1, 2), p.add(1, 0, 3), p.add(2, 1, 3), p.add(0, 2, 3)
	p.bind(a, 0, b, 0)
	p.bind(a, 1, c, 0)
	p.bind(a, 2, d, 0)
	p.bind(b, 1, d, 2)
	p.bind(b, 2, c, 1)
	p.bind(c, 2, d, 1)
}

// add appends a face.
func (p *polytope) add(i, j, k int16) int16 {
	a, b, c := p.corners[i].w, p.corners[j].w, p.corners[k].w
	n := b.Sub(a).Cross(c.Sub(a))
	t := &p.faces[p.nf]
	*t = face{v: [3]int16{i, j, k}, n: spatial.Vec3{}, d: math.Inf(1)}
	longest := max(b.Sub(a).Dot(b.Sub(a)), c.Sub(a).Dot(c.Sub(a)))
	if l := n.Norm(); l > 1e-14*longest && l > 0 {
		t.n = n.Scale(1 / l)
		t.d = t.n.Dot(a)
	}
	p.nf++
	return int16(p.nf - 1)
}

// bind joins edge i of face a with edge j of face b.
func (p *polytope) bind(a int16, i int8, b int16, j int8) {
	p.faces[a].next[i], p.faces[a].edge[i] = b, j
	p.faces[b].next[j], p.faces[b].edge[j] = a, i
}

// nearest returns the face whose plane is nearest to the origin, or -1.
func (p *polytope) nearest() int {
	best, least := -1, math.Inf(1)
	for i := range p.nf {
		if t := &p.faces[i]; !t.dead && t.d < least {
			best, least = i, t.d
		}
	}
	return best
}

// compact removes dead faces.
func (p *polytope) compact() {
	var moved [polytopeFaces]int16
	n := 0
	for i := range p.nf {
		if !p.faces[i].dead {
			moved[i] = int16(n)
			p.faces[n] = p.faces[i]
			n++
		}
	}
	p.nf = n
	for i := range n {
		for k := range 3 {
			p.faces[i].next[k] = moved[p.faces[i].next[k]]
		}
	}
}

// expand adds the corner w, which lies outside face k. It fails if rounding has made the horizon inconsistent.
func (p *polytope) expand(k int, w corner) bool {
	index := int16(p.nc)
	p.corners[index] = w
	p.nc++
	p.pass++
	p.first, p.last = -1, -1
	t := &p.faces[k]
	t.pass, t.dead = p.pass, true
	for i := range int8(3) {
		if !p.walk(t.next[i], t.edge[i], index) {
			return false
		}
	}
	if p.first < 0 || p.first == p.last {
		return false
	}
	p.bind(p.last, 1, p.first, 2)
	return true
}

// walk visits face k, entered across its edge: seen from the new corner it goes and its neighbours are visited, else the edge
// is on the horizon and becomes a new face.
func (p *polytope) walk(k int16, edge int8, index int16) bool {
	t := &p.faces[k]
	if t.pass == p.pass {
		return t.dead
	}
	e1, e2 := (edge+1)%3, (edge+2)%3
	if t.n.Dot(p.corners[index].w)-t.d <= p.tiny {
		if p.nf == polytopeFaces {
			return false
		}
		n := p.add(t.v[e1], t.v[edge], index)
		p.bind(n, 0, k, edge)
		if p.last >= 0 {
			p.bind(p.last, 1, n, 2)
		} else {
			p.first = n
		}
		p.last = n
		return true
	}
	t.pass, t.dead = p.pass, true
	return p.walk(t.next[e1], t.edge[e1], index) && p.walk(t.next[e2], t.edge[e2], index)
}

// touch returns the point of the first core that belongs to the projection of the origin onto the face.
func (p *polytope) touch(t *face) spatial.Vec3 {
	a, b, c := &p.corners[t.v[0]], &p.corners[t.v[1]], &p.corners[t.v[2]]
	o := t.n.Scale(t.d)
	x := t.n.Dot(b.w.Sub(o).Cross(c.w.Sub(o)))
	y := t.n.Dot(c.w.Sub(o).Cross(a.w.Sub(o)))
	z := t.n.Dot(a.w.Sub(o).Cross(b.w.Sub(o)))
	x, y, z = max(x, 0), max(y, 0), max(z, 0)
	s := x + y + z
	if s == 0 {
		return a.a
	}
	return combine(a.a, b.a, c.a, x/s, y/s, z/s)
}
