package control

import "math"

// Butterworth is a second-order Butterworth low pass: maximally flat up to its cutoff frequency, −12 dB per octave
// above it. It is the bilinear transform of 1/(s² + √2 s + 1) with the cutoff frequency prewarped:
//
//	y[k] = b0 x[k] + b1 x[k-1] + b2 x[k-2] - a1 y[k-1] - a2 y[k-2]
//
// in transposed direct form II, which loses the fewest digits. The first sample sets the state to the equilibrium for
// that value, so the filter starts without a transient. Make one with NewButterworth.
//
// A. V. Oppenheim, R. W. Schafer, Discrete-Time Signal Processing, 3rd ed. 2010, sections 6.3 and 7.2.
type Butterworth struct {
	b0, b1, b2, a1, a2 float64

	s1, s2  float64 // the two delays
	y       float64 // last output
	started bool
}

// NewButterworth returns a filter with the cutoff frequency fc (−3 dB) in Hz for samples that come every h seconds.
// It panics unless both are positive and fc is below half the sampling frequency.
func NewButterworth(fc, h float64) Butterworth {
	mustBePositive("Butterworth", "cutoff frequency", fc)
	mustBePositive("Butterworth", "sampling period", h)
	if fc*h >= 0.5 {
		panic("control: Butterworth: cutoff frequency must be below half the sampling frequency")
	}
	w := math.Tan(math.Pi * fc * h)
	norm := 1 / (1 + math.Sqrt2*w + w*w)
	b := w * w * norm
	return Butterworth{
		b0: b, b1: 2 * b, b2: b,
		a1: 2 * (w*w - 1) * norm,
		a2: (1 - math.Sqrt2*w + w*w) * norm,
	}
}

// Step returns the filtered value after the sample x. A sample that is not finite is left out: Step returns the
// previous value and false.
func (f *Butterworth) Step(x float64) (y float64, ok bool) {
	if !finite(x) {
		return f.y, false
	}
	if !f.started {
		f.s1, f.s2, f.started = (1-f.b0)*x, (f.b2-f.a2)*x, true
	}
	f.y = f.b0*x + f.s1
	f.s1 = f.b1*x - f.a1*f.y + f.s2
	f.s2 = f.b2*x - f.a2*f.y
	return f.y, true
}

// Reset forgets the past: the next sample becomes the output.
func (f *Butterworth) Reset() { f.s1, f.s2, f.y, f.started = 0, 0, 0, false }
