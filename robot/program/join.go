package program

import (
	"github.com/sinew-robotics/sinew/robot/curve"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// add appends a leg, and closes the section before it where that ends in a stop.
func (c *compiler) add(l leg) error {
	if n := len(c.legs); n > 0 && c.legs[n-1].blend == 0 {
		if err := c.build(); err != nil {
			return err
		}
	}
	c.legs = append(c.legs, l)
	return nil
}

// close ends the section under construction in a stop.
func (c *compiler) close() error {
	if err := c.flush(); err != nil {
		return err
	}
	c.legsEndBlend()
	return c.build()
}

// mark gives a move without a way its place: the end of what is before it.
func (c *compiler) mark(k int) error {
	if err := c.close(); err != nil {
		return err
	}
	now := c.motion.Duration()
	c.happens(k, place{start: now, end: now})
	return nil
}

// happens notes a time of a move, or a further one: a movePath may have several sections.
func (c *compiler) happens(k int, next place) {
	if before := c.places[k]; before.section != nil {
		next.start, next.length = before.start, before.length+next.length
		if next.section == nil {
			next.section, next.from, next.to, next.begin = before.section, before.from, before.to, before.begin
		}
	}
	c.places[k] = next
}

// dwell appends a rest.
func (c *compiler) dwell(k int, time float64) {
	m := c.motion
	start := m.Duration()
	c.places[k] = place{start: start, end: start + time}
	if time == 0 {
		return
	}
	for _, x := range c.q {
		m.pieces = append(m.pieces, piece{x})
	}
	m.starts, m.rests = append(m.starts, start+time), append(m.rests, start+time)
}

// build times the section of the legs and appends it to the motion.
func (c *compiler) build() error {
	if len(c.legs) == 0 {
		return nil
	}
	legs := c.legs
	c.legs = nil
	asked, err := c.asksForJerk(legs)
	if err != nil {
		return err
	}
	s, ends, err := c.join(legs, asked)
	if err != nil {
		return err
	}
	if k, err := c.checkSection(s); err != nil {
		if blend := k / 2; k%2 == 1 && legs[blend].shrink {
			legs[blend].blend = 0 // a stop in the corner; narrower blends would be slower
			for _, part := range [][]leg{legs[:blend+1], legs[blend+1:]} {
				c.legs = part
				if err := c.build(); err != nil {
					return err
				}
			}
			return nil
		}
		return err
	}
	var t *timed
	if len(legs) == 1 && legs[0].line && !s.smooth {
		t, err = s.profile()
	} else {
		t, err = s.follow()
	}
	if err != nil {
		return c.fail(legs[0].spans[0].move, -1, "no motion within the limits was found: %v", err)
	}
	m := c.motion
	begin := m.Duration()
	if begin+t.duration() > maxDuration {
		return c.fail(legs[0].spans[0].move, -1, "the program would last longer than %d s: split it", maxDuration)
	}
	at := begin
	for _, w := range t.widths {
		at += w
		m.starts = append(m.starts, at)
	}
	m.pieces = append(m.pieces, t.pieces...)
	m.rests = append(m.rests, at)
	from, time := 0.0, begin
	for i, e := range ends {
		end := at
		if i < len(ends)-1 {
			end = begin + t.timeAt(e.end)
		}
		c.happens(e.move, place{start: time, end: end, section: t, from: from, to: e.end, begin: begin, length: e.end - from})
		from, time = e.end, end
	}
	return nil
}

// checkSection rejects a section that leaves the limits of positions, as a blend may where its corner is near them. It also returns the index of the segment: every
// second one is a blend.
func (c *compiler) checkSection(s *section) (int, error) {
	for i, x := range s.segments {
		for k := range 33 {
			own := x.from + (x.to-x.from)*float64(k)/32
			x.path.At(s.q, own, 0)
			if err := c.checkLimits(x.moves[x.move(x.start+own-x.from)].move, -1, s.q); err != nil {
				return i, err
			}
		}
	}
	return 0, nil
}

// asksForJerk reports whether a move of a section asks for a continuous jerk. It fails if a line or an arc of the section does not ask for it.
func (c *compiler) asksForJerk(legs []leg) (bool, error) {
	asked, tool := -1, -1
	for _, l := range legs {
		for _, s := range l.spans {
			if asked < 0 && c.program.Moves[s.move].SmoothJerk {
				asked = s.move
			}
			if tool < 0 && !l.line && !l.smooth {
				tool = s.move
			}
		}
	}
	if asked >= 0 && tool >= 0 {
		return false, c.fail(asked, -1, "continuity is jerk, but a blend joins it with the %s of line %d, which does not ask for it: ask for it there too, or leave out the blends between them",
			c.program.Moves[tool].Kind, c.program.Moves[tool].At.Line)
	}
	return asked >= 0, nil
}

// join makes a section of legs and returns where its moves end.
func (c *compiler) join(legs []leg, smooth bool) (*section, []span, error) {
	n := c.n
	s := &section{
		smooth: smooth, robot: &c.robot, moves: c.program.Moves, scale: make([]float64, bins), data: c.data,
		q: make([]float64, n), dq: make([]float64, n), ddq: make([]float64, n), J: make([]float64, 6*n), dJ: make([]float64, 6*n),
	}
	var ends []span
	at, cut := 0.0, 0.0 // of the section; what the blend before has taken of the leg
	for k := range legs {
		l := &legs[k]
		next := 0.0
		if k+1 < len(legs) {
			var err error
			if next, err = c.cut(l, l, true, cut); err != nil {
				return nil, nil, err
			}
		}
		x := segment{path: l.path, from: cut, to: l.length - next, start: at}
		for _, e := range l.spans {
			e.end += at - cut
			x.add(e, l.tool, c.program)
			if i := len(ends) - 1; i >= 0 && ends[i].move == e.move {
				ends[i].end = e.end // of a movePath
			} else {
				ends = append(ends, e)
			}
		}
		s.segments = append(s.segments, x)
		at += x.to - x.from
		if k+1 == len(legs) {
			break
		}
		after := &legs[k+1]
		var err error
		if cut, err = c.cut(after, l, false, 0); err != nil {
			return nil, nil, err
		}
		width := next + cut
		b := segment{path: blend(l.path, l.length-next, after.path, cut, width, s.order()), to: width, start: at}
		b.add(span{move: l.spans[len(l.spans)-1].move, end: at + next}, l.tool, c.program)
		b.add(span{move: after.spans[0].move, end: at + width}, after.tool, c.program)
		s.segments = append(s.segments, b)
		at += width
	}
	return s, ends, nil
}

func (x *segment) add(e span, t tool, p *Program) {
	kind := p.Moves[e.move].Kind
	x.moves, x.toolOf, x.limitedTool = append(x.moves, e), append(x.toolOf, t), append(x.limitedTool, kind == MoveL || kind == MoveC)
}

// cut returns how much of a leg the blend of a leg takes at its end or its start: where the tool's origin is the radius away from the corner, within
// what other blends leave of the leg's last or first move; before is what the blend at the start of the leg takes. Where the blend may shrink it is at most
// half of the move.
func (c *compiler) cut(l, blending *leg, atEnd bool, before float64) (float64, error) {
	q := make([]float64, c.n)
	place := func(d float64) spatial.Vec3 {
		if atEnd {
			d = l.length - d
		}
		l.path.At(q, d, 0)
		return c.pose(l.tool, q).P
	}
	length, taken := l.spans[0].end, l.spans[0].tail
	if n := len(l.spans); atEnd && n > 1 {
		length, taken = l.length-l.spans[n-2].end, l.spans[n-1].head
	} else if atEnd {
		taken = before
	}
	most := length - taken
	if blending.shrink {
		most = min(most, length/2)
	}
	corner := place(0)
	const steps = 64
	away, farthest := 0.0, 0.0
	for k := 1; k <= steps; k++ {
		d := most * float64(k) / steps
		away = place(d).Sub(corner).Norm()
		farthest = max(farthest, away)
		if away < blending.blend {
			continue
		}
		low, high := d-most/steps, d
		for range 40 {
			if middle := (low + high) / 2; place(middle).Sub(corner).Norm() < blending.blend {
				low = middle
			} else {
				high = middle
			}
		}
		if high < most || blending.shrink {
			return high, nil
		}
	}
	if blending.shrink {
		return most, nil
	}
	which := "the move itself"
	if !atEnd {
		which = "the move after it"
	}
	rest := ""
	if taken > 0 {
		rest = " within the part that the blend at its other end leaves"
	}
	return 0, c.fail(blending.spans[len(blending.spans)-1].move, -1, "its blend of %.4g m does not fit into %s, in which the tool comes %.4g m away from the corner%s: blends take less than the whole of a move", blending.blend, which, farthest, rest)
}

// blend returns the polynomial from s0 of path a to s1 of path b, with the derivatives of both up to an order: a quintic for the second.
func blend(a curve.Vector, s0 float64, b curve.Vector, s1, width float64, order int) curve.Vector {
	v := make(curve.Vector, len(a))
	for i := range v {
		var start, end []float64
		for k := range order + 1 {
			start, end = append(start, a[i].At(s0, k)), append(end, b[i].At(s1, k))
		}
		v[i] = curve.Hermite(0, width, start, end)
	}
	return v
}
