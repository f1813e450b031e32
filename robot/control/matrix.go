package control

import "math"

// Dense matrices row by row, of the sizes a Kalman filter has; none of these functions allocates.

// mul sets out = a b, with a of size m × n and b of size n × p. out must not overlap a or b.
func mul(out, a, b []float64, m, n, p int) {
	for i := range m {
		for j := range p {
			var s float64
			for k := range n {
				s += a[i*n+k] * b[k*p+j]
			}
			out[i*p+j] = s
		}
	}
}

// mulT sets out = a bᵀ, with a of size m × n and b of size p × n. out must not overlap a or b.
func mulT(out, a, b []float64, m, n, p int) {
	for i := range m {
		for j := range p {
			var s float64
			for k := range n {
				s += a[i*n+k] * b[j*n+k]
			}
			out[i*p+j] = s
		}
	}
}

func add(a, b []float64) {
	for i := range a {
		a[i] += b[i]
	}
}

// cholesky replaces the lower triangle of a by L with L Lᵀ = a; false if a is not positive definite.
func cholesky(a []float64, n int) bool {
	for j := range n {
		for i := j; i < n; i++ {
			s := a[i*n+j]
			for k := range j {
				s -= a[i*n+k] * a[j*n+k]
			}
			if i > j {
				a[i*n+j] = s / a[j*n+j]
				continue
			}
			if !(s > 0) || math.IsInf(s, 1) {
				return false
			}
			a[j*n+j] = math.Sqrt(s)
		}
	}
	return true
}

// symmetrize replaces a by (a + aᵀ)/2.
func symmetrize(a []float64, n int) {
	for i := range n {
		for j := range i {
			s := (a[i*n+j] + a[j*n+i]) / 2
			a[i*n+j], a[j*n+i] = s, s
		}
	}
}

// semidefinite reports whether a is symmetric and positive semidefinite up to rounding: elimination of a, scaled to a diagonal of 1, in t, of a's
// size, always by the largest pivot (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. 2002, section 10.3). Rows of 0 are in order.
func semidefinite(a, t []float64, n int) bool {
	const rounding = 1e-9
	for i := range n {
		if !(a[i*n+i] >= 0) {
			return false
		}
		for j := range i + 1 {
			bound := math.Sqrt(a[i*n+i]) * math.Sqrt(a[j*n+j])
			x, y := a[i*n+j], a[j*n+i]
			if !(math.Abs(x-y) <= rounding*bound) || !(math.Abs(x) <= bound*(1+rounding)) {
				return false
			}
			if x != 0 {
				x /= bound
			}
			t[i*n+j], t[j*n+i] = x, x
		}
	}
	for {
		p := 0
		for i := range n {
			if t[i*n+i] > t[p*n+p] {
				p = i
			}
		}
		pivot := t[p*n+p]
		if pivot <= rounding {
			break
		}
		for i := range n {
			f := t[i*n+p] / pivot
			if i == p || f == 0 {
				continue
			}
			for j := range n {
				if j != p {
					t[i*n+j] -= f * t[p*n+j]
				}
			}
		}
		for i := range n { // eliminated
			t[i*n+p], t[p*n+i] = 0, 0
		}
	}
	for _, x := range t[:n*n] {
		if math.Abs(x) > 2*rounding {
			return false
		}
	}
	return true
}

// choleskySolve replaces b by the solution x of L Lᵀ x = b.
func choleskySolve(l, b []float64) {
	n := len(b)
	for i := range n {
		for k := range i {
			b[i] -= l[i*n+k] * b[k]
		}
		b[i] /= l[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			b[i] -= l[k*n+i] * b[k]
		}
		b[i] /= l[i*n+i]
	}
}

func allFinite(x []float64) bool {
	for _, v := range x {
		if !finite(v) {
			return false
		}
	}
	return true
}
