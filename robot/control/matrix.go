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
