package trajectory

import (
	"errors"
	"fmt"
	"math"
	"sort"
)

// Rounded is a motion from rest to rest along a polyline that passes its corners without a stop. It holds the memory of its plan: one
// through at most as many points as it was made for allocates nothing.
//
// On an edge all axes keep to the straight line. Around a corner their velocity turns from that of the one edge to that of the next,
//
//	q̇(t) = V1 + (V2 - V1) σ(t),
//
// where σ is the change from 0 to 1 that the limits of acceleration and jerk allow. So velocity, acceleration and jerk of each axis are
// within their limits at all times, not only at samples, and the motion stays within the triangle of the corner, the point where it
// leaves the one edge and the point where it reaches the other. The motion is a sequence of cubic polynomials. L. Biagiotti, C. Melchiorri, Trajectory
// Planning for Automatic Machines and Robots, Springer 2008, sections 3.2.3 and 3.4, have its parts: linear motions with blends, and double-S profiles.
//
// The speeds at the corners are chosen for the least duration: first from a grid, by dynamic programming, then by steps of one corner at a
// time that are halved until they are a thousandth of the greatest speed there. A motion in the same triangles with other profiles at corners may be faster.
type Rounded struct {
	axes    int
	limits  []Limits
	points  []float64
	way     []float64 // of each edge, a value for each axis
	edges   []edge
	corners []corner
	turns   []float64 // of the corners
	choices []choice  // of each level of speed at each corner

	// Pieces of constant jerk.
	start []float64 // s
	state []float64 // of each piece: position, velocity, acceleration and jerk of all axes
	round []int32   // of each piece: the point that it rounds, or -1

	// Where the last piece ends.
	duration float64
	now      []float64 // position, velocity, acceleration and jerk
}

// NewRounded returns a motion of the given number of axes that rests at 0, for [Rounded.Plan] to fill. It allocates the memory of a plan through
// the given number of points.
func NewRounded(axes, points int) *Rounded {
	if axes < 1 || points < 0 {
		panic(fmt.Sprintf("trajectory: NewRounded: %d axes and %d points, expected at least one axis", axes, points))
	}
	pieces := piecesOfPoint * points
	return &Rounded{
		axes: axes, limits: make([]Limits, 0, axes), points: make([]float64, 0, points*axes), way: make([]float64, 0, points*axes),
		edges: make([]edge, 0, points), corners: make([]corner, 0, points), turns: make([]float64, 0, points*axes), choices: make([]choice, 0, points*speedLevels),
		start: make([]float64, 0, pieces), state: make([]float64, 0, 4*axes*pieces), round: make([]int32, 0, pieces), now: make([]float64, 4*axes),
	}
}

// piecesOfPoint is how many pieces an edge and a corner have: three for each ramp, and one between those of the edge.
const piecesOfPoint = 10

// ErrUnlimited means that an axis of a [Rounded] has no finite limit of velocity, acceleration or jerk.
var ErrUnlimited = errors.New("a motion along a polyline needs finite limits of velocity, acceleration and jerk")

// Plan plans the motion through points, a value for each axis one after the other. deviation, a value for each point, is how far from a corner
// the motion may pass it, as the Euclidean norm over all axes; 0 stops there, infinity leaves it to the lengths of the edges. The first
// and the last value are not used. Points that repeat the one before are left out. It fails with an [*AxisError], and panics if numbers do not agree.
func (m *Rounded) Plan(points []float64, limits []Limits, deviation []float64) error {
	n := len(points) / m.axes
	if n < 1 || n*m.axes != len(points) || len(limits) != m.axes || len(deviation) != n {
		panic(fmt.Sprintf("trajectory: Rounded.Plan: %d values, %d limits and %d deviations of %d axes: expected at least one point, and a deviation for each",
			len(points), len(limits), len(deviation), m.axes))
	}
	for i := range limits {
		x := Axis{Limits: limits[i]}
		if reason := x.check(); reason != nil {
			return &AxisError{i, reason}
		}
		if b := limits[i].bounds(); math.IsInf(b.jerk, 1) || math.IsInf(max(b.upperAcceleration, b.lowerAcceleration), 1) {
			return &AxisError{i, ErrUnlimited}
		}
	}
	for k, x := range points {
		if x-x != 0 {
			return &AxisError{k % m.axes, ErrNotFinite}
		}
	}
	m.limits = append(m.limits[:0], limits...)
	m.points = append(m.points[:0], points...)
	m.arrange(deviation)
	m.chooseSpeeds()
	m.write()
	return nil
}

// write makes the pieces of the motion with the chosen speeds.
func (m *Rounded) write() {
	m.start, m.state, m.round, m.duration = m.start[:0], m.state[:0], m.round[:0], 0
	n := m.axes
	var from, to corner // rest before and after
	for k := range m.edges {
		e, way := &m.edges[k], m.way[k*n:(k+1)*n]
		to = corner{}
		if k < len(m.corners) {
			to = m.corners[k]
		}
		begin, end := e.most/2*from.travel(from.speed), e.most/2*to.travel(to.speed)
		v0, v1 := from.speed*e.most, to.speed*e.most
		for i := range n { // exactly on the edge
			m.now[i], m.now[n+i], m.now[2*n+i] = m.points[e.from*n+i]+begin*way[i], v0*way[i], 0
		}
		peak, hold, _ := e.plan(v0, v1, max(1-begin-end, 0))
		m.ramp(e.up, peak-v0, 1, way, -1)
		m.piece(hold, 0, way, -1)
		m.ramp(e.down, peak-v1, -1, way, -1)
		m.ramp(to.ramp, to.speed, 1, to.turn, int32(to.point))
		from = to
	}
	clear(m.now)
	copy(m.now, m.points[len(m.points)-n:])
}

// ramp appends the pieces of a change of velocity by sign dv direction.
func (m *Rounded) ramp(r ramp, dv, sign float64, direction []float64, round int32) {
	grow, hold, jerk := r.phases(dv)
	m.piece(grow, sign*jerk, direction, round)
	m.piece(hold, 0, direction, round)
	m.piece(grow, -sign*jerk, direction, round)
}

// piece appends a piece with a jerk in a direction.
func (m *Rounded) piece(time, jerk float64, direction []float64, round int32) {
	if !(time > 0) {
		return
	}
	n := m.axes
	q, v, a, j := m.now[:n], m.now[n:2*n], m.now[2*n:3*n], m.now[3*n:]
	for i := range j {
		j[i] = jerk * direction[i]
	}
	m.start, m.state, m.round = append(m.start, m.duration), append(m.state, m.now...), append(m.round, round)
	for i := range q {
		q[i] += time * (v[i] + time*(a[i]/2+time*j[i]/6))
		v[i] += time * (a[i] + time*j[i]/2)
		a[i] += time * j[i]
	}
	m.duration += time
}

// Axes returns the number of axes.
func (m *Rounded) Axes() int { return m.axes }

// Duration returns when the motion comes to rest (s).
func (m *Rounded) Duration() float64 { return m.duration }

// At writes the states of all axes at a time (s) to out, and panics if their numbers differ. Before 0 and after the duration they rest. It
// allocates nothing.
func (m *Rounded) At(time float64, out []State) {
	if len(out) != m.axes {
		panic(fmt.Sprintf("trajectory: At: expected %d states, got %d", m.axes, len(out)))
	}
	k := m.find(time)
	if k < 0 {
		for i := range out {
			out[i] = State{Position: m.now[i]}
		}
		return
	}
	n := m.axes
	x, t := m.state[4*n*k:4*n*(k+1)], max(time-m.start[k], 0)
	for i := range out {
		c := piece{position: x[i], velocity: x[n+i], acceleration: x[2*n+i], jerk: x[3*n+i]}
		out[i] = c.state(t)
	}
}

// Jerk writes the jerk of all axes at a time (s) to out; at a jump it is the later value. out has a value for each axis: rad/s³ or m/s³.
func (m *Rounded) Jerk(time float64, out []float64) {
	if k := m.find(time); k >= 0 && time >= 0 {
		copy(out, m.state[4*m.axes*k+3*m.axes:4*m.axes*(k+1)])
		return
	}
	clear(out)
}

// Corner returns the index of the point that the motion rounds at a time (s), or -1 on an edge.
func (m *Rounded) Corner(time float64) int {
	if k := m.find(time); k >= 0 {
		return int(m.round[k])
	}
	return -1
}

// find returns the piece at a time, or -1 after the last one.
func (m *Rounded) find(time float64) int {
	if !(time < m.duration) {
		return -1
	}
	return max(sort.SearchFloat64s(m.start, math.Nextafter(time, math.Inf(1)))-1, 0)
}

// Deviation returns how far from a point of the polyline, counted from 0, the motion passes it, in the unit of the polyline: 0 where it stops or goes straight on.
func (m *Rounded) Deviation(point int) float64 {
	for k := range m.corners {
		if c := &m.corners[k]; c.point == point {
			return c.reach(c.speed)
		}
	}
	return 0
}
