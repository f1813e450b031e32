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
//
// q has length NQ; v and a have NV.
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
	if !m.chain {
		clear(dq)
		clear(dv)
		clear(M)
	}
	for i := 1; i < len(m.body); i++ {
		b := &m.body[i]
		first, last := int(b.iv), int(b.iv)+b.kind.nv()
		for k := first; k < last; k++ {
			p := d.prepare(i, k)
			for j := first; j < last; j++ {
				dq[k*n+j], dv[k*n+j], M[k*n+j] = p.below(&d.col[j])
			}
			for a := b.parent; a > 0; a = m.body[a].parent {
				above := &m.body[a]
				j := int(above.iv)
				for end := j + above.kind.nv(); j < end; j++ {
					o := &d.col[j]
					kj, jk := k*n+j, j*n+k
					var x float64
					dq[kj], dv[kj], x = p.below(o)
					M[kj], M[jk] = x, x
					l, w := o.s.Linear, o.s.Angular
					dq[jk] = l.Dot(p.ql) + w.Dot(p.qn)
					dv[jk] = l.Dot(p.vl) + w.Dot(p.vn)
				}
			}
			M[k*n+k] += b.armature
		}
	}
}

// prepared holds what the pairs of one coordinate i with all above it share.
type prepared struct {
	ul, un spatial.Vec3 // I Si
	w      spatial.Vec3 // (2B)ᵀ Si, angular
	ql, qn spatial.Vec3 // 2B Ψ̇i + I Ψ̈i + Si ×* f
	vl, vn spatial.Vec3 // 2B Si + I (Ψ̇i + Ṡi)
}

// prepare computes it for coordinate k of body i.
func (d *Data) prepare(i, k int) (p prepared) {
	c, t := &d.col[k], &d.swept[i]
	l, w := c.s.Linear, c.s.Angular
	p.ul, p.un = t.momentum(l, w)
	p.w = t.twoBT(l, w)
	fl, fn := t.f.Linear, t.f.Angular
	bl, bn := t.twoB(c.psi.Angular)
	il, in := t.momentum(c.psi2.Linear, c.psi2.Angular)
	p.ql = bl.Add(il).Add(w.Cross(fl))
	p.qn = bn.Add(in).Add(w.Cross(fn)).Add(l.Cross(fl))
	bl, bn = t.twoB(w)
	il, in = t.momentum(c.rate.Linear, c.rate.Angular)
	p.vl, p.vn = bl.Add(il), bn.Add(in)
	return p
}

// below returns ∂τi/∂qj, ∂τi/∂vj and M_ij for the coordinate j with column o.
func (p *prepared) below(o *column) (dq, dv, m float64) {
	dq = p.w.Dot(o.psi.Angular) + p.ul.Dot(o.psi2.Linear) + p.un.Dot(o.psi2.Angular)
	dv = p.w.Dot(o.s.Angular) + p.ul.Dot(o.rate.Linear) + p.un.Dot(o.rate.Angular)
	return dq, dv, p.ul.Dot(o.s.Linear) + p.un.Dot(o.s.Angular)
}
