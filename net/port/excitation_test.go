package port

import (
	"math"
	"testing"
)

// octaveSweep holds values by time, made by GNU Octave 7.3, which integrated the frequency numerically:
//
//	f0=0.5; f1=20; T=10; k=log(f1/f0); for t=[1 2.5 5 7.5 9.999] sin(2*pi*quadgk(@(s) f0*exp(k*s/T), 0, t, 'RelTol',1e-13)), end
var octaveSweep = map[float64]float64{0: 0, 1: -0.611365801, 2.5: 0.328601468, 5: 0.978627718, 7.5: 0.957029366, 9.999: -0.838951050}

func TestSweepHasTheIntegralOfItsFrequencyAsPhase(t *testing.T) {
	e := Excitation{Shape: Sweep, Centre: 1, Amplitude: 2, Duration: 10, From: 0.5, To: 20}
	for at, want := range octaveSweep {
		if got := e.At(at); math.Abs(got-1-2*want) > 1e-6 {
			t.Errorf("at %v s: %v, not %v", at, got, 1+2*want)
		}
	}
	constant := Excitation{Shape: Sweep, Amplitude: 1, Duration: 10, From: 2, To: 2}
	if got := constant.At(0.125); math.Abs(got-1) > 1e-12 {
		t.Errorf("a quarter of a period of a sine is %v", got)
	}
}

func TestNoiseIsUniformWhiteAndBounded(t *testing.T) {
	e := Excitation{Shape: Noise, Amplitude: 3, Duration: 60, To: 500}
	const n = 50_000
	var mean, power, next float64
	for k := range n {
		x, y := e.At(float64(k)/1000), e.At(float64(k+1)/1000)
		if math.Abs(x) > 3 {
			t.Fatalf("value %v", x)
		}
		mean, power, next = mean+x/n, power+x*x/n, next+x*y/n
	}
	if math.Abs(mean) > 0.05 || math.Abs(power-3) > 0.1 || math.Abs(next) > 0.1 { // the variance of a uniform number is A²/3
		t.Errorf("mean %v, power %v, correlation %v", mean, power, next)
	}
}

func TestStepRestsForATenth(t *testing.T) {
	e := Excitation{Shape: Step, Centre: 1, Amplitude: -2, Duration: 10}
	if e.At(0) != 1 || e.At(0.999) != 1 || e.At(1) != -1 || e.At(9) != -1 {
		t.Errorf("%v %v %v", e.At(0), e.At(1), e.At(9))
	}
}
