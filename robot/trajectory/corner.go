package trajectory

import "math"

// edge is a straight part of a polyline; the coordinate along it goes from 0 to 1.
type edge struct {
	passage
	from int // the point at which it begins
}

// corner is where two edges meet, or the rest before the first and after the last one. Its speed is a share of the greatest speeds of its edges, so it
// is from 0, a stop, to 1.
type corner struct {
	ramp                // of the change of velocity, for a share of 1
	turn      []float64 // change of the greatest velocity, of all axes
	size      float64   // its norm
	deviation float64
	point     int
	most      float64 // greatest speed
	speed     float64
}

// travel returns the time that rounding takes times the speed: half of it is the way on either edge, in units of its greatest speed.
func (c *corner) travel(speed float64) float64 { return speed * c.time(speed) }

// reach returns how far from the corner the motion passes it.
func (c *corner) reach(speed float64) float64 { return c.size * c.sag(speed) }

// arrange finds edges and corners, and the speeds that the deviations allow.
func (m *Rounded) arrange(deviation []float64) {
	n := m.axes
	m.way, m.turns, m.edges, m.corners = m.way[:0], m.turns[:0], m.edges[:0], m.corners[:0]
	from := 0
	for to := 1; to < len(deviation); to++ {
		b := bounds{math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)}
		first, moves := len(m.way), false
		for i := range n {
			d := m.points[to*n+i] - m.points[from*n+i]
			moves = moves || d != 0
			m.way = append(m.way, d)
			b = b.tighten(m.limits[i].bounds(), d)
		}
		if !moves {
			m.way = m.way[:first]
			continue
		}
		m.edges = append(m.edges, edge{passage{ramp{b.upperAcceleration, b.jerk}, ramp{b.lowerAcceleration, b.jerk}, b.upperVelocity}, from})
		if k := len(m.edges) - 1; k > 0 {
			m.corners = append(m.corners, corner{point: from, deviation: deviation[from]})
		}
		from = to
	}
	for k := range m.corners {
		m.measure(k)
	}
}

// measure computes the change of velocity at a corner.
func (m *Rounded) measure(k int) {
	n := m.axes
	c, before, after := &m.corners[k], &m.edges[k], &m.edges[k+1]
	first := len(m.turns)
	c.ramp = ramp{math.Inf(1), math.Inf(1)}
	sum := 0.0
	for i := range n {
		d := after.most*m.way[(k+1)*n+i] - before.most*m.way[k*n+i]
		m.turns = append(m.turns, d)
		sum += d * d
		l := m.limits[i].bounds()
		limit := l.upperAcceleration
		if d < 0 {
			limit = l.lowerAcceleration
		}
		if d != 0 {
			c.acceleration, c.jerk = min(c.acceleration, limit/math.Abs(d)), min(c.jerk, l.jerk/math.Abs(d))
		}
	}
	c.turn, c.size = m.turns[first:first+n:first+n], math.Sqrt(sum)
	c.most = 1
	if !(c.deviation > 0) { // nor NaN
		c.deviation = 0
	}
	if c.size > 0 && c.reach(1) > c.deviation {
		c.most = bisect(c.deviation, c.reach)
	}
	// Neither edge is shorter than the half of the rounding on it.
	if shortest := 1 / max(before.most, after.most); c.travel(c.most)/2 > shortest {
		c.most = bisect(2*shortest, c.travel)
	}
}

// bisect returns the greatest speed from 0 to 1 at which a growing function is not above a limit.
func bisect(limit float64, f func(speed float64) float64) float64 {
	low, high := 0.0, 1.0
	for range 50 {
		if x := (low + high) / 2; f(x) <= limit {
			low = x
		} else {
			high = x
		}
	}
	return low
}

// speedLevels is how many speeds are tried at a corner at first, from 0 to the greatest.
const speedLevels = 8

// choice is the best motion up to a corner that passes it at a level of speed.
type choice struct {
	time float64
	from int8 // level at the corner before
}

// chooseSpeeds gives each corner the speed with which the motion is shortest.
func (m *Rounded) chooseSpeeds() {
	n := len(m.corners)
	if n == 0 {
		return
	}
	m.choices = m.choices[:0]
	for k := range m.corners {
		to := m.corners[k]
		for level := range speedLevels {
			to.speed = to.level(level)
			best := choice{time: math.Inf(1)}
			if k == 0 {
				best.time = m.edgeTime(0, &corner{}, &to)
			} else {
				from := m.corners[k-1]
				for before := range speedLevels {
					from.speed = from.level(before)
					// No edge takes less than at its greatest speed.
					t := m.choices[(k-1)*speedLevels+before].time
					if t+m.remaining(k, &from, &to)/m.edges[k].most >= best.time {
						continue
					}
					if t += m.edgeTime(k, &from, &to); t < best.time {
						best = choice{t, int8(before)}
					}
				}
			}
			best.time += to.time(to.speed)
			m.choices = append(m.choices, best)
		}
	}
	best, level := math.Inf(1), 0
	for before := range speedLevels {
		from := m.corners[n-1]
		from.speed = from.level(before)
		if t := m.choices[(n-1)*speedLevels+before].time + m.edgeTime(n, &from, &corner{}); t < best {
			best, level = t, before
		}
	}
	for k := n - 1; k >= 0; k-- {
		m.corners[k].speed = m.corners[k].level(level)
		level = int(m.choices[k*speedLevels+level].from)
	}
	m.refineSpeeds()
}

// level returns the speed of a level.
func (c *corner) level(i int) float64 { return c.most * float64(i) / (speedLevels - 1) }

// refineSpeeds takes steps of one corner at a time.
func (m *Rounded) refineSpeeds() {
	for step := 0.5 / (speedLevels - 1); step > 1e-3; step /= 2 {
		for k := range m.corners {
			c := &m.corners[k]
			start, best := c.speed, m.timeAround(k)
			keep := start
			for _, sign := range [2]float64{1, -1} {
				c.speed = min(max(start+sign*step*c.most, 0), c.most)
				if t := m.timeAround(k); t < best {
					best, keep = t, c.speed
				}
			}
			c.speed = keep
		}
	}
}

// timeAround returns the duration of a corner and its edges.
func (m *Rounded) timeAround(k int) float64 {
	var before, after corner
	if k > 0 {
		before = m.corners[k-1]
	}
	if k < len(m.corners)-1 {
		after = m.corners[k+1]
	}
	c := &m.corners[k]
	return m.edgeTime(k, &before, c) + c.time(c.speed) + m.edgeTime(k+1, c, &after)
}

// edgeTime returns the duration of what two corners leave of edge k, infinite if that is nothing.
func (m *Rounded) edgeTime(k int, from, to *corner) float64 {
	rest := m.remaining(k, from, to)
	if rest < 0 {
		return math.Inf(1)
	}
	e := &m.edges[k]
	return e.passage.time(from.speed*e.most, to.speed*e.most, rest)
}

// remaining returns the part of edge k that the rounding of two corners leaves, negative if both do not have room on it.
func (m *Rounded) remaining(k int, from, to *corner) float64 {
	return 1 - m.edges[k].most/2*(from.travel(from.speed)+to.travel(to.speed))
}
