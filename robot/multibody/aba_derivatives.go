package multibody

// ABADerivatives computes the accelerations a = ABA(q, v, tau) and their partial derivatives: dq = ∂a/∂q, dv = ∂a/∂v and
// Minv = ∂a/∂tau = M⁻¹, all nv×nv row by row (Carpentier and Mansard 2018, section IV):
//
//	∂a/∂q = -M⁻¹ ∂RNEA/∂q,   ∂a/∂v = -M⁻¹ ∂RNEA/∂v   at (q, v, a).
//
// q has length NQ; v, tau and a have NV.
func ABADerivatives(d *Data, q, v, tau, a, dq, dv, Minv []float64) {
	n := d.model.nv
	want("ABADerivatives", "dq", len(dq), n*n)
	want("ABADerivatives", "dv", len(dv), n*n)
	want("ABADerivatives", "Minv", len(Minv), n*n)
	ABA(d, q, v, tau, a)
	RNEADerivatives(d, q, v, a, d.dq, d.dv, d.square)
	if d.model.chain {
		copy(Minv, d.square)
		invert(Minv, n)
		if !fastProduct(Minv, d.dq, d.dv, dq, dv, n) {
			product(Minv, d.dq, d.dv, dq, dv, n)
		}
		return
	}
	e := &d.model.order
	e.factorize(d.square)
	e.invertFactor(d.square)
	e.inverse(d.square, Minv, d.vector)
	if !fastProduct(Minv, d.dq, d.dv, dq, dv, n) {
		e.apply(d.square, d.dq, d.dv, dq, dv)
	}
}

// invert replaces a full n×n matrix, symmetric and positive definite, by its inverse (Gauss and Jordan; such a matrix needs no
// exchange of rows).
func invert(A []float64, n int) {
	for k := range n {
		pivot := A[k*n : k*n+n]
		p := 1 / pivot[k]
		pivot[k] = 1
		for j := range pivot {
			pivot[j] *= p
		}
		for i := range n {
			if i == k {
				continue
			}
			row := A[i*n : i*n+n][:len(pivot)]
			f := row[k]
			row[k] = 0
			for j, x := range pivot {
				row[j] -= f * x
			}
		}
	}
}
