package control

// Differentiator estimates a velocity from sampled positions: the difference quotient of two samples behind a
// first-order low pass, which takes out the steps that the resolution of an encoder puts into it.
//
//	v[k] = v[k-1] + a ( (x[k]-x[k-1])/h - v[k-1] )
//
// The first sample gives velocity 0. Make one with NewDifferentiator.
type Differentiator struct {
	h       float64
	filter  LowPass
	x1      float64
	started bool
}

// NewDifferentiator returns a differentiator for samples that come every h seconds, smoothed with the cutoff
// frequency fc in Hz. The higher fc, the less delay (about 1/(2π fc) seconds) and the more noise. It panics unless both are
// positive and finite.
func NewDifferentiator(fc, h float64) Differentiator {
	d := Differentiator{h: h, filter: NewLowPass(fc, h)}
	d.Reset()
	return d
}

// Step returns the velocity, in units of x per second, after the position x. A sample that is not finite is left out:
// Step returns the previous velocity and false.
func (d *Differentiator) Step(x float64) (v float64, ok bool) {
	if !finite(x) {
		return d.filter.y, false
	}
	if !d.started {
		d.x1, d.started = x, true
		return d.filter.y, true
	}
	v, ok = d.filter.Step((x - d.x1) / d.h)
	if ok {
		d.x1 = x
	}
	return v, ok
}

// Reset forgets the past: the next sample counts as a position at rest.
func (d *Differentiator) Reset() {
	d.filter.y, d.filter.started = 0, true
	d.x1, d.started = 0, false
}
