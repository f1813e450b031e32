package ik

import "math"

// Equations of a few rows: their matrix is symmetric, m×m row by row, and factorized in place (Cholesky, G = L Lᵀ).

// gram writes G = A Aᵀ, its lower triangle.
func gram(A, G []float64, m, n int) {
	for r := range m {
		a := A[r*n : r*n+n]
		for k := range r + 1 {
			b := A[k*n : k*n+n]
			sum := 0.0
			for c, x := range a {
				sum += x * b[c]
			}
			G[r*m+k] = sum
		}
	}
}

// factorize replaces the lower triangle of G by L. A pivot that rounding has made negative becomes the least possible.
func factorize(G []float64, m int) {
	for r := range m {
		for k := range r + 1 {
			sum := G[r*m+k]
			for c := range k {
				sum -= G[r*m+c] * G[k*m+c]
			}
			if r == k {
				G[r*m+r] = math.Sqrt(math.Max(sum, tiny))
			} else {
				G[r*m+k] = sum / G[k*m+k]
			}
		}
	}
}

// substitute replaces y by the solution x of L Lᵀ x = y.
func substitute(L, y []float64, m int) {
	for r := range m {
		for c := range r {
			y[r] -= L[r*m+c] * y[c]
		}
		y[r] /= L[r*m+r]
	}
	for r := m - 1; r >= 0; r-- {
		for c := r + 1; c < m; c++ {
			y[r] -= L[c*m+r] * y[c]
		}
		y[r] /= L[r*m+r]
	}
}

// smallestPivot returns the least pivot of G, an upper bound of its least eigenvalue, and leaves G as it is.
func smallestPivot(G, scratch []float64, m int) float64 {
	copy(scratch, G[:m*m])
	factorize(scratch, m)
	least := math.Inf(1)
	for r := range m {
		least = math.Min(least, scratch[r*m+r]*scratch[r*m+r])
	}
	return least
}
