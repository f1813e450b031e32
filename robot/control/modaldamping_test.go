package control

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// randomInertia is a positive definite matrix.
func randomInertia(n int, normal func() float64) []float64 {
	a, m := make([]float64, n*n), make([]float64, n*n)
	for i := range a {
		a[i] = normal()
	}
	mulT(m, a, a, n, n, n)
	for i := range n {
		m[i*n+i] += 0.05
	}
	return m
}

// With one ratio for all, D M⁻¹ D = 4 ζ² K: the equation that Q K₀^½ Qᵀ solves.
func TestModalDampingSolvesItsEquation(t *testing.T) {
	r := testkit.Rand(t)
	for _, n := range []int{1, 2, 7, 13} {
		design := NewModalDamping(n)
		for range 50 {
			m, k, zeta := randomInertia(n, r.NormFloat64), make([]float64, n), make([]float64, n)
			for i := range k {
				k[i], zeta[i] = 500*r.Float64(), 0.7
			}
			if n > 2 {
				k[1] = 0 // a joint without a spring
			}
			if !design.Design(m, k, zeta) {
				t.Fatal("no design")
			}
			d, l := design.Matrix(), append([]float64(nil), m...)
			cholesky(l, n)
			got, want := make([]float64, n*n), make([]float64, n*n)
			solved := make([]float64, n)
			for j := range n {
				copy(solved, d[j*n:(j+1)*n]) // a column: D is symmetric
				choleskySolve(l, solved)
				for i := range n {
					for h := range n {
						got[i*n+j] += d[i*n+h] * solved[h]
					}
				}
				want[j*n+j] = 4 * 0.49 * k[j]
			}
			testkit.AllNear(t, "D M⁻¹ D", got, want, 1e-4)
		}
	}
}

// A single joint has the textbook's damping; uncoupled joints have it each, with their own ratios.
func TestModalDampingOfUncoupledJoints(t *testing.T) {
	d := NewModalDamping(2)
	if !d.Design([]float64{4, 0, 0, 9}, []float64{100, 25}, []float64{0.5, 1}) {
		t.Fatal("no design")
	}
	testkit.AllNear(t, "D", d.Matrix(), []float64{2 * 0.5 * 20, 0, 0, 2 * 15}, 1e-12)
}

// Inertia and stiffness that change a little in each step, for long: the modes that are kept do not drift.
func TestModalDampingDoesNotDrift(t *testing.T) {
	r := testkit.Rand(t)
	const n = 7
	old := NewModalDamping(n)
	a, b := randomInertia(n, r.NormFloat64), randomInertia(n, r.NormFloat64)
	m, k, zeta := make([]float64, n*n), make([]float64, n), make([]float64, n)
	for i := range k {
		k[i], zeta[i] = 600, 0.7
	}
	for step := range 20_000 {
		w := 0.5 + 0.5*math.Sin(float64(step)/1000)
		for i := range m {
			m[i] = w*a[i] + (1-w)*b[i]
		}
		old.Design(m, k, zeta)
	}
	fresh := NewModalDamping(n)
	fresh.Design(m, k, zeta)
	testkit.AllNear(t, "D after 20,000 steps", old.Matrix(), fresh.Matrix(), 1e-8)
}

func TestModalDampingRejectsAndAllocatesNothing(t *testing.T) {
	d := NewModalDamping(2)
	k, zeta := []float64{1, 1}, []float64{1, 1}
	for _, bad := range [][]float64{{0, 0, 0, 0}, {1, 2, 2, 1}, {1, 0, 0, math.NaN()}} {
		if d.Design(bad, k, zeta) || d.Matrix()[0] != 0 {
			t.Errorf("%v was taken", bad)
		}
	}
	m := []float64{2, 1, 1, 3}
	testkit.NoAllocs(t, 1000, func() { m[0] += 0.001; d.Design(m, k, zeta) })
}

func BenchmarkModalDamping(b *testing.B) {
	const n = 7
	d := NewModalDamping(n)
	x := uint64(1)
	m := randomInertia(n, func() float64 { x = x*6364136223846793005 + 1442695040888963407; return float64(x>>11)/(1<<52) - 1 })
	k, zeta := make([]float64, n), make([]float64, n)
	for i := range k {
		k[i], zeta[i] = 600, 0.7
	}
	for b.Loop() {
		m[0] += 1e-6
		d.Design(m, k, zeta)
	}
}
