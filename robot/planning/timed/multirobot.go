package timed

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// MultiRobotMotion is one motion in time of several robots: each departs at its time, and rests before and after its own motion.
type MultiRobotMotion struct {
	parts []part
	axes  int
}

// part is one robot of a [MultiRobotMotion].
type part struct {
	motion    *trajectory.Rounded // nil: it rests
	rest      []float64           // where it rests then
	departure float64             // s
	first     int                 // axis
}

// Axes returns the number of axes of all robots.
func (m *MultiRobotMotion) Axes() int { return m.axes }

// Duration returns the time until the last robot rests, s.
func (m *MultiRobotMotion) Duration() (end float64) {
	for i := range m.parts {
		end = max(end, m.parts[i].end())
	}
	return end
}

func (p *part) end() float64 {
	if p.motion == nil {
		return 0
	}
	return p.departure + p.motion.Duration()
}

// At writes the states of all axes at a time (s) to out. It panics unless len(out) is Axes().
func (m *MultiRobotMotion) At(time float64, out []trajectory.State) {
	if len(out) != m.axes {
		panic(fmt.Sprintf("timed: the states of %d axes into %d", m.axes, len(out)))
	}
	for i := range m.parts {
		p := &m.parts[i]
		if p.motion == nil {
			for k, x := range p.rest {
				out[p.first+k] = trajectory.State{Position: x}
			}
			continue
		}
		own := out[p.first : p.first+p.motion.Axes()]
		t := min(max(time-p.departure, 0), p.motion.Duration())
		if time >= p.end() {
			t = p.motion.Duration()
		}
		p.motion.At(t, own)
		if t == 0 || t == p.motion.Duration() {
			for k := range own {
				own[k].Velocity, own[k].Acceleration = 0, 0
			}
		}
	}
}

// Departure returns the time at which a robot departs, s.
func (m *MultiRobotMotion) Departure(robot int) float64 { return m.parts[robot].departure }

// Arrival returns the time at which a robot is at its goal, s.
func (m *MultiRobotMotion) Arrival(robot int) float64 { return m.parts[robot].end() }
