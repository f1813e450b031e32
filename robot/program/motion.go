package program

import (
	"fmt"
	"math"
	"sort"

	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// Motion is a compiled program: the positions of all joints as polynomials of time, with continuous velocities and accelerations, and continuous jerks where
// moves ask for that. It does not change; any number of players may share it. It is a [trajectory.Motion].
type Motion struct {
	// Limits are those of the joints, which hold at all times.
	Limits []trajectory.Limits

	// Parts are the moves with a way or a duration, in the order of the program.
	Parts []Part

	// Outputs are the changes of outputs, in the order of their times.
	Outputs []Change

	// Carries are the objects that the tool carries, in the order of their Attach.
	Carries []Carry

	// Report is what the checks found, for people.
	Report Report

	axes   int
	starts []float64 // of the pieces, s, and the end of the last
	pieces []piece   // of each piece all axes
	rests  []float64 // times at which the motion may be left and entered at rest: start, stops, end
}

// Part is the time that a move takes within a motion. A blend belongs with its first half to the move that ends in it.
type Part struct {
	Move       int     // index in Program.Moves
	Start, End float64 // s
	Length     float64 // of the path: m of the tool, see [Compile]

	// Target is where MoveJ and MovePath lead: positions of all joints, also where a blend passes beside it. It is nil for other moves.
	Target []float64
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
		v, a, _ := c.derivatives(h)
		out[i] = trajectory.State{Position: c.position(h), Velocity: v, Acceleration: a}
	}
}

// Jerk writes the jerk of all joints at a time (s) to out; at a jump it is the later value.
func (m *Motion) Jerk(time float64, out []float64) {
	k, h := m.piece(time, math.MaxInt)
	for i := range out {
		_, _, out[i] = m.pieces[k*m.axes+i].derivatives(h)
	}
}

// PartAt returns the index in Parts of the move under way at a time (s); -1 if there is none.
func (m *Motion) PartAt(time float64) int {
	return max(sort.Search(len(m.Parts), func(i int) bool { return m.Parts[i].Start > time })-1, min(0, len(m.Parts)-1))
}
