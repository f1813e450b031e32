package program

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// Status is what a player does.
type Status uint8

const (
	Running Status = iota // forward, at the override's speed
	Backing               // backward along the path, to the stop before
	Paused                // at rest on the path, or coming to rest
	Ended                 // at the end of the motion
)

var statuses = [...]string{"running", "backing", "paused", "ended"}

// String returns the status as a word.
func (s Status) String() string { return statuses[s] }

// Player executes a motion in a control cycle. The speed may be changed, reversed and brought to 0 at any time; position, velocity and acceleration of all
// joints stay continuous, and within the limits at every step, see the package's description. A Player belongs to one goroutine; its methods allocate
// nothing.
type Player struct {
	motion   *Motion
	status   Status
	override float64

	tau, rate, slope float64 // time within the motion τ, r = dτ/dt, and ṙ
	bend             float64 // r̈ of the way back to ṙ = 0 that was found last
	left             float64 // how much longer that takes, s
	bound            float64 // τ at which Backing ends
	slopeMost        float64 // bounds of ṙ and r̈
	bendMost         float64
	piece            int // of the step before
	change           int // index of the next change of an output
	d1, d2, d3       []float64
	envelope         *envelope
}

// state is that of the time of a motion: τ, r and ṙ.
type state struct{ tau, rate, slope float64 }

// NewPlayer returns a player that stands at the start of a motion, running at the full speed.
func NewPlayer(m *Motion) *Player {
	p := &Player{motion: m, override: 1, d1: make([]float64, m.axes), d2: make([]float64, m.axes), d3: make([]float64, m.axes), envelope: newEnvelope(m)}
	p.slopeMost, p.bendMost = math.Inf(1), math.Inf(1)
	for i, l := range m.Limits {
		fastest := 0.0
		for k := range m.starts[1:] {
			v, _, _ := extremes(&m.pieces[k*m.axes+i], m.starts[k+1]-m.starts[k], &l)
			fastest = max(fastest, v*l.Velocity)
		}
		if fastest > 0 {
			p.slopeMost, p.bendMost = min(p.slopeMost, l.Acceleration/fastest), min(p.bendMost, l.Jerk/fastest/2)
		}
	}
	p.slopeMost, p.bendMost = min(p.slopeMost, mostSlope), min(p.bendMost, mostBend)
	return p
}

// Bounds of the change of the rate where the motion is so slow that its limits allow more: 1/s and 1/s².
const (
	mostSlope = 10
	mostBend  = 200
)

// Motion returns the motion that the player executes.
func (p *Player) Motion() *Motion { return p.motion }

// Status returns what the player does.
func (p *Player) Status() Status { return p.status }

// Time returns how far the motion is (s), in its own time: from 0 to Duration.
func (p *Player) Time() float64 { return p.tau }

// Rate returns the present speed as a share of the motion's own; negative while it goes back.
func (p *Player) Rate() float64 { return p.rate }

// Resting reports whether the robot does not move: the rate is 0.
func (p *Player) Resting() bool { return p.rate == 0 && p.slope == 0 }

// Override sets the wanted speed as a share of the motion's own, from 0 to 1. It panics otherwise.
func (p *Player) Override(share float64) {
	if !(share >= 0 && share <= 1) {
		panic(fmt.Sprintf("program: Override(%v): expected a share from 0 to 1", share))
	}
	p.override = share
}

// Pause brings the robot to rest on its path.
func (p *Player) Pause() {
	if p.status != Ended {
		p.status = Paused
	}
}

// Resume goes on forward. After the end it has no effect.
func (p *Player) Resume() {
	if p.status != Ended {
		p.status = Running
	}
}

// Back goes back along the path to the stop before: the last one that the motion has left, or its start. There the player pauses.
func (p *Player) Back() {
	p.bound = 0
	for _, t := range p.motion.rests {
		if t >= p.tau-1e-9 {
			break
		}
		p.bound = t
	}
	p.status = Backing
}

// Step moves on by the time dt (s) and writes the states of all joints to out. It panics unless dt is positive and finite, and out has a place
// for each joint.
func (p *Player) Step(dt float64, out []trajectory.State) Status {
	if !(dt > 0) || math.IsInf(dt, 1) || len(out) != p.motion.axes {
		panic(fmt.Sprintf("program: Step(%v) with %d states: expected a positive time and %d states", dt, len(out), p.motion.axes))
	}
	p.advance(dt)
	p.derive(p.tau, true)
	r2 := p.rate * p.rate
	k, h := p.motion.piece(p.tau, p.piece)
	for i := range out {
		c := &p.motion.pieces[k*p.motion.axes+i]
		out[i] = trajectory.State{
			Position:     c.position(h),
			Velocity:     p.d1[i] * p.rate,
			Acceleration: p.d1[i]*p.slope + p.d2[i]*r2,
		}
	}
	return p.status
}

// Passed returns a change of an output that the motion has passed, and true, or false if there is no further one. A change that is passed again after going back
// is returned again.
func (p *Player) Passed() (Change, bool) {
	list := p.motion.Outputs
	for p.change > 0 && list[p.change-1].Time > p.tau {
		p.change--
	}
	if p.change < len(list) && list[p.change].Time <= p.tau {
		p.change++
		return list[p.change-1], true
	}
	return Change{}, false
}

// wish returns the wanted rate.
func (p *Player) wish() float64 {
	switch p.status {
	case Running:
		return p.override
	case Backing:
		return -p.override
	}
	return 0
}

// advance moves τ, the rate and its slope on.
func (p *Player) advance(dt float64) {
	wish := p.wish()
	if p.rate != wish || p.slope != 0 {
		p.choose(wish, dt)
	} else {
		p.tau += p.rate * dt
		p.left = 0
	}
	switch end := p.motion.Duration(); {
	case p.tau >= end: // at both ends the joints are at rest, at any rate
		p.rest(end)
		if p.status == Running {
			p.status = Ended
		}
	case p.tau <= 0 && p.rate <= 0:
		p.rest(0)
		if p.status == Backing {
			p.status = Paused
		}
	case p.status == Backing && p.tau <= p.bound:
		p.rest(p.bound)
		p.status = Paused
	}
}

// rest stops at a time at which the joints are at rest.
func (p *Player) rest(tau float64) { p.tau, p.rate, p.slope, p.left = tau, 0, 0, 0 }

// derive writes the derivatives of the positions by τ.
func (p *Player) derive(tau float64, remember bool) {
	m := p.motion
	k, h := m.piece(tau, p.piece)
	if remember {
		p.piece = k
	}
	pieces := m.pieces[k*m.axes : (k+1)*m.axes]
	d1, d2, d3 := p.d1[:len(pieces)], p.d2[:len(pieces)], p.d3[:len(pieces)]
	for i := range pieces {
		c := &pieces[i]
		d1[i], d2[i], d3[i] = c.derivatives(h)
	}
}

// choose takes the slope of the next step towards the wish, as large as the limits allow.
func (p *Player) choose(wish, dt float64) {
	gap := wish - p.rate
	u := p.bendMost
	rest := gap - p.slope*dt/2                                                                          // after the step, without what its own slope takes of it
	slope := math.Copysign(min(u*(math.Sqrt(2.25*dt*dt+2*math.Abs(rest)/u)-1.5*dt), p.slopeMost), rest) // that can still end at the wish
	if math.Abs(gap) < 1e-9 && math.Abs(p.slope) < 1e-6 {
		p.rate, p.slope, p.left = wish, 0, 0
		p.tau += p.rate * dt
		return
	}
	bend := min(max((slope-p.slope)/dt, -2*u), 2*u)
	low, high := p.interval(dt)
	bend = min(max(bend, low), high)
	back := 0.0 // of the way to ṙ = 0 that is known
	if p.left > 0 {
		back = -p.slope / max(p.left, dt)
	}
	for range attempts {
		if p.take(bend, dt) {
			return
		}
		bend = (bend + back) / 2
	}
	rate, tau := p.rate, p.tau
	p.slope, p.rate, p.tau = p.slope+back*dt, rate+dt*(p.slope+back*dt/2), tau+dt*(rate+dt*(p.slope/2+back*dt/6))
	if p.left = max(p.left-dt, 0); p.left == 0 {
		p.slope = 0
	}
}

// attempts is how many steps are tried before the known way back is taken.
const attempts = 2

// interval returns the bounds of r̈ by the jerks of all joints now, and by their accelerations at the end of the step.
func (p *Player) interval(dt float64) (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	bound := func(factor, rest, limit float64) {
		if factor < 0 {
			factor, rest = -factor, -rest
		}
		if factor > 1e-12 {
			low, high = max(low, (-limit-rest)/factor), min(high, (limit-rest)/factor)
		}
	}
	p.derive(p.tau, true)
	r := p.rate
	for i := range p.d1 {
		bound(p.d1[i], 3*p.d2[i]*r*p.slope+p.d3[i]*r*r*r, usable*p.motion.Limits[i].Jerk)
	}
	rate := r + p.slope*dt
	p.derive(p.tau+dt*r, false)
	for i := range p.d1 {
		bound(p.d1[i]*dt, p.d1[i]*p.slope+p.d2[i]*rate*rate, usable*p.motion.Limits[i].Acceleration)
	}
	if low > high {
		return 0, 0
	}
	return low, high
}

// Spans in which a way back is checked, and the part of the limits that it may use.
const (
	checks = 6
	usable = 0.995
)

// take makes the step with a bend if a way back to ṙ = 0 from its end keeps the limits.
func (p *Player) take(bend, dt float64) bool {
	slope := p.slope + bend*dt
	rate := p.rate + dt*(p.slope+slope)/2
	tau := p.tau + dt*(p.rate+dt*(p.slope/2+bend*dt/6))
	width := max(shortest, math.Abs(slope)/p.bendMost)
	back := -slope / width
	if rest := math.Abs(rate + slope*width/2); rest > fastest && rest > math.Abs(p.rate) || !p.keepsBetween(state{p.tau, p.rate, p.slope}, state{tau, rate, slope}, bend) {
		return false
	}
	from := state{tau, rate, slope}
	for k := 1; k <= checks; k++ {
		t := width * float64(k) / checks
		to := state{tau + t*(rate+t*(slope/2+back*t/6)), rate + t*(slope+back*t/2), slope + back*t}
		if !p.keepsBetween(from, to, back) {
			return false
		}
		from = to
	}
	p.tau, p.rate, p.slope, p.bend, p.left = tau, rate, slope, back, width
	return true
}

// fastest is the greatest rate: the reserve of a motion allows a little more than 1.
const fastest = 1 + 1e-3

// shortest is the shortest way back to ṙ = 0, s.
const shortest = 0.05

// keepsBetween reports whether all joints keep their limits on a part of a way back: whatever the derivatives of the motion are in that span, with ṙ and
// r anywhere between those of its ends.
func (p *Player) keepsBetween(from, to state, bend float64) bool {
	a, b := p.envelope.over(from.tau, to.tau)
	slope0, slope1 := min(from.slope, to.slope), max(from.slope, to.slope)
	rate0, rate1 := min(from.rate, to.rate), max(from.rate, to.rate)
	low2, high2 := rate0*rate0, rate1*rate1
	if low2, high2 = min(low2, high2), max(low2, high2); rate0 < 0 && rate1 > 0 {
		low2 = 0
	}
	x, y, z, w := rate0*slope0, rate0*slope1, rate1*slope0, rate1*slope1
	lowRS, highRS := 3*min(min(x, y), min(z, w)), 3*max(max(x, y), max(z, w))
	low3, high3 := rate0*rate0*rate0, rate1*rate1*rate1
	limits := p.motion.Limits[:len(a)]
	b = b[:len(a)]
	for i := range a {
		c := a[i]
		c.include(&b[i])
		low, high := times(c.low1, c.high1, slope0, slope1)
		l, h := times(c.low2, c.high2, low2, high2)
		if most := usable * limits[i].Acceleration; high+h > most || low+l < -most {
			return false
		}
		low, high = times(c.low1, c.high1, bend, bend)
		l, h = times(c.low2, c.high2, lowRS, highRS)
		low, high = low+l, high+h
		l, h = times(c.low3, c.high3, low3, high3)
		if most := usable * limits[i].Jerk; high+h > most || low+l < -most {
			return false
		}
	}
	return true
}

// times returns the interval of the products of two intervals.
func times(a, b, c, d float64) (low, high float64) {
	x, y, z, w := a*c, a*d, b*c, b*d
	return min(min(x, y), min(z, w)), max(max(x, y), max(z, w))
}
