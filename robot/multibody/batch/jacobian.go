package batch

// Jacobian computes the geometric Jacobian of a link, at its origin and in world axes ([multibody.Mixed]), of each state.
// Entry (r, k) of state s of n is J[(r*nv+k)*n+s], with nv the number of velocity coordinates; rows 0–2 are linear, rows
// 3–5 angular velocity. The link is an index as of [multibody.Model.Link]. q has NQ coordinates of each state.
func (b *Batch) Jacobian(q []float64, link int, J []float64) {
	nv := b.model.NV()
	n := states("Jacobian", vector{"q", q, b.model.NQ()}, vector{"J", J, 6 * nv})
	if n == 0 {
		return
	}
	if b.steps == nil {
		b.single.jacobian(q, link, J, n)
		return
	}
	clear(J) // columns of joints that do not carry the link
	if n < Lanes {
		pad(b.packed.q, q, n)
		b.jacobian(b.packed.q, link, Lanes, 0, matrix{J, nv, n, 0, n})
		return
	}
	for s := 0; s < n; s += Lanes {
		from := min(s, n-Lanes)
		b.jacobian(q, link, n, from, matrix{J, nv, n, from, Lanes})
	}
}

// jacobian evaluates the states s … s+7 of n.
func (b *Batch) jacobian(q []float64, link, n, s int, to matrix) {
	b.frames(q, n, s)
	l := &b.links[link]
	if l.body < 0 {
		return
	}
	k, columns := b.steps, b.square
	k.place(&l.place[0], b.bodies[l.body].frame, &b.pose[0], b.scratch)
	for i := l.body; i >= 0; i = b.bodies[i].parent {
		o := &b.bodies[i]
		kernel, count := k.column, 1
		if o.class == floating {
			kernel, count = k.columnFloating, 6
		}
		kernel(o.constants, o.frame, &b.pose[0], &columns[0], b.scratch)
		for c := range count {
			for r := range 6 {
				to.set(r, o.v+c, columns[(6*c+r)*Lanes:])
			}
		}
	}
}
