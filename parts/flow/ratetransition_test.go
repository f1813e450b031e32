package flow

import (
	"fmt"
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
)

// slow writes f at every fifth step, at the time of that step in seconds.
const slow = 5

func slowly(f func(float64) float64) *source {
	return &source{next: func(k int) []float64 {
		if k%slow != 0 {
			return nil
		}
		return []float64{f(at(k))}
	}}
}

func at(k int) float64 { return float64(k) * period.Seconds() }

// TestRateTransitionReproducesPolynomials checks the signals that each interpolation reproduces without error, except
// for its delay.
func TestRateTransitionReproducesPolynomials(t *testing.T) {
	for name, c := range map[string]struct {
		delay int // in slow periods
		f     func(float64) float64
	}{
		"linear": {1, func(x float64) float64 { return 3 - 2*x }},
		"cubic":  {2, func(x float64) float64 { return 1 + x - 5*x*x }},
	} {
		r := newRig(t)
		rate := RateTransition{Interpolation: block.NewConst(name), Period: block.NewConst(slow * period.Seconds())}
		r.add("src", slowly(c.f))
		r.add("rate", &rate, "src.out -> rate.in")
		r.run(100, func(k int) {
			if k < 4*slow {
				return // earlier values are not known yet
			}
			testkit.Near(t, fmt.Sprintf("%s, step %d", name, k), rate.Out.Value()[0], c.f(at(k-c.delay*slow)), 1e-12)
		})
	}
}

func TestRateTransitionHolds(t *testing.T) {
	r := newRig(t)
	rate := RateTransition{Interpolation: block.NewConst("hold"), Period: block.NewConst(slow * period.Seconds())}
	r.add("src", slowly(math.Exp))
	r.add("rate", &rate, "src.out -> rate.in")
	r.run(50, func(k int) { check(t, k, rate.Out.Value(), []float64{math.Exp(at(k - k%slow))}) })
}

// A cubic has no kinks: its second difference stays small where that of a line jumps.
func TestCubicHasNoKinks(t *testing.T) {
	kink := func(name string) (worst float64) {
		r := newRig(t)
		rate := RateTransition{Interpolation: block.NewConst(name), Period: block.NewConst(slow * period.Seconds())}
		r.add("src", slowly(func(x float64) float64 { return math.Sin(10 * x) }))
		r.add("rate", &rate, "src.out -> rate.in")
		var y [3]float64
		r.run(300, func(k int) {
			y[0], y[1], y[2] = y[1], y[2], rate.Out.Value()[0]
			if k > 4*slow {
				worst = max(worst, math.Abs(y[0]-2*y[1]+y[2]))
			}
		})
		return worst
	}
	if linear, cubic := kink("linear"), kink("cubic"); cubic > 0.7*linear {
		t.Errorf("greatest second difference: linear %g, cubic %g", linear, cubic)
	}
}

// A source that stops leaves the output at the end of the curve, with every interpolation.
func TestRateTransitionRestsWhenOverdue(t *testing.T) {
	for _, name := range []string{"hold", "linear", "cubic"} {
		r := newRig(t)
		rate := RateTransition{Interpolation: block.NewConst(name), Period: block.NewConst(slow * period.Seconds())}
		src := &source{next: func(k int) []float64 {
			if k%slow != 0 || k > 20 {
				return nil
			}
			return []float64{min(float64(k), 10)} // 0 5 10 10 10
		}}
		r.add("src", src)
		r.add("rate", &rate, "src.out -> rate.in")
		r.run(100, func(k int) {
			if k > 40 {
				testkit.Near(t, fmt.Sprintf("%s, step %d", name, k), rate.Out.Value()[0], 10, 1e-12)
			}
		})
	}
}
