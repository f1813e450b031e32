package generate

import "github.com/sinew-robotics/sinew/robot/multibody"

// twist is a motion or a force about one point, in world axes.
type twist struct{ linear, angular vec }

func (p *program) addTwist(a, b twist) twist {
	return twist{p.add(a.linear, b.linear), p.add(a.angular, b.angular)}
}

func (p *program) scaleTwist(k value, a twist) twist {
	return twist{p.scale(k, a.linear), p.scale(k, a.angular)}
}

// crossMotion returns a × b of two motions.
func (p *program) crossMotion(a, b twist) twist {
	return twist{
		linear:  p.add(p.cross(a.angular, b.linear), p.cross(a.linear, b.angular)),
		angular: p.cross(a.angular, b.angular),
	}
}

func (p *program) power(a, b twist) value {
	return p.Add(p.dot(a.linear, b.linear), p.dot(a.angular, b.angular))
}

// column is what moves with one velocity coordinate: S, Ψ̇ = v_parent × S, Ψ̈, and Ψ̇ + Ṡ, as in multibody.
type column struct{ s, psi, psi2, rate twist }

// swept is a subtree: inertia, momentum, force, and the matrix D of the velocity dependence 2B.
type swept struct {
	composite
	momentum vec
	force    twist
	d        mat
}

// derivatives are those of inverse dynamics in the motion (q, v, a): ∂tau/∂q, ∂tau/∂v and the mass matrix.
type derivatives struct{ dq, dv, mass [][]value }

// sweep differentiates inverse dynamics as [multibody.RNEADerivatives] does: sums over pairs of joints, in world axes about the
// origin of the first body (Singh, Russell, Wensing 2022).
func (p *program) sweep(v, a []value) derivatives {
	wanted := make([]bool, len(p.bodies))
	for i := range wanted {
		wanted[i] = true
	}
	frames := p.frames(wanted)
	n := p.model.NV()
	columns := make([]column, n)
	velocity, acceleration := make([]twist, len(p.bodies)), make([]twist, len(p.bodies))
	sums := make([]swept, len(p.bodies))
	velocity[0] = twist{p.zeros(), p.zeros()}
	acceleration[0] = twist{p.rest().a, p.zeros()}
	for i := 1; i < len(p.bodies); i++ {
		b := &p.bodies[i]
		arm := p.sub(frames[i].at, frames[1].at)
		above, fall := velocity[b.Parent], acceleration[b.Parent]
		move, rise := twist{p.zeros(), p.zeros()}, twist{p.zeros(), p.zeros()}
		axes := p.axes(b)
		for k, x := range axes {
			turn := transpose(frames[i].axes)
			s := twist{p.mulVec(turn, x.linear), p.mulVec(turn, x.angular)}
			s.linear = p.add(s.linear, p.cross(arm, s.angular))
			psi := p.crossMotion(above, s)
			columns[b.V+k] = column{s: s, psi: psi, psi2: p.addTwist(p.crossMotion(fall, s), p.crossMotion(above, psi))}
			move = p.addTwist(move, p.scaleTwist(v[b.V+k], s))
			rise = p.addTwist(rise, p.scaleTwist(a[b.V+k], s))
		}
		velocity[i] = p.addTwist(above, move)
		acceleration[i] = p.addTwist(fall, p.addTwist(rise, p.crossMotion(velocity[i], move)))
		for k := range axes {
			c := &columns[b.V+k]
			if len(axes) == 1 {
				c.rate = p.addTwist(c.psi, c.psi) // S × S = 0
			} else {
				c.rate = p.addTwist(c.psi, p.crossMotion(velocity[i], c.s))
			}
		}
		sums[i] = p.weigh(b, &frames[i], arm, velocity[i], acceleration[i])
	}
	for i := len(p.bodies) - 1; i > 0; i-- {
		if parent := p.bodies[i].Parent; parent > 0 {
			p.gather(&sums[parent], &sums[i])
		}
	}
	return p.pairs(columns, sums)
}

// weigh returns what a body alone contributes.
func (p *program) weigh(b *multibody.Body, f *frame, arm vec, v, a twist) swept {
	turn := transpose(f.axes)
	j := p.mulMat(p.mulMat(turn, p.symmetric(b.SecondMoment)), f.axes)
	own, mass := p.mulVec(turn, p.vec(b.FirstMoment)), p.Const(b.Mass)
	h := p.add(own, p.scale(mass, arm))
	for r := range 3 {
		for c := range r + 1 {
			j[r][c] = p.Add(j[r][c], p.Add(p.Mul(own[c], arm[r]), p.Mul(arm[c], h[r])))
			j[c][r] = j[r][c]
		}
	}
	s := swept{composite: composite{j, h, mass}}
	l := p.inertiaTimes(&s.composite, v)
	f1 := p.inertiaTimes(&s.composite, a)
	s.momentum = l.linear
	s.force = twist{
		linear:  p.add(f1.linear, p.cross(v.angular, l.linear)),
		angular: p.add(f1.angular, p.add(p.cross(v.angular, l.angular), p.cross(v.linear, l.linear))),
	}
	k := p.dot(h, v.linear)
	columns := transpose(j)
	for c := range 3 {
		x := p.cross(v.angular, columns[c]) // -[ω]× J - u hᵀ + (h·u) 1
		for r := range 3 {
			s.d[r][c] = p.Sub(p.Neg(x[r]), p.Mul(v.linear[r], h[c]))
			if r == c {
				s.d[r][c] = p.Add(s.d[r][c], k)
			}
		}
	}
	return s
}

// inertiaTimes returns momentum for a velocity, force for an acceleration.
func (p *program) inertiaTimes(c *composite, m twist) twist {
	f, n := p.reaction(c, m.linear, m.angular)
	return twist{f, n}
}

func (p *program) gather(to, s *swept) {
	for r := range 3 {
		for c := range r + 1 {
			to.j[r][c] = p.Add(to.j[r][c], s.j[r][c])
			to.j[c][r] = to.j[r][c]
		}
		to.d[r] = p.add(to.d[r], s.d[r])
	}
	to.h, to.mass = p.add(to.h, s.h), p.Add(to.mass, s.mass)
	to.momentum, to.force = p.add(to.momentum, s.momentum), p.addTwist(to.force, s.force)
}

// twoB returns 2B s; of s only the angular part matters.
func (p *program) twoB(t *swept, w vec) twist {
	w = p.add(w, w)
	return twist{p.cross(w, t.momentum), p.mulVec(t.d, w)}
}

// pairs evaluates the formulas for all pairs of coordinates, one on the path of the other.
func (p *program) pairs(columns []column, sums []swept) derivatives {
	n := len(columns)
	d := derivatives{p.square(n), p.square(n), p.square(n)}
	for i := 1; i < len(p.bodies); i++ {
		b, t := &p.bodies[i], &sums[i]
		count := len(p.axes(b))
		for k := b.V; k < b.V+count; k++ {
			c := &columns[k]
			u := p.inertiaTimes(&t.composite, c.s)
			double, slide := p.add(c.s.angular, c.s.angular), p.add(c.s.linear, c.s.linear)
			w := p.add(p.cross(t.momentum, slide), p.mulVec(transpose(t.d), double)) // (2B)ᵀ S
			f := t.force
			q := p.addTwist(p.addTwist(p.twoB(t, c.psi.angular), p.inertiaTimes(&t.composite, c.psi2)), twist{
				linear:  p.cross(c.s.angular, f.linear),
				angular: p.add(p.cross(c.s.angular, f.angular), p.cross(c.s.linear, f.linear)),
			})
			speed := p.addTwist(p.twoB(t, c.s.angular), p.inertiaTimes(&t.composite, c.rate))
			for j := b.V; j < b.V+count; j++ {
				p.below(&d, k, j, w, u, &columns[j])
			}
			for above := b.Parent; above > 0; above = p.bodies[above].Parent {
				x := &p.bodies[above]
				for j := x.V; j < x.V+len(p.axes(x)); j++ {
					o := &columns[j]
					p.below(&d, k, j, w, u, o)
					d.mass[j][k] = d.mass[k][j]
					d.dq[j][k], d.dv[j][k] = p.power(o.s, q), p.power(o.s, speed)
				}
			}
			d.mass[k][k] = p.Add(d.mass[k][k], p.Const(b.Armature))
		}
	}
	return d
}

// below sets ∂τk/∂qj, ∂τk/∂vj and M_kj.
func (p *program) below(d *derivatives, k, j int, w vec, u twist, o *column) {
	d.dq[k][j] = p.Add(p.dot(w, o.psi.angular), p.power(u, o.psi2))
	d.dv[k][j] = p.Add(p.dot(w, o.s.angular), p.power(u, o.rate))
	d.mass[k][j] = p.power(u, o.s)
}

func (p *program) square(n int) [][]value {
	m := make([][]value, n)
	for r := range m {
		for range n {
			m[r] = append(m[r], p.zero)
		}
	}
	return m
}

func (p *program) storeSquare(name string, m [][]value) {
	for r := range m {
		for c, x := range m[r] {
			p.Store(name, r*len(m)+c, x)
		}
	}
}

// inverseDerivatives stores the derivatives of inverse dynamics.
func inverseDerivatives(m *multibody.Model) *program {
	p := newProgram(m)
	v, a := p.Input("v", m.NV()), p.Input("a", m.NV())
	d := p.sweep(v, a)
	p.storeSquare("dq", d.dq)
	p.storeSquare("dv", d.dv)
	p.storeSquare("M", d.mass)
	return p
}

// forwardDerivatives stores a(q, v, tau) and its derivatives, as [multibody.ABADerivatives] does: -M⁻¹ times those of inverse
// dynamics at a.
func forwardDerivatives(m *multibody.Model) *program {
	p := forwardDynamics(m)
	n := m.NV()
	v, a := p.Input("v", n), make([]value, n)
	for _, o := range p.Outputs {
		a[o.Index] = o.Value
	}
	d := p.sweep(v, a)
	f := p.factorize(d.mass)
	solve := func(name string, column func(r, c int) value) {
		for c := range n {
			x := make([]value, n)
			for r := range x {
				x[r] = column(r, c)
			}
			p.backSolve(f, x)
			for r := range x {
				p.Store(name, r*n+c, x[r])
			}
		}
	}
	solve("dq", func(r, c int) value { return p.Neg(d.dq[r][c]) })
	solve("dv", func(r, c int) value { return p.Neg(d.dv[r][c]) })
	solve("Minv", func(r, c int) value {
		if r == c {
			return p.Const(1)
		}
		return p.zero
	})
	return p
}

// factors is M = Lᵀ D L with unit lower triangular L, which has zeros where M has them for branches of a tree (Featherstone
// 2008, section 6.5). inverse is 1/D.
type factors struct {
	l       [][]value
	inverse []value
}

func (p *program) factorize(m [][]value) factors {
	n := len(m)
	f := factors{p.square(n), make([]value, n)}
	rest := p.square(n)
	for r := range m {
		copy(rest[r], m[r])
	}
	for k := n - 1; k >= 0; k-- {
		f.inverse[k] = p.Div(p.Const(1), rest[k][k])
		for i := range k {
			f.l[k][i] = p.Mul(rest[k][i], f.inverse[k])
		}
		for i := range k {
			for j := range i + 1 {
				rest[i][j] = p.Sub(rest[i][j], p.Mul(f.l[k][i], rest[k][j]))
			}
		}
	}
	return f
}

// backSolve replaces x by the solution of Lᵀ D L y = x.
func (p *program) backSolve(f factors, x []value) {
	for k := len(x) - 1; k >= 0; k-- {
		for i := range k {
			x[i] = p.Sub(x[i], p.Mul(f.l[k][i], x[k]))
		}
	}
	for k := range x {
		x[k] = p.Mul(x[k], f.inverse[k])
		for i := range k {
			x[k] = p.Sub(x[k], p.Mul(f.l[k][i], x[i]))
		}
	}
}
