package servo

import (
	"fmt"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/robot/curve"
)

// Move is the target of a [Generator] and the time to reach it.
type Move struct {
	Positions []float64 `doc:"target positions of all axes"`
	Duration  float64   `unit:"s" doc:"duration of the motion"`
}

// Generator moves N axes from where they are to given positions, all in the same given time: the polynomial of fifth
// degree with the least jerk (Flash and Hogan 1985). A new command starts from position, velocity and
// acceleration of the motion under way, without a jump.
//
//	       ┌───────────┐
//	moveTo │ Generator ├─► position, velocity, acceleration
//	       └───────────┘
//
// A target beyond ±1e30 and a duration that is not from 1 µs to 1e30 s are rejected; the motion under way
// continues. It rests at the target when the time is over, and at start before the first command. With resume it rests before the first
// command where it was in the run before: joints that resume, too, do not jump. It does not check the limits of the robot.
type Generator struct {
	N          block.Const[int]       `default:"1" min:"1" max:"1000" doc:"number of axes"`
	Coordinate block.Const[string]    `default:"rad" doc:"unit of the positions"`
	Start      block.Const[[]float64] `unit:"{Coordinate}" doc:"initial positions; default: all 0"`
	Resume     block.Const[bool]      `doc:"it begins where an earlier run has left it; false: at start"`

	Position     block.Out[[]float64] `unit:"{Coordinate}" show:"joint_desired" doc:"planned positions"`
	Velocity     block.Out[[]float64] `unit:"{Coordinate}/s" doc:"planned velocities"`
	Acceleration block.Out[[]float64] `unit:"{Coordinate}/s²" doc:"planned accelerations"`

	MoveTo block.Operation[Move, block.None] `unit:"{Coordinate}" show:"joint_move" doc:"move to positions within a time, beginning now"`

	axes      []curve.Polynomial
	target    []float64
	since     float64 // time since the motion began
	duration  float64 // 0: at rest
	errTarget error
	planned   []float64 `persist:"yes" unit:"{Coordinate}" doc:"planned positions"`
}

var errDuration = fmt.Errorf("moveTo: duration must be a time from %v to %v s", shortestMove, port.MaxMagnitude)

// shortestMove is the shortest duration of a motion, s: below it the polynomial's coefficients lose their digits.
const shortestMove = 1e-6

// Setup fixes the number of axes.
func (g *Generator) Setup(s *block.Setup) error {
	n := g.N.Value()
	s.Len(n, &g.Position, &g.Velocity, &g.Acceleration, &g.MoveTo)
	g.MoveTo.Handle(g.moveTo)
	g.errTarget = fmt.Errorf("moveTo: positions must be numbers from %v to %v %s", -port.MaxMagnitude, port.MaxMagnitude, g.Coordinate.Value())
	g.axes, g.target = make([]curve.Polynomial, n), make([]float64, n)
	for i := range g.axes {
		g.axes[i].SetMinimumJerk(1, curve.State{}, curve.State{}) // makes the room that moves need
	}
	if start := g.Start.Value(); len(start) != 0 && len(start) != n {
		return fmt.Errorf("start has length %d: wants one element for each of the axes (%d)", len(start), n)
	}
	copy(g.target, g.Start.Value())
	if !g.Resume.Value() {
		s.DoNotKeep("its parameter resume is false", &g.planned)
	} else if len(g.planned) == n {
		copy(g.target, g.planned)
	}
	g.planned = slices.Clone(g.target)
	return nil
}

func (g *Generator) moveTo(m Move) (block.None, error) {
	if !(m.Duration >= shortestMove && m.Duration <= port.MaxMagnitude) {
		return block.None{}, errDuration
	}
	for _, q := range m.Positions {
		if !(math.Abs(q) <= port.MaxMagnitude) {
			return block.None{}, g.errTarget
		}
	}
	for i := range g.axes {
		g.axes[i].SetMinimumJerk(m.Duration, g.state(i), curve.State{Position: m.Positions[i]})
	}
	copy(g.target, m.Positions)
	g.since, g.duration = 0, m.Duration
	return block.None{}, nil
}

// state returns where an axis is planned to be now.
func (g *Generator) state(i int) curve.State {
	if g.since >= g.duration {
		return curve.State{Position: g.target[i]}
	}
	p := &g.axes[i]
	return curve.State{Position: p.At(g.since, 0), Velocity: p.At(g.since, 1), Acceleration: p.At(g.since, 2)}
}

// Step writes where the axes are planned to be.
func (g *Generator) Step(t clock.Tick) error {
	if t.N > 0 && g.since < g.duration {
		g.since += t.Seconds()
	}
	q, v, a := *g.Position.Slot(), *g.Velocity.Slot(), *g.Acceleration.Slot()
	for i := range g.axes {
		s := g.state(i)
		q[i], v[i], a[i] = s.Position, s.Velocity, s.Acceleration
	}
	copy(g.planned, q)
	g.Position.Commit()
	g.Velocity.Commit()
	g.Acceleration.Commit()
	return nil
}
