package control

// Differentiator estimates a velocity from sampled positions: the difference quotient of two samples behind a
// first-order low pass, which takes out the steps that the resolution of an encoder puts into it.
//
//	v[k] = v[k-1] + a ( (x[k]-x[k-1])/h - v[k-1] ),  a = 1 - exp(-2π fc h)
//
// h is the time that passed between the two samples: a missed sample gives no spike. The first sample gives velocity 0. Make
// one with NewDifferentiator.
type Differentiator struct {
	filter  LowPass
	x1      float64
	started bool
}

// NewDifferentiator returns a differentiator smoothed with the cutoff frequency fc in Hz. The higher fc, the less delay
// (about 1/(2π fc) seconds) and the more noise. It panics unless fc is positive and finite.
func NewDifferentiator(fc float64) Differentiator {
	d := Differentiator{filter: NewLowPass(fc)}
	d.Reset()
	return d
}

// Step returns the velocity, in units of x per second, after the position x, which comes h seconds after the previous one. A
// sample that is not finite, or comes no time after the previous one, is left out: Step returns the previous velocity and
// false.
func (d *Differentiator) Step(x, h float64) (v float64, ok bool) {
	if !finite(x) {
		return d.filter.y, false
	}
	if !d.started {
		d.x1, d.started = x, true
		return d.filter.y, true
	}
	if !(h > 0) {
		return d.filter.y, false
	}
	v, ok = d.filter.Step((x-d.x1)/h, h)
	if ok {
		d.x1 = x
	}
	return v, ok
}

// Cutoff changes the cutoff frequency to fc in Hz from the next sample on. It panics unless fc is positive and finite.
func (d *Differentiator) Cutoff(fc float64) { d.filter.Cutoff(fc) }

// Reset forgets the past: the next sample counts as a position at rest.
func (d *Differentiator) Reset() {
	d.filter.y, d.filter.started = 0, true
	d.x1, d.started = 0, false
}
