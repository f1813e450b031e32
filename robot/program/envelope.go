package program

import "math"

// envelope bounds the derivatives of a motion by its time τ over spans of it, so that a player can check limits between samples too. Level l has
// cells of 2^l times the width; a span of at most the width of a cell is covered by two cells of its level.
type envelope struct {
	axes   int
	levels [][]bounds // of each cell all axes
}

// bounds are the least and the greatest first, second and third derivative.
type bounds struct{ low1, high1, low2, high2, low3, high3 float64 }

var none = bounds{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)}

func (b *bounds) include(c *bounds) {
	b.low1, b.high1 = min(b.low1, c.low1), max(b.high1, c.high1)
	b.low2, b.high2 = min(b.low2, c.low2), max(b.high2, c.high2)
	b.low3, b.high3 = min(b.low3, c.low3), max(b.high3, c.high3)
}

// finest is the width of the cells of level 0, s, and levels their number.
const (
	finest = 1.0 / 256
	levels = 8
)

func newEnvelope(m *Motion) *envelope {
	e := &envelope{axes: m.axes}
	count := int(m.Duration()/finest) + 1
	first := make([]bounds, count*m.axes)
	for k := range first {
		first[k] = none
	}
	for k := range m.starts[1:] {
		start, end := m.starts[k], m.starts[k+1]
		for t := start; ; {
			cell := min(int(t/finest), count-1)
			next := min(float64(cell+1)*finest, end)
			for i := range m.axes {
				first[cell*m.axes+i].add(&m.pieces[k*m.axes+i], t-start, next-start)
			}
			if next >= end || cell == count-1 {
				break
			}
			t = next
		}
	}
	e.levels = append(e.levels, first)
	for l := 1; l < levels && len(e.levels[l-1]) > m.axes; l++ {
		below := e.levels[l-1]
		cells := (len(below)/m.axes + 1) / 2
		level := make([]bounds, cells*m.axes)
		for k := range level {
			cell, i := k/m.axes, k%m.axes
			level[k] = below[2*cell*m.axes+i]
			if next := (2*cell+1)*m.axes + i; next < len(below) {
				level[k].include(&below[next])
			}
		}
		e.levels = append(e.levels, level)
	}
	return e
}

// add includes a piece from a to b: its derivatives at the ends, in the middle, and where the jerk has its extreme.
func (b *bounds) add(c *piece, from, to float64) {
	extreme := from
	if x := -c[4] / (5 * c[5]); x > from && x < to {
		extreme = x
	}
	for _, h := range [...]float64{from, (3*from + to) / 4, (from + to) / 2, (from + 3*to) / 4, to, extreme} {
		d1, d2, d3 := c.derivatives(h)
		b.include(&bounds{d1, d1, d2, d2, d3, d3})
	}
}

// over returns the cells that cover a span, all axes of the one and of the other.
func (e *envelope) over(from, to float64) (a, b []bounds) {
	if from > to {
		from, to = to, from
	}
	width, level := finest, 0
	for to-from > width && level < len(e.levels)-1 {
		width *= 2
		level++
	}
	cells := e.levels[level]
	last := len(cells)/e.axes - 1
	i, j := min(max(int(from/width), 0), last), min(max(int(to/width), 0), last)
	if from < 0 {
		i = 0
	}
	return cells[i*e.axes : (i+1)*e.axes], cells[j*e.axes : (j+1)*e.axes]
}
