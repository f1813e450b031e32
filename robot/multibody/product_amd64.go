package multibody

// productAVX2 computes [product] for n ≥ 4, in tiles of 4×4; the last tiles of a row or column overlap those before.
//
//go:noescape
func productAVX2(A, B, C, x, y *float64, n int)

// fastProduct computes [product] with vectors and reports whether it can.
func fastProduct(A, B, C, x, y []float64, n int) bool {
	if !hasAVX2 || n < 4 {
		return false
	}
	_, _, _, _, _ = A[n*n-1], B[n*n-1], C[n*n-1], x[n*n-1], y[n*n-1]
	productAVX2(&A[0], &B[0], &C[0], &x[0], &y[0], n)
	return true
}
