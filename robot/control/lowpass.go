package control

import "math"

// LowPass is a first-order low pass, the exact sampled form (zero-order hold) of 1/(1 + s/(2πfc)):
//
//	y[k] = y[k-1] + a (x[k] - y[k-1]),  a = 1 - exp(-2π fc h)
//
// The first sample becomes the output at once, so the filter starts without a transient. Make one with NewLowPass.
type LowPass struct {
	a       float64
	y       float64
	started bool
}

// NewLowPass returns a low pass with the cutoff frequency fc (−3 dB) in Hz for samples that come every h seconds.
// It panics unless both are positive and finite.
func NewLowPass(fc, h float64) LowPass {
	mustBePositive("LowPass", "cutoff frequency", fc)
	mustBePositive("LowPass", "sampling period", h)
	return LowPass{a: -math.Expm1(-2 * math.Pi * fc * h)}
}

// Step returns the filtered value after the sample x. A sample that is not finite is left out: Step returns the
// previous value and false.
func (f *LowPass) Step(x float64) (y float64, ok bool) {
	if !finite(x) {
		return f.y, false
	}
	if !f.started {
		f.y, f.started = x, true
		return x, true
	}
	f.y += f.a * (x - f.y)
	return f.y, true
}

// Reset forgets the past: the next sample becomes the output.
func (f *LowPass) Reset() { f.y, f.started = 0, false }
