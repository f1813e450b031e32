package multibody

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// The product with vectors is the one without, to rounding, for every size; and it writes nothing behind the matrices.
func TestVectorizedProductEqualsThePlainOne(t *testing.T) {
	r := testkit.Rand(t)
	for n := range 20 {
		A, B, C := randomSlice(r, n*n), randomSlice(r, n*n), randomSlice(r, n*n)
		x, y, p, q := make([]float64, n*n+8), make([]float64, n*n+8), make([]float64, n*n), make([]float64, n*n)
		if !fastProduct(A, B, C, x, y, n) {
			continue
		}
		product(A, B, C, p, q, n)
		for i := range p {
			if math.Abs(x[i]-p[i])+math.Abs(y[i]-q[i]) > 1e-13 {
				t.Fatalf("n %d, element %d: %v and %v, want %v and %v", n, i, x[i], y[i], p[i], q[i])
			}
		}
		for i := n * n; i < len(x); i++ {
			if x[i] != 0 || y[i] != 0 {
				t.Fatalf("n %d: writes behind the matrix", n)
			}
		}
	}
}

// The product that looks for zeros, of processors without vectors, is the full one with the inverse.
func TestSparseProductEqualsTheDenseOne(t *testing.T) {
	r := testkit.Rand(t)
	randomModels(t, r, func(t *testing.T, m *Model) {
		d, n := NewData(m), m.NV()
		q, v, a, _ := state(r, m)
		B, C, M, inverse := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
		RNEADerivatives(d, q, v, a, B, C, M)
		e := &m.order
		e.factorize(M)
		e.invertFactor(M)
		e.inverse(M, inverse, make([]float64, n))
		x, y, p, s := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
		product(inverse, B, C, p, s, n)
		e.apply(M, B, C, x, y)
		near(t, "-A⁻¹ B", x, p, 1e-11)
		near(t, "-A⁻¹ C", y, s, 1e-11)
	})
}
