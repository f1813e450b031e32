package generate

import "github.com/sinew-robotics/sinew/robot/multibody"

// motion is how a body moves, in its own axes: angular velocity, angular acceleration, acceleration of the origin with
// gravity taken off.
type motion struct{ w, dw, a vec }

// inverseDynamics stores tau(q, v, a), as [multibody.RNEA] computes it.
func inverseDynamics(m *multibody.Model) *program {
	p := newProgram(m)
	v, a := p.Input("v", m.NV()), p.Input("a", m.NV())
	moves := make([]motion, len(p.bodies))
	forces, moments := make([]vec, len(p.bodies)), make([]vec, len(p.bodies))
	moves[0] = p.rest()
	tensors := make([]mat, len(p.bodies))
	tensors[0] = mat{p.zeros(), p.zeros(), p.zeros()}
	forces[0], moments[0] = p.zeros(), p.zeros()
	for i := 1; i < len(p.bodies); i++ {
		b := &p.bodies[i]
		moves[i] = p.move(i, &moves[b.Parent], tensors[b.Parent], v, a)
		tensors[i] = p.tensor(&moves[i])
		forces[i], moments[i] = p.load(b, &moves[i], tensors[i])
	}
	for i := len(p.bodies) - 1; i > 0; i-- {
		b := &p.bodies[i]
		p.storeForces("tau", b, forces[i], moments[i], a)
		if b.Parent > 0 {
			f, n := p.up(i, forces[i]), p.up(i, moments[i])
			forces[b.Parent] = p.add(forces[b.Parent], f)
			moments[b.Parent] = p.add(moments[b.Parent], p.add(n, p.cross(p.origin[i], f)))
		}
	}
	return p
}

// rest returns the motion of the world: an upward acceleration, which is equivalent to gravity.
func (p *program) rest() motion {
	return motion{w: p.zeros(), dw: p.zeros(), a: p.vec(p.model.Gravity().Neg())}
}

// move returns the motion of body i, given that of its parent.
func (p *program) move(i int, parent *motion, tensor mat, v, a []value) motion {
	b := &p.bodies[i]
	m := motion{
		w: p.down(i, parent.w), dw: p.down(i, parent.dw),
		a: p.down(i, p.add(parent.a, p.mulVec(tensor, p.origin[i]))),
	}
	qd, qdd := v[b.V], a[b.V]
	switch b.Kind {
	case multibody.Turning:
		p.spin(&m, qd, qdd)
	case multibody.Sliding:
		p.slide(&m, qd, qdd)
	case multibody.Screwing:
		pitch := p.Const(b.Pitch)
		p.slide(&m, p.Mul(pitch, qd), p.Mul(pitch, qdd))
		p.spin(&m, qd, qdd)
	case multibody.FreelyFloating:
		k := b.V
		u, du := vec(v[k:k+3]), vec(a[k:k+3])
		w, dw := vec(v[k+3:k+6]), vec(a[k+3:k+6])
		m.dw = p.add(m.dw, p.add(p.cross(m.w, w), dw))
		twice := p.cross(m.w, u) // of 2 ω × u one half; the other is in ω × u with the own rotation
		m.w = p.add(m.w, w)
		m.a = p.add(m.a, p.add(du, p.add(twice, p.cross(m.w, u))))
	}
	return m
}

// spin adds the turning about z; slide the motion along z.
func (p *program) spin(m *motion, qd, qdd value) {
	m.dw = vec{p.Add(m.dw[0], p.Mul(m.w[1], qd)), p.Sub(m.dw[1], p.Mul(m.w[0], qd)), p.Add(m.dw[2], qdd)}
	m.w[2] = p.Add(m.w[2], qd)
}

func (p *program) slide(m *motion, qd, qdd value) {
	double := p.Mul(p.Const(2), qd)
	m.a = vec{p.Add(m.a[0], p.Mul(m.w[1], double)), p.Sub(m.a[1], p.Mul(m.w[0], double)), p.Add(m.a[2], qdd)}
}

// tensor returns Ω = [ω̇]× + [ω]×[ω]×.
func (p *program) tensor(m *motion) mat {
	w, l := m.w, m.dw
	xx, yy, zz := p.Neg(p.Mul(w[0], w[0])), p.Neg(p.Mul(w[1], w[1])), p.Neg(p.Mul(w[2], w[2]))
	xy, xz, yz := p.Mul(w[0], w[1]), p.Mul(w[0], w[2]), p.Mul(w[1], w[2])
	return mat{
		{p.Add(yy, zz), p.Sub(xy, l[2]), p.Add(xz, l[1])},
		{p.Add(xy, l[2]), p.Add(xx, zz), p.Sub(yz, l[0])},
		{p.Sub(xz, l[1]), p.Add(yz, l[0]), p.Add(xx, yy)},
	}
}

// load returns the force and the moment about the origin that the motion of the body alone needs.
func (p *program) load(b *multibody.Body, m *motion, o mat) (f, n vec) {
	h, j := p.vec(b.FirstMoment), p.symmetric(b.SecondMoment)
	f = p.add(p.scale(p.Const(b.Mass), m.a), p.mulVec(o, h))
	n = p.add(p.cross(h, m.a), vec{
		p.Sub(p.dot(o[2], j[1]), p.dot(o[1], j[2])),
		p.Sub(p.dot(o[0], j[2]), p.dot(o[2], j[0])),
		p.Sub(p.dot(o[1], j[0]), p.dot(o[0], j[1])),
	})
	return f, n
}

// storeForces stores what the joint of body b feels of force and moment; with accelerations also that of its rotor.
func (p *program) storeForces(name string, b *multibody.Body, f, n vec, a []value) {
	x := p.zero
	switch b.Kind {
	case multibody.Turning:
		x = n[2]
	case multibody.Sliding:
		x = f[2]
	case multibody.Screwing:
		x = p.Add(n[2], p.Mul(p.Const(b.Pitch), f[2]))
	case multibody.FreelyFloating:
		for k := range 3 {
			p.Store(name, b.V+k, f[k])
			p.Store(name, b.V+3+k, n[k])
		}
		return
	}
	p.Store(name, b.V, p.Add(x, p.Mul(p.Const(b.Armature), a[b.V])))
}
