package curve

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"

	"pgregory.net/rapid"
)

func close(a, b, tol float64) bool { return math.Abs(a-b) <= tol*(1+math.Abs(a)+math.Abs(b)) }

// A polynomial built from boundary conditions of any order fulfils them.
func TestHermiteMeetsItsConditions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lower := rapid.Float64Range(-5, 5).Draw(t, "lower")
		T := rapid.Float64Range(0.05, 10).Draw(t, "T")
		value := rapid.Float64Range(-10, 10)
		start := rapid.SliceOfN(value, 0, 6).Draw(t, "start")
		end := rapid.SliceOfN(value, 0, 6).Draw(t, "end")
		if len(start)+len(end) == 0 {
			return
		}
		p := Hermite(lower, lower+T, start, end)
		_, upper := p.Domain()
		// Rounding errors are measured against the largest condition in the units of that derivative.
		largest := 1.0
		for k := range max(len(start), len(end)) {
			largest = max(largest, 10*math.Pow(T, float64(k)))
		}
		check := func(at float64, want []float64) {
			for k, w := range want {
				if g := p.At(at, k); math.Abs(g-w) > 1e-7*largest/math.Pow(T, float64(k)) {
					t.Fatalf("derivative %d at %v: %v, want %v", k, at, g, w)
				}
			}
		}
		check(lower, start)
		check(upper, end)
	})
}

// At(t, k) is the value of the k-th Derivative, and Derivative agrees with a difference quotient.
func TestAtReturnsTheValuesOfDerivative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SliceOfN(rapid.Float64Range(-3, 3), 0, 9).Draw(t, "c")
		p := NewPolynomial(-1, 2, c...)
		x := rapid.Float64Range(-1, 2).Draw(t, "x")
		d := p
		for k := range 12 {
			if a, b := p.At(x, k), d.At(x, 0); !close(a, b, 1e-9) {
				t.Fatalf("order %d at %v: %v and %v", k, x, a, b)
			}
			const h = 1e-6
			if q := (d.At(x+h, 0) - d.At(x-h, 0)) / (2 * h); math.Abs(q-d.At(x, 1)) > 1e-4*(1+math.Abs(d.At(x, 3))) && k < 3 {
				t.Fatalf("order %d at %v: difference quotient %v, derivative %v", k, x, q, d.At(x, 1))
			}
			d = d.Derivative()
		}
		if d.Degree() != -1 {
			t.Fatalf("degree %d after 12 derivatives of degree %d", d.Degree(), p.Degree())
		}
	})
}

func TestDegreeIsExact(t *testing.T) {
	for _, c := range []struct {
		c    []float64
		want int
	}{{nil, -1}, {[]float64{0, 0}, -1}, {[]float64{3}, 0}, {[]float64{1, 2, 0, 0}, 1}} {
		if got := NewPolynomial(0, 1, c.c...).Degree(); got != c.want {
			t.Errorf("degree of %v: %d, want %d", c.c, got, c.want)
		}
	}
}

// The rest-to-rest motion of Flash and Hogan: 10 s³ - 15 s⁴ + 6 s⁵, peak velocity 15/8 of the mean.
func TestMinimumJerkMatchesFlashAndHogan(t *testing.T) {
	p := MinimumJerk(2, State{Position: 1}, State{Position: 5})
	for s := 0.0; s <= 1; s += 0.125 {
		want := 1 + 4*(10*s*s*s-15*s*s*s*s+6*s*s*s*s*s)
		if got := p.At(2*s, 0); math.Abs(got-want) > 1e-12 {
			t.Errorf("s = %v: %v, want %v", s, got, want)
		}
	}
	if v := p.At(1, 1); math.Abs(v-15.0/8*2) > 1e-12 {
		t.Errorf("peak velocity %v, want 3.75", v)
	}
}

func TestPlanningAgainAllocatesNothing(t *testing.T) {
	var p Polynomial
	var sum float64
	work := func() {
		for k := range 1000 {
			p.SetMinimumJerk(1+float64(k%5), StateAt(&p, 0.3), State{Position: float64(k)})
			sum += p.At(0.5, 2)
		}
	}
	p.SetMinimumJerk(1, State{}, State{})
	testkit.NoAllocs(t, 1, work)
}

func TestMisusePanics(t *testing.T) {
	for name, f := range map[string]func(){
		"reversed":       func() { NewPolynomial(1, 0) },
		"NaN":            func() { NewPolynomial(math.NaN(), 0) },
		"no conditions":  func() { Hermite(0, 1, nil, nil) },
		"no time":        func() { MinimumJerk(0, State{}, State{Position: 1}) },
		"negative order": func() { NewPolynomial(0, 1, 1).At(0, -1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
