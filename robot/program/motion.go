package program

import (
	"fmt"
	"math"
	"sort"

	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// Motion is a compiled program: the positions of all joints as quintic polynomials of time, with continuous velocities and accelerations. It does not
// change; any number of players may share it. It is a [trajectory.Motion].
type Motion struct {
	// Limits are those of the joints, which hold at all times.
	Limits []trajectory.Limits

	// Parts are the moves with a way or a duration, in the order of the program.
	Parts []Part

	// Outputs are the changes of outputs, in the order of their times.
	Outputs []Change

	// Report is what the checks found, for people.
	Report Report

	axes   int
	starts []float64    // of the pieces, s, and the end of the last
	pieces [][6]float64 // of each piece all axes, coefficients of powers of the time since its start
	rests  []float64    // times at which the motion may be left and entered at rest: start, stops, end
}

// Part is the time that a move takes within a motion. A blend belongs with its first half to the move that ends in it.
type Part struct {
	Move       int     // index in Program.Moves
	Start, End float64 // s
	Length     float64 // of the path: m of the tool, see [Compile]
}

// Change is that an output takes a value.
type Change struct {
	Time  float64 // s
	Name  string
	Value float64
}

// Axes returns the number of joints.
func (m *Motion) Axes() int { return m.axes }

// Duration returns when the motion ends (s).
func (m *Motion) Duration() float64 { return m.starts[len(m.starts)-1] }

// Stops returns the times at which the motion is at rest between moves, with its start and its end.
func (m *Motion) Stops() []float64 { return m.rests }

// piece returns the piece at a time, which is clamped to the motion, and the time within it. hint is the piece of the call before.
func (m *Motion) piece(t float64, hint int) (k int, h float64) {
	last := len(m.starts) - 2
	t = min(max(t, 0), m.starts[last+1])
	k = min(max(hint, 0), last)
	for steps := 0; ; steps++ {
		switch {
		case t < m.starts[k] && k > 0:
			k--
		case t >= m.starts[k+1] && k < last:
			k++
		default:
			return k, t - m.starts[k]
		}
		if steps == 4 {
			break
		}
	}
	k = min(max(sort.SearchFloat64s(m.starts, t)-1, 0), last)
	return k, t - m.starts[k]
}

// At writes the states of all joints at a time (s), which is clamped to the duration. It panics unless out has a place for each joint. It allocates nothing.
func (m *Motion) At(time float64, out []trajectory.State) {
	if len(out) != m.axes {
		panic(fmt.Sprintf("program: At: expected %d states, got %d", m.axes, len(out)))
	}
	k, h := m.piece(time, math.MaxInt)
	for i := range out {
		c := &m.pieces[k*m.axes+i]
		out[i] = trajectory.State{
			Position:     c[0] + h*(c[1]+h*(c[2]+h*(c[3]+h*(c[4]+h*c[5])))),
			Velocity:     c[1] + h*(2*c[2]+h*(3*c[3]+h*(4*c[4]+h*5*c[5]))),
			Acceleration: 2*c[2] + h*(6*c[3]+h*(12*c[4]+h*20*c[5])),
		}
	}
}

// Jerk writes the jerk of all joints at a time (s) to out; at a jump it is the later value.
func (m *Motion) Jerk(time float64, out []float64) {
	k, h := m.piece(time, math.MaxInt)
	for i := range out {
		c := &m.pieces[k*m.axes+i]
		out[i] = 6*c[3] + h*(24*c[4]+h*60*c[5])
	}
}

// PartAt returns the index in Parts of the move under way at a time (s); -1 if there is none.
func (m *Motion) PartAt(time float64) int {
	return max(sort.Search(len(m.Parts), func(i int) bool { return m.Parts[i].Start > time })-1, min(0, len(m.Parts)-1))
}

// extremes returns the greatest ratios to limits of velocity, acceleration and jerk within a piece of one axis. They are exact where it is cubic.
func extremes(c *[6]float64, h float64, l *trajectory.Limits) (v, a, j float64) {
	measure := func(x float64) {
		v = max(v, math.Abs(c[1]+x*(2*c[2]+x*(3*c[3]+x*(4*c[4]+x*5*c[5]))))/l.Velocity)
		a = max(a, math.Abs(2*c[2]+x*(6*c[3]+x*(12*c[4]+x*20*c[5])))/l.Acceleration)
		j = max(j, math.Abs(6*c[3]+x*(24*c[4]+x*60*c[5]))/l.Jerk)
	}
	measure(0)
	measure(h / 2)
	measure(h)
	if c[4] == 0 && c[5] == 0 {
		if x := -c[2] / (3 * c[3]); x > 0 && x < h {
			measure(x)
		}
	} else if x := -c[4] / (5 * c[5]); x > 0 && x < h {
		measure(x)
	}
	return v, a, j
}

// hermite returns the quintic between two states over the time h.
func hermite(a, b trajectory.State, h float64) [6]float64 {
	d := b.Position - a.Position - h*(a.Velocity+h*a.Acceleration/2)
	v := (b.Velocity - a.Velocity - h*a.Acceleration) * h
	w := (b.Acceleration - a.Acceleration) * h * h
	h3 := h * h * h
	return [6]float64{
		a.Position, a.Velocity, a.Acceleration / 2,
		(10*d - 4*v + w/2) / h3, (-15*d + 7*v - w) / (h3 * h), (6*d - 3*v + w/2) / (h3 * h * h),
	}
}
