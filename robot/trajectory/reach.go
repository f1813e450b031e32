package trajectory

import "math"

// reach answers, for one axis with limited velocity, acceleration and jerk, in which durations it can get from its
// start to its target, and how.
//
// Every limit bounds the motion from both sides, so the motions of a given duration T that keep the limits and end
// with the target's velocity and acceleration form a convex set, and their displacements an interval
// [least(T), most(T)]. The target can be reached in T if and only if its displacement lies in it: then the weighted
// mean of the two extreme motions, whose displacement is that of the target, keeps all limits too. Both extremes are
// known in closed form, see [farthest]. So
//
//   - the shortest duration is the first T at which most(T) rises to the displacement, or least(T) falls to it;
//   - a motion for a given T takes two evaluations and a mean, with no equation to solve.
//
// The velocity alone restricts T to [t1, t2] and [t3, ∞), where the limits of both parts are motions with no freedom.
//
// The durations are those of L. Berscheid and T. Kröger, "Jerk-limited Real-time Trajectory Generation with Arbitrary
// Target States", RSS 2021. They enumerate profiles and solve for each; the construction above is our own.
type reach struct {
	most, least  farthest // least is that of the mirrored axis
	displacement float64  // of the target, divided by the jerk limit
	slack        float64  // tolerance of the displacement
	jerk         float64
	ramp         bool // a straight ramp from start to target acceleration ends at the target
	t1, t2, t3   float64
}

// Tolerances within which a state counts as reached, in the caller's units: they make a motion that is computed again on
// its way, from its own rounded states, keep to its course.
const (
	positionTolerance = 1e-9
	velocityTolerance = 1e-10
)

// set prepares r. The start must be viable: it can keep the velocity limits by changing its acceleration to 0.
func (r *reach) set(start, target State, l bounds) {
	k := 1 / l.jerk
	v0, a0 := start.Velocity*k, start.Acceleration*k
	vf, af := target.Velocity*k, target.Acceleration*k
	m, n := l.upperAcceleration*k, l.lowerAcceleration*k
	r.displacement = (target.Position - start.Position) * k
	r.slack = positionTolerance * k
	r.jerk = l.jerk
	r.most.set(v0, a0, vf, af, m, n, l.upperVelocity*k)
	r.least.set(-v0, -a0, -vf, -af, n, m, l.lowerVelocity*k)

	ramp, free := math.Abs(af-a0), r.most.surplus()
	r.ramp = math.Abs(free) <= velocityTolerance*k &&
		math.Abs(ramp*(v0+a0*ramp/2+(af-a0)*ramp/6)-r.displacement) <= r.slack
	if free > 0 || free == 0 && a0 >= 0 {
		r.t1, r.t2, r.t3 = r.most.durations()
	} else {
		r.t1, r.t2, r.t3 = r.least.durations()
	}
	if r.ramp {
		r.t1 = ramp
	}
}

// earliest returns the least duration not below after in which the target can be reached.
func (r *reach) earliest(after float64) float64 {
	if after <= r.t1 {
		if r.ramp {
			return r.t1
		}
		after = r.t1
	}
	if after <= r.t2 {
		if t, ok := r.within(after, r.t2); ok {
			return t
		}
	}
	t, _ := r.within(max(after, r.t3), math.Inf(1))
	return t
}

// within returns the least duration in [from, to] in which the target can be reached.
func (r *reach) within(from, to float64) (t float64, ok bool) {
	missing := r.displacement - r.most.displacement(from-r.most.ramp)
	excess := -r.least.displacement(from-r.least.ramp) - r.displacement
	switch {
	case missing <= r.slack && excess <= r.slack:
		return from, true
	case missing > r.slack:
		t, ok = r.most.first(r.displacement, from-r.most.ramp, to-r.most.ramp, r.slack)
		t += r.most.ramp
	default:
		t, ok = r.least.first(-r.displacement, from-r.least.ramp, to-r.least.ramp, r.slack)
		t += r.least.ramp
	}
	if !ok && !math.IsInf(to, 1) { // the extremes meet at the end of the interval
		missing = r.displacement - r.most.displacement(to-r.most.ramp)
		return to, math.Abs(missing) <= r.slack
	}
	return t, ok
}

// plan appends the motion of the given duration, which must be one that earliest returns for itself.
func (r *reach) plan(duration float64, p *Profile) {
	if r.ramp && duration <= r.t1*(1+1e-12) {
		p.addJerk(duration, math.Copysign(r.jerk, r.most.ramp))
		return
	}
	most := r.most.displacement(duration - r.most.ramp)
	least := -r.least.displacement(duration - r.least.ramp)
	weight := weightOf(r.displacement, least, most)
	var upper, lower timeline
	if weight > 0 {
		r.most.motion(duration-r.most.ramp, 1, &upper)
	}
	if weight < 1 {
		r.least.motion(duration-r.least.ramp, -1, &lower)
	}
	p.blend(weight, &upper, &lower, (*Profile).addJerk, r.jerk)
}
