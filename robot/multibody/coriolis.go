package multibody

import "github.com/sinew-robotics/sinew/robot/spatial"

// CoriolisMatrix computes C(q, v), nv×nv row by row, the factorization of the Coriolis forces C v by Christoffel symbols,
// for which Ṁ = C + Cᵀ (Echeandia and Wensing 2021): for coordinates j above i
//
//	Cij = Siᵀ (I Ṡj + B Sj),   Cji = Sjᵀ (I Ṡi + B Si).
//
// q has length NQ, v NV.
func CoriolisMatrix(d *Data, q, v, C []float64) {
	m := d.model
	want("CoriolisMatrix", "q", len(q), m.nq)
	want("CoriolisMatrix", "v", len(v), m.nv)
	want("CoriolisMatrix", "C", len(C), m.nv*m.nv)
	d.sweep(d.fullQ(q), d.fullV(v), d.fullA(d.zero))
	if m.mimic == nil {
		d.christoffel(C, m.nv)
		return
	}
	d.christoffel(d.full.square, m.mimic.nv)
	d.reduceSquare(d.full.square, C)
}

func (d *Data) christoffel(C []float64, n int) {
	m := d.model
	clear(C)
	for i := 1; i < len(m.body); i++ {
		b, t := &m.body[i], &d.swept[i]
		for k := int(b.iv); k < int(b.iv)+b.kind.nv(); k++ {
			c := &d.col[k]
			ds := c.rate.Sub(c.psi) // Ṡ
			ul, un := t.momentum(c.s.Linear, c.s.Angular)
			u := spatial.Force{Linear: ul, Angular: un}
			w := t.twoBT(c.s.Linear, c.s.Angular).Scale(0.5)
			bl, bn := t.twoB(c.s.Angular)
			il, in := t.momentum(ds.Linear, ds.Angular)
			r := spatial.Force{Linear: bl.Scale(0.5).Add(il), Angular: bn.Scale(0.5).Add(in)}
			for a := int32(i); a > 0; a = m.body[a].parent {
				p := &m.body[a]
				for j := int(p.iv); j < int(p.iv)+p.kind.nv(); j++ {
					o := &d.col[j]
					C[k*n+j] = w.Dot(o.s.Angular) + o.rate.Sub(o.psi).Dot(u)
					if a != int32(i) {
						C[j*n+k] = o.s.Dot(r)
					}
				}
			}
		}
	}
}
