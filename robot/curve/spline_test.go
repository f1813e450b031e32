package curve

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"pgregory.net/rapid"
)

// drawTimes draws ascending times, with intervals that differ by a factor of up to 20.
func drawTimes(t *rapid.T, n int) []float64 {
	times := []float64{rapid.Float64Range(-3, 3).Draw(t, "first")}
	for len(times) < n {
		times = append(times, times[len(times)-1]+rapid.Float64Range(0.1, 2).Draw(t, "interval"))
	}
	return times
}

// smoothTo fails if a derivative up to the order jumps, by the measure of its size and of the shortest piece.
func smoothTo(t *rapid.T, p Piecewise, order int) {
	lower, upper := p.Domain()
	shortest := upper - lower
	for i := 1; i < len(p.knots); i++ {
		shortest = min(shortest, p.knots[i]-p.knots[i-1])
	}
	for k := 0; k <= order; k++ {
		r := p.Range(k, lower, upper)
		if at, size := p.Jump(k); size > 1e-8*(1+max(r.Max, -r.Min)+math.Pow(shortest, -float64(k))) {
			t.Fatalf("derivative %d jumps by %v at %v", k, size, at)
		}
	}
}

func TestSplinesAreSmoothThroughTheirPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 3).Draw(t, "k")
		n := rapid.IntRange(k+1, 8).Draw(t, "points")
		value := rapid.Float64Range(-5, 5)
		x, y := drawTimes(t, n), rapid.SliceOfN(value, n, n).Draw(t, "y")
		start, end := rapid.SliceOfN(value, k, k).Draw(t, "start"), rapid.SliceOfN(value, k, k).Draw(t, "end")
		for name, p := range map[string]Piecewise{"clamped": Spline(x, y, start, end), "natural": NaturalSpline(2*k+1, x, y)} {
			for i := range x {
				if !close(p.At(x[i], 0), y[i], 1e-9) {
					t.Fatalf("%s: passes %v at %v, want %v", name, p.At(x[i], 0), x[i], y[i])
				}
			}
			smoothTo(t, p, 2*k)
			lower, upper := p.Domain()
			for j := range k {
				if name == "clamped" && (!close(p.At(lower, j+1), start[j], 1e-9) || !close(p.At(upper, j+1), end[j], 1e-7)) {
					t.Fatalf("derivative %d at the ends: %v, %v; want %v, %v", j+1, p.At(lower, j+1), p.At(upper, j+1), start[j], end[j])
				}
				r := p.Range(k+1+j, lower, upper)
				if tol := 1e-7 * (1 + r.Max - r.Min + math.Pow(0.1, -float64(k+1+j))); name == "natural" && max(math.Abs(p.At(lower, k+1+j)), math.Abs(p.At(upper, k+1+j))) > tol {
					t.Fatalf("free derivative %d at the ends: %v, %v", k+1+j, p.At(lower, k+1+j), p.At(upper, k+1+j))
				}
			}
		}
	})
}

// A spline reproduces a polynomial of its own degree.
func TestSplineReproducesPolynomials(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 2).Draw(t, "k")
		x := drawTimes(t, rapid.IntRange(2, 6).Draw(t, "points"))
		p := NewPolynomial(0, 1, rapid.SliceOfN(rapid.Float64Range(-1, 1), 2*k+2, 2*k+2).Draw(t, "c")...)
		y, start, end := make([]float64, len(x)), make([]float64, k), make([]float64, k)
		for i := range x {
			y[i] = p.At(x[i], 0)
		}
		for j := range k {
			start[j], end[j] = p.At(x[0], j+1), p.At(x[len(x)-1], j+1)
		}
		s := Spline(x, y, start, end)
		for u := 0.0; u <= 1; u += 0.05 {
			at := x[0] + u*(x[len(x)-1]-x[0])
			if !close(s.At(at, 0), p.At(at, 0), 1e-6*(1+math.Pow(math.Abs(at)+3, 4))) {
				t.Fatalf("at %v: %v, want %v", at, s.At(at, 0), p.At(at, 0))
			}
		}
	})
}

// The natural cubic spline through (0,0), (1,1), (2,0): second derivative -3 in the middle.
func TestNaturalCubicMatchesACalculationByHand(t *testing.T) {
	s := NaturalSpline(3, []float64{0, 1, 2}, []float64{0, 1, 0})
	testkit.Near(t, "curvature in the middle", s.At(1, 2), -3, 1e-12)
	testkit.Near(t, "slope at the start", s.At(0, 1), 1.5, 1e-12)
	testkit.Near(t, "value at 1/2", s.At(0.5, 0), 0.6875, 1e-12)
}

// B-splines: partition of unity, linear precision by Greville's abscissae, continuity, convex hull.
func TestBSplinesStayInTheHullOfTheirControlValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		degree := rapid.IntRange(1, 5).Draw(t, "degree")
		n := degree + rapid.IntRange(1, 6).Draw(t, "more")
		knots := drawTimes(t, n+degree+1)
		control := rapid.SliceOfN(rapid.Float64Range(-2, 2), n, n).Draw(t, "control")
		s := BSpline(degree, knots, control)
		smoothTo(t, s, degree-1)
		lower, upper := s.Domain()
		if q := s.Range(0, lower, upper); q.Max > 2+1e-9 || q.Min < -2-1e-9 {
			t.Fatalf("leaves the range of its control values: %+v", q)
		}
		ones, greville := make([]float64, n), make([]float64, n)
		for i := range n {
			ones[i] = 1
			for k := 1; k <= degree; k++ {
				greville[i] += knots[i+k] / float64(degree)
			}
		}
		one, identity := BSpline(degree, knots, ones), BSpline(degree, knots, greville)
		for u := 0.0; u <= 1; u += 0.1 {
			x := lower + u*(upper-lower)
			if !close(one.At(x, 0), 1, 1e-9) || !close(identity.At(x, 0), x, 1e-8) {
				t.Fatalf("at %v: Σ B = %v, Σ ξ B = %v", x, one.At(x, 0), identity.At(x, 0))
			}
		}
	})
	bezier := UniformBSpline(3, 0, 1, []float64{0, 0, 1, 1}) // 3 s² - 2 s³
	testkit.Near(t, "Bézier curve", bezier.At(0.25, 0), 3.0/16-2.0/64, 1e-14)
	testkit.Near(t, "its end", UniformBSpline(2, 0, 3, []float64{5, 1, 2, 3, 7}).At(3, 0), 7, 1e-12)
}
