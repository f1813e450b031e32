//go:build !amd64

package multibody

// sincosAll computes sine and cosine of all x + shift. x and shift have the same length, sin and cos that rounded up to a
// multiple of four.
func sincosAll(x, shift, sin, cos []float64) {
	for i, a := range x {
		sin[i], cos[i] = sincos(a + shift[i])
	}
}
