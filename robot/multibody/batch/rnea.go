package batch

// RNEA computes inverse dynamics, tau = M(q) a + C(q, v) v + g(q), of each state: see [multibody.RNEA] for the equations.
// q has NQ coordinates, v, a and tau have NV, of the same number of states.
func (b *Batch) RNEA(q, v, a, tau []float64) {
	nq, nv := b.model.NQ(), b.model.NV()
	n := states("RNEA", vector{"q", q, nq}, vector{"v", v, nv}, vector{"a", a, nv}, vector{"tau", tau, nv})
	switch {
	case n == 0:
	case b.steps == nil:
		b.single.rnea(q, v, a, tau, n)
	case n < Lanes:
		p := &b.packed
		pad(p.q, q, n)
		pad(p.v, v, n)
		pad(p.a, a, n)
		b.rnea(p.q, p.v, p.a, p.tau, Lanes, 0)
		unpad(tau, p.tau, n)
	default:
		for s := 0; s < n; s += Lanes {
			b.rnea(q, v, a, tau, n, min(s, n-Lanes))
		}
	}
}

// rnea evaluates the states s … s+7 of n.
func (b *Batch) rnea(q, v, a, tau []float64, n, s int) {
	b.setAngles(q, n, s)
	k, scratch := b.steps, b.scratch
	for i := range b.bodies {
		o := &b.bodies[i]
		qi, vi, ai := &q[o.q*n+s], &v[o.v*n+s], &a[o.v*n+s]
		if o.class == floating {
			f := &o.floating
			qi, vi, ai = pack(f.q, q, o.q, n, s), pack(f.v, v, o.v, n, s), pack(f.a, a, o.v, n, s)
		}
		k.move[o.class](o.constants, o.angle, qi, o.motionOf, vi, ai, o.motion, o.force, scratch)
	}
	for i := len(b.bodies) - 1; i >= 0; i-- {
		o := &b.bodies[i]
		qi, ai, ti := &q[o.q*n+s], &a[o.v*n+s], &tau[o.v*n+s]
		switch {
		case o.class == floating:
			t := o.floating.tau
			k.balance[floating](o.constants, o.angle, qi, ai, o.force, o.balance.children, &t[0], o.balance.carried, scratch)
			unpack(tau, t, o.v, n, s)
		case o.parent < 0:
			k.balanceBase(o.constants, o.angle, qi, ai, o.force, o.balance.children, ti, o.balance.carried, scratch)
		default:
			k.balance[o.class](o.constants, o.angle, qi, ai, o.force, o.balance.children, ti, o.balance.carried, scratch)
			o.balance.add(k.addForce, scratch)
		}
	}
}
