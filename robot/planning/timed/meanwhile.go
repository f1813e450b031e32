package timed

import (
	"slices"

	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// meanwhile is an engine for a robot while others move: what is hit at any time of their motion is hit.
type meanwhile struct {
	scene.Engine
	lines scene.LineEngine // nil: the engine is none
	times [][]float64      // configurations of the scene, with those of the others
	own   []bool           // coordinates of the robot
	from  []float64
}

// moments is at how many times of the motions of others a robot avoids them.
const moments = 32

// during returns an engine for the robot with these joints while the others move as m.
func during(m *MultiRobotMotion, e scene.Engine, joints, own *space.Joints) *meanwhile {
	w := &meanwhile{Engine: e, own: make([]bool, joints.NQ()), from: make([]float64, joints.NQ())}
	w.lines, _ = e.(scene.LineEngine)
	low, high := slices.Repeat([]float64{0}, own.Dim()), slices.Repeat([]float64{1}, own.Dim())
	step := make([]float64, joints.NQ())
	own.Line(low, high, w.from, step)
	for i, x := range step {
		w.own[i] = x != 0
	}
	states, p := make([]trajectory.State, m.axes), make([]float64, m.axes)
	for k := range moments + 1 {
		m.At(m.Duration()*float64(k)/moments, states)
		for i, x := range states {
			p[i] = x.Position
		}
		q := make([]float64, joints.NQ())
		joints.Configuration(p, q)
		w.times = append(w.times, q)
	}
	return w
}

// at writes to from the configuration in which the robot is as in q and the others as at a time.
func (w *meanwhile) at(time int, q []float64) {
	copy(w.from, w.times[time])
	for i, own := range w.own {
		if own {
			w.from[i] = q[i]
		}
	}
}

// Collide reports whether anything touches at any time.
func (w *meanwhile) Collide(q []float64) (pair scene.Pair, hit bool, err error) {
	for k := range w.times {
		w.at(k, q)
		if pair, hit, err = w.Engine.Collide(w.from); hit || err != nil {
			return pair, hit, err
		}
	}
	return pair, false, nil
}

// CollideAlong implements [scene.LineEngine].
func (w *meanwhile) CollideAlong(from, step []float64, points, of int) (hit bool, err error) {
	if w.lines == nil {
		q := make([]float64, len(from))
		for k := 1; k <= points && !hit && err == nil; k++ {
			for i := range q {
				q[i] = from[i] + step[i]*float64(k)/float64(of)
			}
			_, hit, err = w.Collide(q)
		}
		return hit, err
	}
	for k := range w.times {
		w.at(k, from)
		if hit, err = w.lines.CollideAlong(w.from, step, points, of); hit || err != nil {
			return hit, err
		}
	}
	return false, nil
}
