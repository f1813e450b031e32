package trajectory

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/curve"
)

// State is position (rad or m), velocity and acceleration of one axis.
type State = curve.State

// Profile is the motion of one axis: pieces of constant jerk, or of constant acceleration where the jerk is not
// limited. It begins at time 0; before it its first piece goes on, and after its end the acceleration stays that of
// its target. The zero value rests at 0.
//
// A Profile is a [curve.Function], plain data, and can be copied.
type Profile struct {
	n      int
	pieces [maxPieces]piece
	end    piece // what follows the last piece
}

// maxPieces: two to come back within the limits, and two motions of seven phases, blended.
const maxPieces = 16

// piece begins with the given state at time start.
type piece struct {
	start, position, velocity, acceleration, jerk float64
}

// reset makes p empty, starting from s.
func (p *Profile) reset(s State) {
	p.n = 0
	p.end = piece{position: s.Position, velocity: s.Velocity, acceleration: s.Acceleration}
}

// addJerk appends a piece of constant jerk; time must not be negative.
func (p *Profile) addJerk(time, jerk float64) {
	c := &p.pieces[p.n]
	*c = p.end
	c.jerk = jerk
	p.n++
	a := c.acceleration + time*jerk
	if math.Abs(a) < 1e-13*math.Abs(c.acceleration) {
		a = 0 // else the rounding error would be integrated over a long rest
	}
	p.end = piece{
		start:        c.start + time,
		position:     c.position + time*(c.velocity+time*(c.acceleration/2+time*jerk/6)),
		velocity:     c.velocity + time*(c.acceleration+time*jerk/2),
		acceleration: a,
	}
}

// addAcceleration appends a piece of constant acceleration, to which it jumps.
func (p *Profile) addAcceleration(time, acceleration float64) {
	p.end.acceleration = acceleration
	p.addJerk(time, 0)
}

// addVelocity appends a piece of constant velocity, to which it jumps.
func (p *Profile) addVelocity(time, velocity float64) {
	p.end.velocity, p.end.acceleration = velocity, 0
	p.addJerk(time, 0)
}

// finish sets the state at the end to the exact target; rounding errors of the pieces end there.
func (p *Profile) finish(target State) {
	p.end.position, p.end.velocity, p.end.acceleration = target.Position, target.Velocity, target.Acceleration
}

// finishVelocity sets velocity and acceleration at the end to the exact target.
func (p *Profile) finishVelocity(target State) {
	p.end.velocity, p.end.acceleration = target.Velocity, target.Acceleration
}

// startPosition returns where the motion begins.
func (p *Profile) startPosition() float64 {
	if p.n == 0 {
		return p.end.position
	}
	return p.pieces[0].position
}

// Duration returns when the motion ends (s).
func (p *Profile) Duration() float64 { return p.end.start }

// Domain returns 0 and the duration.
func (p *Profile) Domain() (lower, upper float64) { return 0, p.end.start }

// piece returns the piece that holds t.
func (p *Profile) piece(t float64) *piece {
	if t >= p.end.start || p.n == 0 {
		return &p.end
	}
	i := p.n - 1
	for i > 0 && p.pieces[i].start > t {
		i--
	}
	return &p.pieces[i]
}

// State returns position, velocity and acceleration at time t (s).
func (p *Profile) State(t float64) State {
	c := p.piece(t)
	return c.state(t - c.start)
}

// state returns the state a time t after the start of c.
func (c *piece) state(t float64) State {
	return State{
		Position:     c.position + t*(c.velocity+t*(c.acceleration/2+t*c.jerk/6)),
		Velocity:     c.velocity + t*(c.acceleration+t*c.jerk/2),
		Acceleration: c.acceleration + t*c.jerk,
	}
}

// Jerk returns the jerk at time t (s), in the axis's unit per s³; at a jump it is the later value.
func (p *Profile) Jerk(t float64) float64 { return p.piece(t).jerk }

// At returns the derivative of the given order at t; order 0 is the position. A negative order panics.
func (p *Profile) At(t float64, order int) float64 {
	s := p.State(t)
	switch order {
	case 0:
		return s.Position
	case 1:
		return s.Velocity
	case 2:
		return s.Acceleration
	case 3:
		return p.Jerk(t)
	}
	if order < 0 {
		panic("trajectory: negative order of derivative")
	}
	return 0
}

// Pieces returns the number of pieces of the motion.
func (p *Profile) Pieces() int { return p.n }

// Piece returns when piece k begins (s), the state there, and the jerk, which is constant within the piece.
func (p *Profile) Piece(k int) (start float64, at State, jerk float64) {
	c := &p.pieces[:p.n][k]
	return c.start, State{Position: c.position, Velocity: c.velocity, Acceleration: c.acceleration}, c.jerk
}
