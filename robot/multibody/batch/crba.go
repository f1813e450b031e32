package batch

// CRBA computes the mass matrix of each state: see [multibody.CRBA]. Entry (i, j) of state s of n is M[(i*nv+j)*n+s],
// with nv the number of velocity coordinates; both triangles are written. q has NQ coordinates of each state.
func (b *Batch) CRBA(q, M []float64) {
	nv := b.model.NV()
	n := states("CRBA", vector{"q", q, b.model.NQ()}, vector{"M", M, nv * nv})
	if n == 0 {
		return
	}
	if b.steps == nil {
		b.single.crba(q, M, n)
		return
	}
	clear(M) // entries of joints neither of which carries the other
	if n < Lanes {
		pad(b.packed.q, q, n)
		b.crba(b.packed.q, Lanes, 0, matrix{M, nv, n, 0, n})
		return
	}
	for s := 0; s < n; s += Lanes {
		from := min(s, n-Lanes)
		b.crba(q, n, from, matrix{M, nv, n, from, Lanes})
	}
}

// crba evaluates the states s … s+7 of n.
func (b *Batch) crba(q []float64, n, s int, to matrix) {
	b.setAngles(q, n, s)
	k, scratch := b.steps, b.scratch
	row, force := b.pose, b.square
	for i := len(b.bodies) - 1; i >= 0; i-- {
		o := &b.bodies[i]
		k.compose[o.class](o.constants, o.angle, &q[o.q*n+s], o.compose.children, &row[0], &force[0], o.compose.carried, scratch)
		if o.class == floating {
			for r := range 6 {
				for c := range 6 {
					to.set(o.v+r, o.v+c, force[(6*r+c)*Lanes:])
				}
			}
			continue
		}
		to.set(o.v, o.v, row)
		if o.parent >= 0 {
			o.compose.add(k.addComposite, scratch)
			b.walk(o, q, n, s, to)
		}
	}
}

// walk carries the force that a unit acceleration of the body needs from there to the root and notes its component along
// each joint on the way.
func (b *Batch) walk(o *body, q []float64, n, s int, to matrix) {
	column, force := o.v, &b.square[0]
	for side := 0; o.parent >= 0; side ^= 1 {
		f := b.walked[side]
		b.steps.walk[o.class](o.constants, o.angle, &q[o.q*n+s], force, &f[0], b.scratch)
		force = &f[0]
		o = &b.bodies[o.parent]
		switch {
		case o.class == floating:
			for r := range 6 {
				to.setBoth(o.v+r, column, f[r*Lanes:])
			}
		case o.slide == 0:
			to.setBoth(o.v, column, f[5*Lanes:])
		default:
			x := b.pose[:Lanes]
			for lane := range x {
				x[lane] = o.turn*f[5*Lanes+lane] + o.slide*f[2*Lanes+lane]
			}
			to.setBoth(o.v, column, x)
		}
	}
}

// matrix is where matrices of count states from s on, of n, are written.
type matrix struct {
	entries     []float64
	columns     int
	n, s, count int
}

func (m *matrix) set(i, j int, row []float64) {
	at := (i*m.columns+j)*m.n + m.s
	if m.count == Lanes {
		*(*[Lanes]float64)(m.entries[at:]) = [Lanes]float64(row)
		return
	}
	copy(m.entries[at:at+m.count], row)
}

func (m *matrix) setBoth(i, j int, row []float64) {
	m.set(i, j, row)
	m.set(j, i, row)
}
