package control

// RateLimiter lets a value rise by at most Rate per second and fall by at most Fall. The first sample passes unchanged. The
// zero value lets nothing pass but the first sample; a Rate of +Inf passes everything.
type RateLimiter struct {
	Rate float64 // largest change per second, not negative
	Fall float64 // largest decrease per second, not negative; 0: Rate

	y       float64
	started bool
}

// Step returns the limited value h seconds after the previous call, when x is wanted. If x or h is not finite it
// returns the previous value and false.
func (r *RateLimiter) Step(x, h float64) (y float64, ok bool) {
	if !finite(x) || !finite(h) {
		return r.y, false
	}
	if !r.started {
		r.y, r.started = x, true
		return x, true
	}
	fall := r.Fall
	if fall == 0 {
		fall = r.Rate
	}
	r.y = min(max(x, r.y-fall*h), r.y+r.Rate*h)
	return r.y, true
}

// Reset makes the next sample pass unchanged.
func (r *RateLimiter) Reset() { r.y, r.started = 0, false }
