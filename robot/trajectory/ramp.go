package trajectory

import "math"

// ramp is a change of velocity under limits of acceleration and jerk that begins and ends without acceleration: the acceleration grows with
// the jerk, holds, and falls again (Biagiotti and Melchiorri 2008, section 3.4). Both limits may be infinite together.
type ramp struct{ acceleration, jerk float64 }

// time returns how long a change by dv takes.
func (r ramp) time(dv float64) float64 {
	switch {
	case dv == 0:
		return 0
	case dv*r.jerk <= r.acceleration*r.acceleration:
		return 2 * math.Sqrt(dv/r.jerk)
	}
	return dv/r.acceleration + r.acceleration/r.jerk
}

// phases returns the durations of growing and of held acceleration, and the jerk that gives dv in them.
func (r ramp) phases(dv float64) (grow, hold, jerk float64) {
	switch {
	case dv == 0 || math.IsInf(r.jerk, 1):
		return 0, 0, 0
	case dv*r.jerk <= r.acceleration*r.acceleration:
		return math.Sqrt(dv / r.jerk), 0, r.jerk
	}
	grow = r.acceleration / r.jerk
	return grow, dv/r.acceleration - grow, r.jerk
}

// sag returns the integral of the velocity over the first half of a change from 0 to dv.
func (r ramp) sag(dv float64) float64 {
	grow, hold, jerk := r.phases(dv)
	peak, half := jerk*grow, hold/2
	return peak*grow*grow/6 + peak*half*(grow+half)/2
}

// passage is the fastest motion over a distance from one speed to another without acceleration at its ends: up to a peak and down.
type passage struct {
	up, down ramp
	most     float64 // greatest speed
}

// plan returns the peak speed and how long it is held. ok is false if the distance is too short for the change of speed.
func (p *passage) plan(from, to, distance float64) (peak, hold float64, ok bool) {
	left := func(peak float64) float64 {
		return distance - (from+peak)/2*p.up.time(peak-from) - (peak+to)/2*p.down.time(peak-to)
	}
	low := max(from, to)
	rest := left(low)
	if rest < 0 {
		return 0, 0, false
	}
	// With full jerk alone the peak would be as high as this, or lower.
	high := min(p.most, low+math.Cbrt(distance*distance*p.up.jerk/4))
	over := left(high)
	switch {
	case over >= 0:
		low, rest = high, over
	case rest > 0: // regula falsi, with half the weight for an end that stays twice (Dowell and Jarratt 1971)
		f, g, last := rest, over, 0
		for range passageSteps {
			x := (low*g - high*f) / (g - f)
			if y := left(x); y >= 0 {
				low, rest, f = x, y, y
				if y <= 1e-10*distance {
					break
				}
				if last == 1 {
					g /= 2
				}
				last = 1
			} else {
				high, g = x, y
				if last == -1 {
					f /= 2
				}
				last = -1
			}
		}
	}
	if low > 0 {
		hold = rest / low
	}
	return low, hold, low > 0 || distance == 0
}

// passageSteps bounds the search for a peak: what is left of the distance is covered at the peak that was found.
const passageSteps = 40

// time returns how long the passage takes, infinite if it is not possible.
func (p *passage) time(from, to, distance float64) float64 {
	peak, hold, ok := p.plan(from, to, distance)
	if !ok {
		return math.Inf(1)
	}
	return p.up.time(peak-from) + hold + p.down.time(peak-to)
}
