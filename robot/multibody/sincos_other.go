//go:build !amd64

package multibody

// sincosAll computes sine and cosine of all x, |x| < 1e5. The three slices have the same length, a multiple of 4.
func sincosAll(x, sin, cos []float64) {
	for i, a := range x {
		sin[i], cos[i] = sincos(a)
	}
}
