package generate

import (
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// composite is the inertia of a body and of all that it carries: second and first moment about its origin, and mass.
type composite struct {
	j    mat
	h    vec
	mass value
}

func (p *program) symmetric(s spatial.Sym3) mat { return p.mat(s.Mat3()) }

// massMatrix stores M(q), nv×nv row by row, as [multibody.CRBA] computes it.
func massMatrix(m *multibody.Model) *program {
	p := newProgram(m)
	nv := m.NV()
	sums := make([]composite, len(p.bodies))
	for i := 1; i < len(p.bodies); i++ {
		b := &p.bodies[i]
		sums[i] = composite{p.symmetric(b.SecondMoment), p.vec(b.FirstMoment), p.Const(b.Mass)}
	}
	stored := make([]bool, nv*nv)
	store := func(i, j int, x value) {
		p.Store("M", i*nv+j, x)
		stored[i*nv+j] = true
		if i != j {
			p.Store("M", j*nv+i, x)
			stored[j*nv+i] = true
		}
	}
	for i := len(p.bodies) - 1; i > 0; i-- {
		b, c := &p.bodies[i], &sums[i]
		for k, axis := range p.axes(b) {
			f, n := p.reaction(c, axis.linear, axis.angular)
			for kk, other := range p.axes(b)[:k+1] {
				x := p.felt(&other, f, n)
				if kk == k {
					x = p.Add(x, p.Const(b.Armature))
				}
				store(b.V+kk, b.V+k, x)
			}
			for child := i; p.bodies[child].Parent > 0; child = p.bodies[child].Parent {
				f, n = p.up(child, f), p.up(child, n)
				n = p.add(n, p.cross(p.origin[child], f))
				above := &p.bodies[p.bodies[child].Parent]
				for kk, other := range p.axes(above) {
					store(above.V+kk, b.V+k, p.felt(&other, f, n))
				}
			}
		}
		if b.Parent > 0 {
			p.compose(i, c, &sums[b.Parent])
		}
	}
	for at, done := range stored {
		if !done {
			p.Store("M", at, p.zero)
		}
	}
	return p
}

// axis is one direction in which a joint moves its body, in the body's axes.
type axis struct{ linear, angular vec }

func (p *program) axes(b *multibody.Body) []axis {
	one := p.Const(1)
	unit := func(k int) vec {
		u := p.zeros()
		u[k] = one
		return u
	}
	switch b.Kind {
	case multibody.Turning:
		return []axis{{p.zeros(), unit(2)}}
	case multibody.Sliding:
		return []axis{{unit(2), p.zeros()}}
	case multibody.Screwing:
		return []axis{{p.scale(p.Const(b.Pitch), unit(2)), unit(2)}}
	}
	var all []axis
	for k := range 3 {
		all = append(all, axis{unit(k), p.zeros()})
	}
	for k := range 3 {
		all = append(all, axis{p.zeros(), unit(k)})
	}
	return all
}

// felt returns what a joint feels of force and moment along an axis.
func (p *program) felt(x *axis, f, n vec) value {
	return p.Add(p.dot(x.linear, f), p.dot(x.angular, n))
}

// reaction returns the force and moment that unit acceleration along an axis needs.
func (p *program) reaction(c *composite, linear, angular vec) (f, n vec) {
	f = p.add(p.scale(c.mass, linear), p.cross(angular, c.h))
	// the rotational inertia is tr(J) 1 - J
	trace := p.Add(p.Add(c.j[0][0], c.j[1][1]), c.j[2][2])
	n = p.add(p.cross(c.h, linear), p.sub(p.scale(trace, angular), p.mulVec(c.j, angular)))
	return f, n
}

// compose adds the composite inertia of body i to its parent's.
func (p *program) compose(i int, c, parent *composite) {
	j, h, at := p.turnSymmetric(i, c.j), p.up(i, c.h), p.origin[i]
	s := p.add(h, p.scale(c.mass, at))
	for r := range 3 {
		for k := range r + 1 {
			x := p.Add(j[r][k], p.Add(p.Mul(h[k], at[r]), p.Mul(at[k], s[r])))
			parent.j[r][k] = p.Add(parent.j[r][k], x)
			parent.j[k][r] = parent.j[r][k]
		}
	}
	parent.h = p.add(parent.h, s)
	parent.mass = p.Add(parent.mass, c.mass)
}

// turnSymmetric turns a symmetric matrix from the axes of body i to those of its parent.
func (p *program) turnSymmetric(i int, m mat) mat {
	b := &p.bodies[i]
	if b.Kind >= multibody.BallMounted {
		e := p.turned[i]
		r := p.mulMat(p.mulMat(e, m), transpose(e))
		r[1][0], r[2][0], r[2][1] = r[0][1], r[0][2], r[1][2]
		return r
	}
	m = p.planeSymmetric(m, 0, 1, 2, p.sin[i], p.cos[i])
	m = p.planeSymmetric(m, 1, 2, 0, p.Const(b.SinAlpha), p.Const(b.CosAlpha))
	return p.planeSymmetric(m, 0, 1, 2, p.Const(b.SinBeta), p.Const(b.CosBeta))
}

// quarterTurns reports whether the angle with sine s and cosine c is a constant multiple of a quarter turn, and whether an odd
// one, which exchanges two axes.
func (p *program) quarterTurns(s, c value) (quarter, swaps bool) {
	sin, constant := p.Number(s)
	cos, also := p.Number(c)
	return constant && also && (sin == 0 || cos == 0), cos == 0
}

// planeSymmetric turns a symmetric matrix in the plane of the coordinates x and y by the angle with sine s and cosine c.
func (p *program) planeSymmetric(m mat, x, y, z int, s, c value) mat {
	if quarter, swaps := p.quarterTurns(s, c); quarter {
		if swaps {
			m[x][x], m[y][y] = m[y][y], m[x][x]
			m[x][y] = p.Neg(m[x][y])
			m[y][x] = m[x][y]
		}
		m[x][z], m[y][z] = p.plane(m[x][z], m[y][z], s, c)
		m[z][x], m[z][y] = m[x][z], m[y][z]
		return m
	}
	g, k := p.shear(m, x, y, s, c)
	m[x][x], m[y][y], m[x][y] = p.Add(m[x][x], g), p.Sub(m[y][y], g), p.Add(m[x][y], k)
	m[y][x] = m[x][y]
	m[x][z], m[y][z] = p.plane(m[x][z], m[y][z], s, c)
	m[z][x], m[z][y] = m[x][z], m[y][z]
	return m
}

// shear returns what turning adds to xx and takes from yy, and what it adds to xy and yx.
func (p *program) shear(m mat, x, y int, s, c value) (g, k value) {
	ss, sc := p.Mul(s, s), p.Mul(s, c)
	d, e := p.Sub(m[y][y], m[x][x]), p.Add(m[x][y], m[y][x])
	return p.Sub(p.Mul(ss, d), p.Mul(sc, e)), p.Neg(p.Add(p.Mul(sc, d), p.Mul(ss, e)))
}
