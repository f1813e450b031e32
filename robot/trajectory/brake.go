package trajectory

import "math"

// brake appends to p what brings an axis back to a viable state in the shortest time, where its state is outside its
// limits, or will be whatever it does; and returns the state then. A state is viable if the acceleration is within its
// limits, and so is the velocity while the acceleration goes to 0 with full jerk.
func brake(s State, l bounds, p *Profile) State {
	a, v := s.Acceleration, s.Velocity
	down := a > l.upperAcceleration
	up := a < -l.lowerAcceleration
	if !down && !up {
		rest := a * math.Abs(a) / (2 * l.jerk) // gained while the acceleration goes to 0
		late := a * a / (2 * l.jerk)
		switch {
		case v > l.upperVelocity && v-late > -l.lowerVelocity, rest > 0 && v+rest > l.upperVelocity:
			down = true
		case v < -l.lowerVelocity && v+late < l.upperVelocity, rest < 0 && v+rest < -l.lowerVelocity:
			up = true
		}
	}
	var times [2]float64
	sign := 1.0
	switch {
	case down:
		times = brakeDown(v, a, l)
	case up:
		sign = -1
		times = brakeDown(-v, -a, l.mirror())
	default:
		return s
	}
	if times[0] > 0 {
		p.addJerk(times[0], -sign*l.jerk)
	}
	if times[1] > 0 {
		p.addJerk(times[1], 0)
	}
	p.end.acceleration = min(max(p.end.acceleration, -l.lowerAcceleration), l.upperAcceleration)
	return State{Position: p.end.position, Velocity: p.end.velocity, Acceleration: p.end.acceleration}
}

// brakeDown returns for how long to lower the acceleration, and then to hold it.
func brakeDown(v, a float64, l bounds) [2]float64 {
	j, upper, lower := l.jerk, l.upperVelocity, -l.lowerVelocity
	if m := l.upperAcceleration; a > m && v+a*a/(2*j) <= upper {
		t := (a - m) / j
		at := v + t*(a+m)/2
		if at >= lower {
			return [2]float64{t, 0}
		}
		return [2]float64{t, max(min((lower-at)/m, (upper-at)/m-m/(2*j)), 0)}
	}
	// Lower it until the velocity is below its upper limit, but no further than the lower limits allow.
	n := l.lowerAcceleration
	t := a/j + min(math.Sqrt(max(a*a+2*j*(v-upper), 0)), math.Sqrt(max(a*a/2+j*(v-lower), 0)))/j
	if full := (a + n) / j; full < t {
		at := v + full*(a-n)/2
		return [2]float64{max(full, 0), max(min((at-upper)/n, (at-lower)/n-n/(2*j)), 0)}
	}
	return [2]float64{max(t, 0), 0}
}

// brakeAcceleration does what brake does for an axis in velocity control: it has no velocity limits.
func brakeAcceleration(s State, l bounds, p *Profile) State {
	a := min(max(s.Acceleration, -l.lowerAcceleration), l.upperAcceleration)
	if a == s.Acceleration {
		return s
	}
	p.addJerk(math.Abs(s.Acceleration-a)/l.jerk, math.Copysign(l.jerk, a-s.Acceleration))
	p.end.acceleration = a
	return State{Position: p.end.position, Velocity: p.end.velocity, Acceleration: a}
}

// brakeVelocity does what brake does for an axis whose jerk is not limited.
func brakeVelocity(s State, l bounds, p *Profile) State {
	switch {
	case s.Velocity > l.upperVelocity:
		p.addAcceleration((s.Velocity-l.upperVelocity)/l.lowerAcceleration, -l.lowerAcceleration)
		return State{Position: p.end.position, Velocity: l.upperVelocity}
	case s.Velocity < -l.lowerVelocity:
		p.addAcceleration((-l.lowerVelocity-s.Velocity)/l.upperAcceleration, l.upperAcceleration)
		return State{Position: p.end.position, Velocity: -l.lowerVelocity}
	}
	return s
}
