package control

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// Responses to a unit step at time 0 in closed form.
var stepResponses = map[string]struct {
	num, den []float64
	y        func(t float64) float64
}{
	"lag 1/(2s+1)":     {[]float64{1}, []float64{2, 1}, func(t float64) float64 { return 1 - math.Exp(-t/2) }},
	"lead (s+2)/(s+5)": {[]float64{1, 2}, []float64{1, 5}, func(t float64) float64 { return 0.4 + 0.6*math.Exp(-5*t) }},
	"gain":             {[]float64{3}, []float64{2}, func(float64) float64 { return 1.5 }},
	"integrator":       {[]float64{4}, []float64{1, 0}, func(t float64) float64 { return 4 * t }},
	"two integrators":  {[]float64{0, 0, 2}, []float64{1, 0, 0}, func(t float64) float64 { return t * t }},
	"mass on a spring, 100 rad/s, damping ratio 0.1": {[]float64{1e4}, []float64{1, 20, 1e4}, func(t float64) float64 {
		wd := 100 * math.Sqrt(0.99)
		return 1 - math.Exp(-10*t)*(math.Cos(wd*t)+10/wd*math.Sin(wd*t))
	}},
	"unstable 1/(s-1)": {[]float64{1}, []float64{1, -1}, func(t float64) float64 { return math.Expm1(t) }},
	"ten lags 1/(s+1)¹⁰": {[]float64{1}, []float64{1, 10, 45, 120, 210, 252, 210, 120, 45, 10, 1}, func(t float64) float64 {
		sum, term := 0.0, 1.0
		for k := range 10 {
			if k > 0 {
				term *= t / float64(k)
			}
			sum += term
		}
		return 1 - math.Exp(-t)*sum
	}},
}

// The response to a held input is exact at the samples, for every period, also when samples are missed.
func TestTransferFunctionIsExactForHeldInputs(t *testing.T) {
	r := testkit.Rand(t)
	for name, c := range stepResponses {
		for _, period := range []float64{0.001, 0.05, 0.7} {
			f, err := NewTransferFunction(c.num, c.den)
			if err != nil {
				t.Fatal(err)
			}
			now := 0.0
			for k := range 40 {
				h := period * float64(1+k%5/4*r.IntN(3)) // some come late
				if k > 0 {
					now += h
				}
				y, ok := f.Step(1, h)
				if want := c.y(now); !ok || math.Abs(y-want) > 1e-9*max(1, math.Abs(want)) {
					t.Fatalf("%s, period %v s: %v at %v s, expected %v", name, period, y, now, want)
				}
			}
		}
	}
}

// A sampled system is its difference equation.
func TestSampledTransferFunctionIsItsDifferenceEquation(t *testing.T) {
	r := testkit.Rand(t)
	f, err := NewSampledTransferFunction([]float64{2, 1, -0.2}, []float64{2, -1, 0.3})
	if err != nil {
		t.Fatal(err)
	}
	var u1, u2, y1, y2 float64
	for range 200 {
		u := r.NormFloat64()
		want := (2*u + u1 - 0.2*u2 + y1 - 0.3*y2) / 2
		y, _ := f.Step(u, 123)
		testkit.Near(t, "y", y, want, 1e-12)
		u1, u2, y1, y2 = u, u1, want, y1
	}
	f.Reset()
	if y, _ := f.Step(1, 0); y != 1 {
		t.Errorf("after Reset the first output is %v, expected 1", y)
	}
}

func TestTransferFunctionLeavesOutBadSamples(t *testing.T) {
	f, _ := NewTransferFunction([]float64{1}, []float64{1, 0})
	f.Step(1, 0.1)
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		if y, ok := f.Step(bad, 0.1); ok || y != 0 {
			t.Errorf("%v gave %v, %v", bad, y, ok)
		}
	}
	y, _ := f.Step(1, 0.1)
	testkit.Near(t, "after 0.3 s, two samples of which were bad", y, 0.3, 1e-12)
	unstable, _ := NewTransferFunction([]float64{1}, []float64{1, -1000})
	for range 100 {
		if y, _ := unstable.Step(1, 1); !finite(y) {
			t.Fatalf("an unstable system gave %v", y)
		}
	}
}

func TestTransferFunctionRejects(t *testing.T) {
	for want, c := range map[string][2][]float64{
		"no coefficient that is not 0": {{1}, {0, 0}},
		"has no coefficients":          {{}, {1}},
		"higher degree":                {{1, 0, 0}, {1, 1}},
		"degree 21":                    {{1}, append([]float64{1}, make([]float64, 21)...)},
		"not a finite number":          {{1}, {1, math.NaN()}},
	} {
		_, err := NewTransferFunction(c[0], c[1])
		_, sampled := NewSampledTransferFunction(c[0], c[1])
		for _, err := range []error{err, sampled} {
			if !strings.Contains(fmt.Sprint(err), want) {
				t.Errorf("%v/%v: got %v, expected %q", c[0], c[1], err, want)
			}
		}
	}
}

// A sample that is missed leaves a ramp's velocity as it is.
func TestDifferentiatorHasNoSpikeAfterAMissedSample(t *testing.T) {
	d := NewDifferentiator(50)
	now := 0.0
	for k := range 100 {
		h := 0.001
		if k == 80 {
			h = 0.004
		}
		now += h
		if v, _ := d.Step(2*now, h); k > 60 {
			testkit.Near(t, "velocity", v, 2, 1e-6)
		}
	}
}

// Two low passes of 1 kHz, one of which misses samples of a constant, stay together.
func TestLowPassDependsOnTimeAlone(t *testing.T) {
	every, some := NewLowPass(5), NewLowPass(5)
	every.Step(0, 0.001)
	some.Step(0, 0.001)
	for range 30 {
		var a float64
		for range 3 {
			a, _ = every.Step(1, 0.001)
		}
		b, _ := some.Step(1, 0.003)
		testkit.Near(t, "y", b, a, 1e-12)
	}
}

func TestRateLimiterFallsAtItsOwnRate(t *testing.T) {
	r := RateLimiter{Rate: 2, Fall: 5}
	r.Step(0, 0.1)
	if y, _ := r.Step(9, 0.1); y != 0.2 {
		t.Errorf("rises to %v", y)
	}
	if y, _ := r.Step(-9, 0.1); y != -0.3 {
		t.Errorf("falls to %v", y)
	}
}
