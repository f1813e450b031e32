package trajectory

import "math"

// Planner computes trajectories. It holds all the memory that this needs: planning allocates nothing. A Planner must
// not be used by several goroutines at once.
type Planner struct {
	axes    []axisPlan
	phase   phasePlan
	rejects [][len(reasons)]AxisError // of each axis, for each reason
}

// NewPlanner returns a planner for motions of the given number of axes; it panics if that is below 1.
func NewPlanner(axes int) *Planner {
	if axes < 1 {
		panic("trajectory: NewPlanner: expected at least one axis")
	}
	p := &Planner{axes: make([]axisPlan, axes), rejects: make([][len(reasons)]AxisError, axes)}
	p.phase.ratios, p.phase.members = make([]float64, axes), make([]bool, axes)
	for i := range p.rejects {
		for k, reason := range reasons {
			p.rejects[i][k] = AxisError{i, reason}
		}
	}
	return p
}

// Plan writes to out the motion of least duration that in asks for. It fails with an [*AxisError]; out is unchanged
// then. It panics if in or out have another number of axes than p.
func (p *Planner) Plan(in *Input, out *Trajectory) error {
	if len(in.Axes) != len(p.axes) || len(out.profiles) != len(p.axes) {
		panic("trajectory: Plan: input, trajectory and planner must have the same number of axes")
	}
	for i := range in.Axes {
		if reason := in.Axes[i].check(); reason != nil {
			return p.reject(i, reason)
		}
	}
	for i := range in.Axes {
		p.axes[i].set(&in.Axes[i])
	}
	p.phase.set(in.Axes)
	limiting, duration := p.synchronize(in)
	if !(duration <= maxDuration) {
		return p.reject(limiting, ErrDuration)
	}
	out.duration = duration
	for i := range p.axes {
		a, x := &p.axes[i], &in.Axes[i]
		profile := &out.profiles[i]
		switch {
		case x.Idle:
			profile.reset(State{Position: x.Start.Position, Velocity: x.Start.Velocity})
			continue
		case p.phase.holds(i):
			p.phase.plan(i, duration, x, profile)
			continue
		}
		d := a.shortest
		if x.Sync != Independent {
			d = duration
		}
		out.duration = max(out.duration, d)
		a.plan(d, profile)
		if x.Control == ToVelocity {
			profile.finishVelocity(x.Target)
		} else {
			profile.finish(x.Target)
		}
	}
	return nil
}

const maxDuration = 1e9

func (p *Planner) reject(axis int, reason error) error {
	for k := range p.rejects[axis] {
		if p.rejects[axis][k].Reason == reason {
			return &p.rejects[axis][k]
		}
	}
	return reason
}

// synchronize returns the least duration in which all synchronized axes can reach their targets, and the axis that
// determines it.
func (p *Planner) synchronize(in *Input) (limiting int, duration float64) {
	duration = max(in.MinDuration, 0)
	for i := range p.axes {
		if in.Axes[i].Idle || p.phase.holds(i) {
			continue
		}
		a := &p.axes[i]
		a.shortest = a.earliest(0)
		if !(a.shortest <= maxDuration) {
			return i, a.shortest
		}
		if in.Axes[i].Sync != Independent && a.shortest > duration {
			limiting, duration = i, a.shortest
		}
	}
	for {
		before := duration
		duration = roundUp(duration, in.Cycle)
		if p.phase.n > 0 {
			duration = p.phase.earliest(duration)
		}
		for i := range p.axes {
			if in.Axes[i].Idle || in.Axes[i].Sync == Independent || p.phase.holds(i) {
				continue
			}
			if duration == p.axes[i].shortest {
				continue
			}
			if t := p.axes[i].earliest(duration); t > duration {
				limiting, duration = i, t
			}
		}
		if duration == before || !(duration <= maxDuration) {
			return limiting, duration
		}
	}
}

// roundUp returns the least multiple of cycle that is not below t, up to rounding.
func roundUp(t, cycle float64) float64 {
	if !(cycle > 0) {
		return t
	}
	return max(t, math.Ceil(t/cycle-1e-9)*cycle)
}

// axisPlan solves for one axis.
type axisPlan struct {
	solver   solver
	prefix   Profile // brings the axis back within its limits
	before   float64 // duration of prefix
	shortest float64

	reach             reach
	velocityReach     velocityReach
	accelerationReach accelerationReach
	velocityRamp      velocityRamp
	line              line
	jump              jump
}

// solver solves for an axis that is within its limits.
type solver interface {
	// earliest returns the least duration not below after in which the target can be reached.
	earliest(after float64) float64

	// plan appends the motion of the given duration, which must be one that earliest returned.
	plan(duration float64, p *Profile)
}

func (a *axisPlan) set(x *Axis) {
	if x.Idle {
		return
	}
	l := x.Limits.bounds()
	s := x.Start
	a.prefix.reset(s)
	switch order := l.order(); {
	case x.Control == ToPosition && order == 3:
		s = brake(s, l, &a.prefix)
		a.reach.set(s, x.Target, l)
		a.solver = &a.reach
	case x.Control == ToPosition && order == 2:
		s = brakeVelocity(s, l, &a.prefix)
		a.accelerationReach.set(s, x.Target, l)
		a.solver = &a.accelerationReach
	case x.Control == ToPosition:
		a.line.set(s, x.Target, l)
		a.solver = &a.line
	case order == 3:
		s = brakeAcceleration(s, l, &a.prefix)
		a.velocityReach.set(s, x.Target, l)
		a.solver = &a.velocityReach
	case order == 2:
		a.velocityRamp.set(s, x.Target, l)
		a.solver = &a.velocityRamp
	default:
		a.jump.set(s, x.Target, l)
		a.solver = &a.jump
	}
	a.before = a.prefix.Duration()
}

func (a *axisPlan) earliest(after float64) float64 {
	t := a.before + a.solver.earliest(max(after-a.before, 0))
	if math.Abs(t-after) <= 1e-15*t {
		return after
	}
	return t
}

func (a *axisPlan) plan(duration float64, p *Profile) {
	p.n, p.end = a.prefix.n, a.prefix.end
	copy(p.pieces[:], a.prefix.pieces[:p.n])
	a.solver.plan(duration-a.before, p)
}
