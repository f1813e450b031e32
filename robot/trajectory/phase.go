package trajectory

import "math"

// phasePlan plans the axes that are to keep to a straight line as one: the axis of reference, whose limits are the
// tightest of all in proportion. The others follow it in proportion.
type phasePlan struct {
	n       int       // number of axes; 0 if none, or the line cannot be kept
	ratios  []float64 // of each axis to the axis of reference
	members []bool
	one     axisPlan
	profile Profile // of the axis of reference
	planned float64 // duration of profile
}

// holds reports whether axis i is planned here.
func (p *phasePlan) holds(i int) bool { return p.n > 0 && p.members[i] }

// components are the parts of start and target that must be in proportion.
const components = 5

func component(x *Axis, k int) float64 {
	switch k {
	case 0:
		if x.Control == ToVelocity {
			return 0
		}
		return x.Target.Position - x.Start.Position
	case 1:
		return x.Start.Velocity
	case 2:
		return x.Target.Velocity
	case 3:
		return x.Start.Acceleration
	}
	return x.Target.Acceleration
}

// set decides which axes can keep to a line, and prepares their plan.
func (p *phasePlan) set(axes []Axis) {
	p.n, p.planned = 0, math.NaN()
	count, reference := 0, -1
	for i := range axes {
		p.members[i] = axes[i].Sync == InPhase && !axes[i].Idle
		if p.members[i] {
			count++
		}
	}
	if count < 2 {
		return
	}
	along := 0
	for ; along < components && reference < 0; along++ {
		largest := positionTolerance
		for i := range axes {
			if x := math.Abs(component(&axes[i], along)); p.members[i] && x > largest {
				reference, largest = i, x
			}
		}
	}
	if reference < 0 {
		return
	}
	along--
	line := axes[reference]
	line.Sync = InTime
	limits := line.Limits.bounds()
	for i := range axes {
		if !p.members[i] {
			continue
		}
		x := &axes[i]
		if x.Control != line.Control {
			return
		}
		ratio := component(x, along) / component(&line, along)
		for k := range components {
			if math.Abs(component(x, k)-ratio*component(&line, k)) > positionTolerance {
				return
			}
		}
		p.ratios[i] = ratio
		limits = limits.tighten(x.Limits.bounds(), ratio)
	}
	line.Limits = limits.limits()
	b := limits
	if line.check() != nil || line.Control == ToPosition && !b.viable(line.Start.Velocity, line.Start.Acceleration) {
		return
	}
	p.one.set(&line)
	p.n = count
}

// tighten returns the bounds of an axis that another with the bounds o follows in proportion.
func (b bounds) tighten(o bounds, ratio float64) bounds {
	if ratio < 0 {
		o, ratio = o.mirror(), -ratio
	}
	if ratio == 0 {
		return b
	}
	return bounds{
		min(b.upperVelocity, o.upperVelocity/ratio), min(b.lowerVelocity, o.lowerVelocity/ratio),
		min(b.upperAcceleration, o.upperAcceleration/ratio), min(b.lowerAcceleration, o.lowerAcceleration/ratio),
		min(b.jerk, o.jerk/ratio),
	}
}

func (b bounds) limits() Limits {
	return Limits{b.upperVelocity, b.upperAcceleration, b.jerk, -b.lowerVelocity, -b.lowerAcceleration}
}

func (p *phasePlan) earliest(after float64) float64 { return p.one.earliest(after) }

// plan writes the motion of axis i.
func (p *phasePlan) plan(i int, duration float64, x *Axis, out *Profile) {
	if p.planned != duration {
		p.one.plan(duration, &p.profile)
		p.planned = duration
	}
	*out = p.profile
	r, from := p.ratios[i], p.one.prefix.startPosition()
	for k := range out.pieces[:out.n] {
		out.pieces[k].scale(r, from, x.Start.Position)
	}
	out.end.scale(r, from, x.Start.Position)
	if x.Control == ToVelocity {
		out.finishVelocity(x.Target)
	} else {
		out.finish(x.Target)
	}
}

// scale makes a piece of a motion from position from one of a motion r times as large, from position to.
func (c *piece) scale(r, from, to float64) {
	c.position = to + r*(c.position-from)
	c.velocity *= r
	c.acceleration *= r
	c.jerk *= r
}
