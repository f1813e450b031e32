package multibody

// This file has the product that derivatives of forward dynamics end in. On a processor with vectors, a full product costs less
// than one that looks for the zeros of B and C.

// product writes -A B to x and -A C to y, for full n×n matrices.
func product(A, B, C, x, y []float64, n int) {
	for i := range n {
		a := A[i*n : i*n+n]
		for j := range n {
			var s, t float64
			at := j
			for _, w := range a {
				s -= w * B[at]
				t -= w * C[at]
				at += n
			}
			x[i*n+j], y[i*n+j] = s, t
		}
	}
}
