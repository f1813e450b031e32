//go:build !amd64

package multibody

// fastProduct computes [product] with vectors and tells whether it can.
func fastProduct(A, B, C, x, y []float64, n int) bool { return false }
