package control

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// gain drives a filter with a sine of frequency f until it has settled and returns amplitude and phase (rad).
func gain(step func(x, h float64) (float64, bool), f, h float64) (amplitude, phase float64) {
	const settle, periods = 20, 10
	var sum complex128
	n := int(math.Round(periods / (f * h)))
	skip := int(settle / (f * h))
	for k := range skip + n {
		w := 2 * math.Pi * f * h * float64(k)
		y, _ := step(math.Sin(w), h)
		if k >= skip {
			sum += complex(y, 0) * cmplx.Exp(complex(0, -w))
		}
	}
	sum *= complex(0, 2/float64(n))
	return cmplx.Abs(sum), cmplx.Phase(sum)
}

func TestLowPassHasItsFrequencyResponse(t *testing.T) {
	const h = 1e-4
	for _, c := range []struct{ f, want float64 }{{1, 0.995}, {10, 1 / math.Sqrt2}, {100, 0.0995}} {
		p := NewLowPass(10)
		if a, _ := gain(p.Step, c.f, h); math.Abs(a-c.want) > 0.005 {
			t.Errorf("low pass 10 Hz at %v Hz: gain %.4f, want %.4f", c.f, a, c.want)
		}
	}
}

// |H| of an n-th order Butterworth filter is 1/√(1 + (f/fc)^2n), here with the bilinear transform's warped frequency.
func TestButterworthHasItsFrequencyResponse(t *testing.T) {
	const h, fc = 1e-3, 20.0
	for _, f := range []float64{1, 5, 20, 50, 125, 250} {
		b := NewButterworth(fc, h)
		r := math.Tan(math.Pi*f*h) / math.Tan(math.Pi*fc*h)
		want := 1 / math.Sqrt(1+r*r*r*r)
		if a, _ := gain(func(x, _ float64) (float64, bool) { return b.Step(x) }, f, h); math.Abs(a-want) > 1e-4 {
			t.Errorf("at %v Hz: gain %.6f, want %.6f", f, a, want)
		}
	}
}

func TestFiltersStartWithoutTransient(t *testing.T) {
	low, butter := NewLowPass(3), NewButterworth(3, 0.01)
	rate := RateLimiter{Rate: 1}
	for range 100 {
		a, _ := low.Step(-2.5, 0.01)
		b, _ := butter.Step(-2.5)
		c, _ := rate.Step(-2.5, 0.01)
		if math.Abs(a+2.5) > 1e-12 || math.Abs(b+2.5) > 1e-12 || c != -2.5 {
			t.Fatalf("constant -2.5 came out as %v, %v, %v", a, b, c)
		}
	}
}

func TestDifferentiatorReturnsTheSlopeOfRampAndSine(t *testing.T) {
	const h = 0.001
	d := NewDifferentiator(50)
	var v float64
	for k := range 1000 {
		v, _ = d.Step(3-0.7*float64(k)*h, h)
	}
	if math.Abs(v+0.7) > 1e-9 {
		t.Errorf("ramp of -0.7/s: velocity %v", v)
	}
	d = NewDifferentiator(50)
	if a, _ := gain(d.Step, 1, h); math.Abs(a-2*math.Pi) > 0.01 {
		t.Errorf("sine of 1 Hz: velocity amplitude %v, want 2π", a)
	}
}

func TestRateLimiterLimitsTheSlopeBothWays(t *testing.T) {
	r := RateLimiter{Rate: 2}
	r.Step(0, 0.1)
	for k := range 5 {
		if y, _ := r.Step(1, 0.1); math.Abs(y-min(1, 0.2*float64(k+1))) > 1e-12 {
			t.Errorf("step %d: %v", k, y)
		}
	}
	if y, _ := r.Step(-9, 0.1); math.Abs(y-0.8) > 1e-12 {
		t.Errorf("down: %v", y)
	}
}

// Bad samples leave no trace in any law.
func TestFiltersIgnoreBadSamples(t *testing.T) {
	low, butter, diff := NewLowPass(3), NewButterworth(3, 0.01), NewDifferentiator(3)
	rate := RateLimiter{Rate: 5}
	laws := map[string]func(float64) (float64, bool){
		"Butterworth":    butter.Step,
		"LowPass":        func(x float64) (float64, bool) { return low.Step(x, 0.01) },
		"Differentiator": func(x float64) (float64, bool) { return diff.Step(x, 0.01) },
		"RateLimiter":    func(x float64) (float64, bool) { return rate.Step(x, 0.01) },
	}
	for name, step := range laws {
		if _, ok := step(math.NaN()); ok {
			t.Errorf("%s: took NaN as its first sample", name)
		}
		step(1)
		last, _ := step(2)
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			if y, ok := step(bad); ok || y != last {
				t.Errorf("%s: %v gave %v, %v; want %v, false", name, bad, y, ok, last)
			}
		}
		if y, ok := step(2); !ok || !finite(y) {
			t.Errorf("%s: after bad samples %v, %v", name, y, ok)
		}
	}
}

func TestWrongTuningPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"cutoff 0":              func() { NewLowPass(0) },
		"cutoff NaN":            func() { NewLowPass(math.NaN()) },
		"above Nyquist":         func() { NewButterworth(50, 0.01) },
		"sigma negative":        func() { NewPositionKalman(1, -1, 1) },
		"no states":             func() { NewKalman(0, 0, 1) },
		"wrong length":          func() { NewKalman(2, 1, 1).Predict(nil) },
		"bits":                  func() { NewUnwrapper(65) },
		"differentiator cutoff": func() { NewDifferentiator(math.Inf(1)) },
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

// No law allocates in its step.
func TestStepsAllocateNothing(t *testing.T) {
	pid := PID{Kp: 1, Ki: 1, Kd: 1, UMin: -1, UMax: 1}
	low, butter, diff := NewLowPass(3), NewButterworth(3, 0.01), NewDifferentiator(3)
	lag, _ := NewTransferFunction([]float64{1, 2}, []float64{1, 2, 3, 4})
	pk, kf, rate, count := NewPositionKalman(1, 1, 0.01), NewKalman(4, 1, 2), RateLimiter{Rate: 1}, NewUnwrapper(16)
	for i := range kf.R {
		kf.R[i] = float64((i + 1) % 2)
	}
	kf.R[3] = 1
	u, z := []float64{1}, []float64{1, 2}
	steps := func() {
		for k := range 10000 {
			x := float64(k % 17)
			pid.Step(x)
			low.Step(x, 0.01)
			butter.Step(x)
			diff.Step(x, 0.01)
			pk.Step(x)
			rate.Step(x, 0.01)
			lag.Step(x, 0.01*float64(1+k%2)) // discretized in each step
			count.Step(uint64(k))
			kf.Predict(u)
			kf.Update(z)
		}
	}
	testkit.NoAllocs(t, 1, steps)
}
