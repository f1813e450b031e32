package trajectory

import "math"

// Extrema are the least and the greatest position of a motion, and when they are first reached (s).
type Extrema struct {
	Min, Max         float64 // rad or m
	MinTime, MaxTime float64 // s, from the start of the motion
}

// Extrema returns how far the motion reaches between its start and its end, both included.
func (p *Profile) Extrema() Extrema {
	x := p.startPosition()
	e := Extrema{Min: x, Max: x}
	p.sections(func(c *piece, from, to float64) bool {
		e.include(c.start+to, c.state(to).Position)
		return true
	})
	return e
}

func (e *Extrema) include(t, x float64) {
	if x < e.Min {
		e.Min, e.MinTime = x, t
	}
	if x > e.Max {
		e.Max, e.MaxTime = x, t
	}
}

// FirstAt returns when the motion first passes a position (s); ok is false if it never does between start and end.
func (p *Profile) FirstAt(position float64) (t float64, ok bool) {
	if p.n == 0 {
		return 0, position == p.end.position
	}
	last := p.startPosition() - position // so that rounding between pieces lets no passage escape
	p.sections(func(c *piece, from, to float64) bool {
		next := c.state(to).Position - position
		if last*next > 0 {
			last = next
			return true
		}
		t, ok = c.start+c.pass(position, from, to), true
		return false
	})
	if !ok && position == p.end.position { // rounding
		t, ok = p.end.start, true
	}
	return t, ok
}

// sections calls f for each stretch of time in which the position only rises, or only falls, until f returns false.
// Times count from the start of the piece.
func (p *Profile) sections(f func(c *piece, from, to float64) bool) {
	for i := range p.pieces[:p.n] {
		c := &p.pieces[i]
		end := p.end.start - c.start
		if i+1 < p.n {
			end = p.pieces[i+1].start - c.start
		}
		first, second := c.turns()
		from := 0.0
		for _, to := range [3]float64{first, second, end} {
			if to > from && to <= end {
				if !f(c, from, to) {
					return
				}
				from = to
			}
		}
	}
}

// turns returns when the velocity of c is 0, in order; NaN for never.
func (c *piece) turns() (first, second float64) {
	v, a, h := c.velocity, c.acceleration, c.jerk/2
	// The root of h t² + a t + v that suffers no cancellation, and the other by Vieta.
	q := -(a + math.Copysign(math.Sqrt(a*a-4*h*v), a)) / 2
	first, second = q/h, v/q
	if h == 0 {
		first = math.NaN()
	}
	if first > second {
		first, second = second, first
	}
	if math.IsNaN(first) {
		first, second = second, first
	}
	return first, second
}

// pass returns when c is at a position that lies between those at from and to, between which it is monotonic.
func (c *piece) pass(position, from, to float64) float64 {
	rising := c.state(to).Position > c.state(from).Position
	t := (from + to) / 2
	for range 200 {
		s := c.state(t)
		d := s.Position - position
		if d == 0 {
			break
		}
		if d > 0 == rising {
			to = t
		} else {
			from = t
		}
		next := t - d/s.Velocity
		if !(next > from && next < to) {
			next = (from + to) / 2
		}
		if next == t {
			break
		}
		t = next
	}
	return t
}
