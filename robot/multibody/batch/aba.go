package batch

// ABA computes forward dynamics, a = M(q)⁻¹ (tau - C(q, v) v - g(q)), of each state: see [multibody.ABA] for the
// equations. q has NQ coordinates, v, tau and a have NV, of the same number of states.
func (b *Batch) ABA(q, v, tau, a []float64) {
	nq, nv := b.model.NQ(), b.model.NV()
	n := states("ABA", vector{"q", q, nq}, vector{"v", v, nv}, vector{"tau", tau, nv}, vector{"a", a, nv})
	switch {
	case n == 0:
	case b.steps == nil:
		b.single.aba(q, v, tau, a, n)
	case n < Lanes:
		p := &b.packed
		pad(p.q, q, n)
		pad(p.v, v, n)
		pad(p.tau, tau, n)
		b.aba(p.q, p.v, p.tau, p.a, Lanes, 0)
		unpad(a, p.a, n)
	default:
		for s := 0; s < n; s += Lanes {
			b.aba(q, v, tau, a, n, min(s, n-Lanes))
		}
	}
}

// aba evaluates the states s … s+7 of n.
func (b *Batch) aba(q, v, tau, a []float64, n, s int) {
	b.setAngles(q, n, s)
	k, scratch := b.steps, b.scratch
	for i := range b.bodies {
		o := &b.bodies[i]
		qi, vi := &q[o.q*n+s], &v[o.v*n+s]
		if o.class == floating {
			f := &o.floating
			qi, vi = pack(f.q, q, o.q, n, s), pack(f.v, v, o.v, n, s)
		}
		k.bias[o.class](o.constants, o.angle, qi, o.velocityOf, vi, o.bias, o.velocity, o.force, scratch)
	}
	for i := len(b.bodies) - 1; i >= 0; i-- {
		o := &b.bodies[i]
		qi, ti := &q[o.q*n+s], &tau[o.v*n+s]
		switch {
		case o.class == floating: // it lets the world feel nothing
		case o.parent < 0:
			k.articulateBase(o.constants, o.angle, qi, ti, o.bias, o.force, o.articulate.children, o.joint, o.articulate.carried, scratch)
		default:
			k.articulate[o.class](o.constants, o.angle, qi, ti, o.bias, o.force, o.articulate.children, o.joint, o.articulate.carried, scratch)
			o.articulate.add(k.addArticulated, scratch)
		}
	}
	for i := range b.bodies {
		o := &b.bodies[i]
		if o.class == floating {
			f := &o.floating
			ti := pack(f.tau, tau, o.v, n, s)
			k.accelerateFloating(o.constants, &f.q[0], &f.v[0], ti, o.accOf, o.force, o.articulate.children, &f.a[0], o.acc, scratch)
			unpack(a, f.a, o.v, n, s)
			continue
		}
		k.accelerate[o.class](o.constants, o.angle, &q[o.q*n+s], o.accOf, o.bias, o.joint, &a[o.v*n+s], o.acc, scratch)
	}
}
