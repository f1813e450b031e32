package trajectory

import (
	"fmt"
	"sort"
)

// Path is a curve in the space of the axes: position as a function of the path coordinate s, without time. The
// splines and vectors of robot/curve are paths.
type Path interface {
	// Domain returns the interval of s.
	Domain() (lower, upper float64)

	// At stores the derivative of the given order in s at s in out, for order 0, 1 and 2.
	At(out []float64, s float64, order int)
}

// PathMotion is the motion along a path with a law of time s(t). Within each interval of its grid s̈ is constant.
type PathMotion struct {
	path Path
	s    []float64 // grid
	x    []float64 // ṡ² there
	t    []float64 // time there
	q    [3][]float64
}

// Axes returns the number of axes.
func (m *PathMotion) Axes() int { return len(m.q[0]) }

// Duration returns when the end of the path is reached (s).
func (m *PathMotion) Duration() float64 { return m.t[len(m.t)-1] }

// Law returns the path coordinate and its first and second derivative in time at a time (s), which is clamped to the
// duration.
func (m *PathMotion) Law(time float64) (s, ds, dds float64) {
	k := min(max(sort.SearchFloat64s(m.t, time), 1), len(m.t)-1)
	h := min(max(time, 0), m.t[k]) - m.t[k-1]
	width := m.t[k] - m.t[k-1]
	v0, v1 := root(m.x[k-1]), root(m.x[k])
	dds = (v1 - v0) / width
	return m.s[k-1] + h*(v0+h*dds/2), v0 + h*dds, dds
}

// At writes the states of all axes at a time (s) to out, and panics if their numbers differ. It allocates nothing, and
// must not be called by several goroutines at once.
//
//	q̇ = q′(s) ṡ,  q̈ = q′(s) s̈ + q″(s) ṡ²
func (m *PathMotion) At(time float64, out []State) {
	if len(out) != m.Axes() {
		panic(fmt.Sprintf("trajectory: At: expected %d states, got %d", m.Axes(), len(out)))
	}
	s, ds, dds := m.Law(time)
	for order := range m.q {
		m.path.At(m.q[order], s, order)
	}
	for i := range out {
		out[i] = State{
			Position:     m.q[0][i],
			Velocity:     m.q[1][i] * ds,
			Acceleration: m.q[1][i]*dds + m.q[2][i]*ds*ds,
		}
	}
}
