package trajectory

import (
	"math"
	"sort"
)

// SmoothLaw is the law of time of a [PathMotion], averaged over a moving window of length Window and again over one of an eighth of it: the
// acceleration along the path, which jumps in the original, is then continuously differentiable, and the jerk is bounded by the jumps divided by Window. It takes
// longer by both windows. Speeds and accelerations along the path stay within those of the original nearby, but fall on places of the path that are up
// to a window away.
//
// L. Biagiotti, C. Melchiorri, Trajectory Planning for Automatic Machines and Robots, Springer 2008, section 4.4: the double-S
// profile is the trapezoidal one, averaged so.
type SmoothLaw struct {
	Window float64 // s

	motion *PathMotion
	sums   []float64 // integral of s over time at the grid
}

// Smooth returns the law of the motion averaged over a window (s), which must be positive. The motion must start and end at rest.
func (m *PathMotion) Smooth(window float64) *SmoothLaw {
	if !(window > 0) || math.IsInf(window, 1) {
		panic("trajectory: Smooth: expected a positive window")
	}
	l := &SmoothLaw{Window: window, motion: m, sums: make([]float64, len(m.t))}
	for k := 1; k < len(m.t); k++ {
		l.sums[k] = l.sums[k-1] + m.sum(k-1, m.t[k]-m.t[k-1])
	}
	return l
}

// sum returns the integral of s over the time h from grid point k.
func (m *PathMotion) sum(k int, h float64) float64 {
	width := m.t[k+1] - m.t[k]
	v0, v1 := root(m.x[k]), root(m.x[k+1])
	return h * (m.s[k] + h*(v0/2+h*(v1-v0)/width/6))
}

// second is the length of the second window.
func (l *SmoothLaw) second() float64 { return l.Window / 8 }

// Duration returns when the end of the path is reached (s).
func (l *SmoothLaw) Duration() float64 { return l.motion.Duration() + l.Window + l.second() }

// integral returns the integral of s from 0 to a time, which may be outside of the motion.
func (l *SmoothLaw) integral(t float64) float64 {
	m := l.motion
	last := len(m.t) - 1
	switch {
	case t <= 0:
		return t * m.s[0]
	case t >= m.t[last]:
		return l.sums[last] + (t-m.t[last])*m.s[last]
	}
	k := sort.SearchFloat64s(m.t, t) - 1
	return l.sums[k] + m.sum(k, t-m.t[k])
}

// original returns the law of the motion, which rests before and after it.
func (l *SmoothLaw) original(t float64) (s, ds float64) {
	switch end := l.motion.Duration(); {
	case t <= 0:
		return l.motion.s[0], 0
	case t >= end:
		return l.motion.s[len(l.motion.s)-1], 0
	}
	s, ds, _ = l.motion.Law(t)
	return s, ds
}

// once returns the law averaged over the first window.
func (l *SmoothLaw) once(t float64) (s, ds, dds float64) {
	s1, v1 := l.original(t)
	s0, v0 := l.original(t - l.Window)
	return (l.integral(t) - l.integral(t-l.Window)) / l.Window, (s1 - s0) / l.Window, (v1 - v0) / l.Window
}

// Law returns the path coordinate and its derivatives in time up to the jerk at a time (s). It allocates nothing.
func (l *SmoothLaw) Law(t float64) (s, ds, dds, ddds float64) {
	width := l.second()
	s1, v1, a1 := l.once(t)
	s0, v0, a0 := l.once(t - width)
	// Between the times of the grid, and these times later by the window, the law is cubic: Simpson's rule is exact.
	var sum float64
	grid := l.motion.t
	from := t - width
	i, j := sort.SearchFloat64s(grid, from), sort.SearchFloat64s(grid, from-l.Window)
	left := s0
	for from < t {
		to := t
		for i < len(grid) && grid[i] <= from {
			i++
		}
		for j < len(grid) && grid[j]+l.Window <= from {
			j++
		}
		if i < len(grid) {
			to = min(to, grid[i])
		}
		if j < len(grid) {
			to = min(to, grid[j]+l.Window)
		}
		middle, _, _ := l.once((from + to) / 2)
		right := s1
		if to < t {
			right, _, _ = l.once(to)
		}
		sum += (to - from) / 6 * (left + 4*middle + right)
		from, left = to, right
	}
	return sum / width, (s1 - s0) / width, (v1 - v0) / width, (a1 - a0) / width
}
