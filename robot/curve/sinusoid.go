package curve

import "math"

// Sinusoid is a harmonic function, the coordinate of a point that runs around a circle at constant speed:
//
//	y(t) = offset + cos · cos φ + sin · sin φ,   φ = rate (t - lower)      on [lower, upper]
type Sinusoid struct {
	offset, cos, sin float64
	rate             float64 // dφ/dt, rad per unit of t
	lower, upper     float64
}

// NewSinusoid returns the function on [lower, upper]; it panics if the interval is reversed.
func NewSinusoid(lower, upper, offset, cos, sin, rate float64) Sinusoid {
	mustBeInterval("Sinusoid", lower, upper)
	return Sinusoid{offset, cos, sin, rate, lower, upper}
}

// Domain returns the interval of definition.
func (f Sinusoid) Domain() (lower, upper float64) { return f.lower, f.upper }

// At returns the derivative of the given order, of which there is no highest.
func (f Sinusoid) At(t float64, order int) float64 {
	if order < 0 {
		panic("curve: negative order of derivative")
	}
	s, c := math.Sincos(f.rate * (t - f.lower))
	var y float64
	switch order % 4 { // cos → -sin → -cos → sin
	case 0:
		y = f.cos*c + f.sin*s
	case 1:
		y = f.sin*c - f.cos*s
	case 2:
		y = -f.cos*c - f.sin*s
	case 3:
		y = f.cos*s - f.sin*c
	}
	for range order {
		y *= f.rate
	}
	if order == 0 {
		y += f.offset
	}
	return y
}

// Range returns the extremes on [lower, upper] of the derivative of the given order, from 0; they lie at the ends or at the crests. It panics
// if the order is negative or the interval reversed.
func (f Sinusoid) Range(order int, lower, upper float64) Range {
	mustBeInterval("Range", lower, upper)
	r := nothing(lower)
	r.include(lower, f.At(lower, order))
	r.include(upper, f.At(upper, order))
	if f.rate == 0 || f.cos == 0 && f.sin == 0 {
		return r
	}
	// Crests lie half a turn apart; of each kind the first in the interval is enough.
	crest := math.Atan2(f.sin, f.cos) - float64(order%4)*math.Pi/2
	half := math.Pi / math.Abs(f.rate)
	t := f.lower + crest/f.rate
	t += half * math.Ceil((lower-t)/half)
	for k := 0; k < 2 && t <= upper; k++ {
		if t >= lower {
			r.include(t, f.At(t, order))
		}
		t += half
	}
	return r
}

// Continuity returns MaxOrder: a sinusoid is smooth.
func (f Sinusoid) Continuity(float64) int { return MaxOrder }
