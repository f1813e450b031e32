package control

// PositionKalman estimates position and velocity of one axis from noisy positions. Its model is a mass that moves
// with constant velocity and is disturbed by a white acceleration:
//
//	p[k] = p[k-1] + h v[k-1] + h²/2 a        a ~ N(0, AccSigma²)
//	v[k] = v[k-1] + h a
//	z[k] = p[k] + n                          n ~ N(0, PosSigma²)
//
// The ratio AccSigma/PosSigma alone decides how quickly it follows. The first sample sets the position, with velocity
// 0 and a covariance that lets the next samples correct it freely. Make one with NewPositionKalman.
//
// Y. Bar-Shalom, X. R. Li, T. Kirubarajan, Estimation with Applications to Tracking and Navigation 2001, section 6.3.2.
type PositionKalman struct {
	h, q, r float64

	p, v          float64
	ppp, ppv, pvv float64 // covariance
	started       bool
}

// NewPositionKalman returns a filter for positions that come every h seconds. accSigma is the standard deviation of
// the unmodelled acceleration (units of position per s²), posSigma that of the measurement. For an encoder with
// resolution d, posSigma = d/√12. It panics unless all are positive and finite.
func NewPositionKalman(accSigma, posSigma, h float64) PositionKalman {
	mustBePositive("PositionKalman", "accSigma", accSigma)
	mustBePositive("PositionKalman", "posSigma", posSigma)
	mustBePositive("PositionKalman", "sampling period", h)
	return PositionKalman{h: h, q: accSigma * accSigma, r: posSigma * posSigma}
}

// Step returns position and velocity after the measured position z. If z is not finite it returns the prediction,
// whose uncertainty grows meanwhile, and false.
func (f *PositionKalman) Step(z float64) (p, v float64, ok bool) {
	ok = finite(z)
	if !f.started {
		if ok {
			// The velocity may be anything that moves by several measurement errors per sample.
			f.p, f.v = z, 0
			f.ppp, f.ppv, f.pvv = f.r, 0, 1e6*(f.r/(f.h*f.h)+f.q*f.h*f.h)
			f.started = true
		}
		return f.p, f.v, ok
	}
	h, h2 := f.h, f.h*f.h
	f.p += h * f.v
	f.ppp += 2*h*f.ppv + h2*f.pvv + f.q*h2*h2/4
	f.ppv += h*f.pvv + f.q*h2*h/2
	f.pvv += f.q * h2
	if !ok {
		return f.p, f.v, false
	}
	s := f.ppp + f.r
	kp, kv := f.ppp/s, f.ppv/s
	d := z - f.p
	f.p += kp * d
	f.v += kv * d
	f.pvv -= kv * f.ppv
	f.ppv *= 1 - kp
	f.ppp *= 1 - kp
	return f.p, f.v, true
}

// Reset forgets the past: the next sample counts as the first.
func (f *PositionKalman) Reset() { f.p, f.v, f.started = 0, 0, false }
