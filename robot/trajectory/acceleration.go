package trajectory

import "math"

// accelerationReach is what [reach] is, for an axis with limited velocity and acceleration and unlimited jerk. The
// motion that goes farthest accelerates with m to a peak velocity w, stays there if it is the limit v, and decelerates
// with n:
//
//	T = (w-v0)/m + (w-vf)/n,  P = (w²-v0²)/(2m) + (w²-vf²)/(2n)
type accelerationReach struct {
	most, least  trapezoid
	displacement float64
}

// trapezoid is the motion that goes farthest in a given duration.
type trapezoid struct{ v0, vf, v, m, n float64 }

func (r *accelerationReach) set(start, target State, l bounds) {
	m, n := l.upperAcceleration, l.lowerAcceleration
	r.displacement = target.Position - start.Position
	r.most = trapezoid{start.Velocity, target.Velocity, l.upperVelocity, m, n}
	r.least = trapezoid{-start.Velocity, -target.Velocity, l.lowerVelocity, n, m}
}

// peak returns the velocity reached and how long it is held.
func (z *trapezoid) peak(duration float64) (w, hold float64) {
	w = (duration + z.v0/z.m + z.vf/z.n) / (1/z.m + 1/z.n)
	w = max(w, z.v0, z.vf)
	if w > z.v {
		return z.v, (w - z.v) * (1/z.m + 1/z.n)
	}
	return w, 0
}

func (z *trapezoid) displacement(duration float64) float64 {
	w, hold := z.peak(duration)
	return (w-z.v0)*(w+z.v0)/(2*z.m) + (w-z.vf)*(w+z.vf)/(2*z.n) + w*hold
}

// duration returns in which the displacement is p, on the branch on which it grows with the duration.
func (z *trapezoid) duration(p float64) float64 {
	w := math.Sqrt(max((2*p+z.v0*z.v0/z.m+z.vf*z.vf/z.n)/(1/z.m+1/z.n), 0))
	hold := 0.0
	if w > z.v {
		w = z.v
		hold = (p - (w-z.v0)*(w+z.v0)/(2*z.m) - (w-z.vf)*(w+z.vf)/(2*z.n)) / w
	}
	return (w-z.v0)/z.m + (w-z.vf)/z.n + hold
}

func (z *trapezoid) motion(duration, sign float64, l *timeline) {
	w, hold := z.peak(duration)
	l.add((w-z.v0)/z.m, sign*z.m)
	l.add(hold, 0)
	l.add((w-z.vf)/z.n, -sign*z.n)
}

func (r *accelerationReach) earliest(after float64) float64 {
	t := max(after, (r.most.vf-r.most.v0)/r.most.m, (r.least.vf-r.least.v0)/r.least.m)
	if missing := r.displacement - r.most.displacement(t); missing > positionTolerance {
		return max(t, r.most.duration(r.displacement))
	}
	if excess := -r.least.displacement(t) - r.displacement; excess > positionTolerance {
		return max(t, r.least.duration(-r.displacement))
	}
	return t
}

func (r *accelerationReach) plan(duration float64, p *Profile) {
	var upper, lower timeline
	r.most.motion(duration, 1, &upper)
	r.least.motion(duration, -1, &lower)
	weight := weightOf(r.displacement, -r.least.displacement(duration), r.most.displacement(duration))
	p.blend(weight, &upper, &lower, (*Profile).addAcceleration, 1)
}

// velocityRamp leads to a target velocity with limited acceleration and unlimited jerk.
type velocityRamp struct{ dv, shortest float64 }

func (r *velocityRamp) set(start, target State, l bounds) {
	r.dv = target.Velocity - start.Velocity
	r.shortest = max(r.dv/l.upperAcceleration, -r.dv/l.lowerAcceleration)
}

func (r *velocityRamp) earliest(after float64) float64 { return max(after, r.shortest) }

func (r *velocityRamp) plan(duration float64, p *Profile) {
	if duration > 0 {
		p.addAcceleration(duration, r.dv/duration)
	}
}

// line leads to a target position with limited velocity and unlimited acceleration: at constant velocity.
type line struct{ displacement, shortest float64 }

func (r *line) set(start, target State, l bounds) {
	r.displacement = target.Position - start.Position
	r.shortest = max(r.displacement/l.upperVelocity, -r.displacement/l.lowerVelocity)
}

func (r *line) earliest(after float64) float64 { return max(after, r.shortest) }

func (r *line) plan(duration float64, p *Profile) {
	if duration > 0 {
		p.addVelocity(duration, r.displacement/duration)
	}
}

// jump leads to a target velocity with unlimited acceleration: at once, and waits there.
type jump struct{ velocity float64 }

func (r *jump) set(_, target State, _ bounds) { r.velocity = target.Velocity }

func (r *jump) earliest(after float64) float64 { return after }

func (r *jump) plan(duration float64, p *Profile) { p.addVelocity(duration, r.velocity) }
