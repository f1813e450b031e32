package multibody

import "github.com/sinew-robotics/sinew/robot/spatial"

// RNEADerivatives computes the partial derivatives of tau = RNEA(q, v, a): dq = ∂tau/∂q and dv = ∂tau/∂v, both nv×nv row
// by row, and returns in M the third, ∂tau/∂a, the mass matrix. For spherical and floating joints ∂q is a change of
// configuration in the coordinates of v, as [Model.Integrate] makes it.
//
// The method is that of Singh, Russell and Wensing (2022): with S, Ψ̇, Ψ̈ of two joints j above i and the sums over the
// subtree of i,
//
//	∂τi/∂qj = Siᵀ (2B Ψ̇j + I Ψ̈j)              ∂τi/∂vj = Siᵀ (2B Sj + I (Ψ̇j + Ṡj))
//	∂τj/∂qi = Sjᵀ (2B Ψ̇i + I Ψ̈i + Si ×* f)     ∂τj/∂vi = Sjᵀ (2B Si + I (Ψ̇i + Ṡi))
func RNEADerivatives(d *Data, q, v, a, dq, dv, M []float64) {
	m := d.model
	n := m.nv
	want("RNEADerivatives", "q", len(q), m.nq)
	want("RNEADerivatives", "v", len(v), n)
	want("RNEADerivatives", "a", len(a), n)
	want("RNEADerivatives", "dq", len(dq), n*n)
	want("RNEADerivatives", "dv", len(dv), n*n)
	want("RNEADerivatives", "M", len(M), n*n)
	d.sweep(d.fullQ(q), d.fullV(v), d.fullA(a))
	if m.mimic == nil {
		d.pairs(dq, dv, M, n)
		return
	}
	c := &d.full
	d.pairs(c.square, c.square2, c.square3, m.mimic.nv)
	d.reduceSquare(c.square, dq)
	d.reduceSquare(c.square2, dv)
	d.reduceSquare(c.square3, M)
}

// pairs evaluates the formulas of RNEADerivatives for all pairs of coordinates of the tree.
func (d *Data) pairs(dq, dv, M []float64, n int) {
	m := d.model
	clear(dq)
	clear(dv)
	clear(M)
	for i := 1; i < len(m.body); i++ {
		b, t := &m.body[i], &d.swept[i]
		first, last := int(b.iv), int(b.iv)+b.kind.nv()
		for k := first; k < last; k++ {
			c := &d.col[k]
			u := t.momentum(c.s.Linear, c.s.Angular)
			w := t.twoBT(&c.s)
			rq := t.twoB(&c.psi).Add(t.momentum(c.psi2.Linear, c.psi2.Angular)).Add(c.s.CrossForce(t.f))
			rv := t.twoB(&c.s).Add(t.momentum(c.rate.Linear, c.rate.Angular))
			for j := first; j < last; j++ {
				o := &d.col[j]
				dq[k*n+j] = w.Dot(o.psi.Angular) + o.psi2.Dot(u)
				dv[k*n+j] = w.Dot(o.s.Angular) + o.rate.Dot(u)
				M[k*n+j] = o.s.Dot(u)
			}
			for a := b.parent; a > 0; a = m.body[a].parent {
				p := &m.body[a]
				for j := int(p.iv); j < int(p.iv)+p.kind.nv(); j++ {
					d.pair(&d.col[j], k, j, n, &u, &rq, &rv, &w, dq, dv, M)
				}
			}
			M[k*n+k] += b.armature
		}
	}
}

// pair writes the entries of coordinates k and j, the latter strictly above.
func (d *Data) pair(o *column, k, j, n int, u, rq, rv *spatial.Force, w *spatial.Vec3, dq, dv, M []float64) {
	kj, jk := k*n+j, j*n+k
	dq[kj] = w.Dot(o.psi.Angular) + o.psi2.Dot(*u)
	dv[kj] = w.Dot(o.s.Angular) + o.rate.Dot(*u)
	dq[jk] = o.s.Dot(*rq)
	dv[jk] = o.s.Dot(*rv)
	x := o.s.Dot(*u)
	M[kj], M[jk] = x, x
}
