package trajectory

import "math"

// swing is the motion of one axis's acceleration from a0 to af, within [-n, m] and with jerk 1, that changes the
// velocity by dv. See [farthest] for the units.
type swing struct {
	a0, af, ramp float64 // ramp = af - a0
	dv           float64
	m, n         float64
	K            float64 // dv + (a0² - af²)/2
}

func (s *swing) set(a0, af, dv, m, n float64) {
	*s = swing{a0: a0, af: af, ramp: af - a0, dv: dv, m: m, n: n, K: dv - (af-a0)*(af+a0)/2}
}

// surplus returns by how much the velocity must grow beside what the straight ramp from a0 to af gives.
func (s *swing) surplus() float64 { return s.dv - math.Abs(s.ramp)*(s.a0+s.af)/2 }

// durations returns the durations [t1, t2] and [t3, ∞) in which this is possible, if surplus is not negative.
// Without a gap t2 is infinite.
func (s *swing) durations() (t1, t2, t3 float64) {
	// The shortest rises to a1 and falls: a1² = K + af².
	a1 := math.Sqrt(max(s.K+s.af*s.af, 0))
	if a1 <= s.m {
		t1 = 2*(a1-s.af) + s.ramp
	} else {
		d := s.m - s.af
		t1 = (d*d+s.K)/s.m + s.ramp
	}
	t1 = max(t1, math.Abs(s.ramp))

	// Falling and rising gains too much velocity while the acceleration stays above -√q on its way.
	q := s.a0*s.a0 - s.K
	if s.a0 <= 0 || s.af <= 0 || q <= 0 {
		return t1, math.Inf(1), math.Inf(1)
	}
	a2 := math.Sqrt(q)
	t2 = max(s.a0+s.af-2*a2, t1)
	if a2 <= s.n {
		t3 = s.a0 + s.af + 2*a2
	} else {
		t3 = s.a0 + s.af + s.n + q/s.n
	}
	return t1, t2, max(t3, t2)
}

// gain writes the motion of the given duration whose velocity grows most, whatever dv is, with jerk sign in place of
// 1, and returns by how much it grows.
func (s *swing) gain(duration, sign float64, l *timeline) float64 {
	a1, hold := (duration+s.a0+s.af)/2, 0.0
	if a1 > s.m {
		a1, hold = s.m, duration+s.a0+s.af-2*s.m
	}
	a1 = max(a1, s.a0, s.af)
	l.add(a1-s.a0, sign)
	l.add(hold, 0)
	l.add(a1-s.af, -sign)
	return a1*a1 - (s.a0*s.a0+s.af*s.af)/2 + s.m*hold
}

// velocityReach is to a target velocity what [reach] is to a target position: the durations in which it can be
// reached, and the motion for a given one, by the same convexity.
type velocityReach struct {
	most, least swing
	jerk        float64
	t1, t2, t3  float64
}

func (r *velocityReach) set(start, target State, l bounds) {
	k := 1 / l.jerk
	a0, af := start.Acceleration*k, target.Acceleration*k
	dv := (target.Velocity - start.Velocity) * k
	m, n := l.upperAcceleration*k, l.lowerAcceleration*k
	r.jerk = l.jerk
	r.most.set(a0, af, dv, m, n)
	r.least.set(-a0, -af, -dv, n, m)
	surplus := r.most.surplus()
	if surplus > 0 || surplus == 0 && a0 >= 0 {
		r.t1, r.t2, r.t3 = r.most.durations()
	} else {
		r.t1, r.t2, r.t3 = r.least.durations()
	}
	if math.Abs(surplus) <= velocityTolerance*k {
		r.t1 = math.Abs(af - a0)
	}
}

func (r *velocityReach) earliest(after float64) float64 {
	switch {
	case after <= r.t1:
		return r.t1
	case after <= r.t2:
		return after
	}
	return max(after, r.t3)
}

func (r *velocityReach) plan(duration float64, p *Profile) {
	var upper, lower timeline
	most := r.most.gain(duration, 1, &upper)
	least := -r.least.gain(duration, -1, &lower)
	p.blend(weightOf(r.most.dv, least, most), &upper, &lower, (*Profile).addJerk, r.jerk)
}
