//go:build !amd64

package multibody

// fastProduct computes [product] with vectors and reports whether it can.
func fastProduct(A, B, C, x, y []float64, n int) bool { return false }
