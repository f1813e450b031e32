package control

import "math"

// LowPass is a first-order low pass, the exact sampled form (zero-order hold) of 1/(1 + s/(2πfc)):
//
//	y[k] = y[k-1] + a (x[k] - y[k-1]),  a = 1 - exp(-2π fc h)
//
// h is the time that passed since the sample before, so a missed sample does not change the filter. The first sample becomes
// the output at once, so the filter starts without a transient. Make one with NewLowPass.
type LowPass struct {
	fc      float64
	h, a    float64 // the last period, and the factor for it
	y       float64
	started bool
}

// NewLowPass returns a low pass with the cutoff frequency fc (−3 dB) in Hz. It panics unless fc is positive and finite.
func NewLowPass(fc float64) LowPass {
	mustBePositive("LowPass", "cutoff frequency", fc)
	return LowPass{fc: fc}
}

// Step returns the filtered value after the sample x, which comes h seconds after the previous one. A sample that is not
// finite, or a time that is not finite or negative, is left out: Step returns the previous value and false.
func (f *LowPass) Step(x, h float64) (y float64, ok bool) {
	if !finite(x) || !finite(h) || h < 0 {
		return f.y, false
	}
	if !f.started {
		f.y, f.started = x, true
		return x, true
	}
	if h != f.h {
		f.h, f.a = h, -math.Expm1(-2*math.Pi*f.fc*h)
	}
	f.y += f.a * (x - f.y)
	return f.y, true
}

// Cutoff changes the cutoff frequency to fc in Hz from the next sample on; the output does not jump. It panics unless fc is
// positive and finite.
func (f *LowPass) Cutoff(fc float64) {
	mustBePositive("LowPass", "cutoff frequency", fc)
	if fc != f.fc {
		f.fc, f.h, f.a = fc, 0, 0
	}
}

// Reset forgets the past: the next sample becomes the output.
func (f *LowPass) Reset() { f.y, f.started = 0, false }
