package plans

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/planning/timed"
)

// solveUntimed finds a path for a robot with a joint of several coordinates, such as a body that flies, to which no limits of time apply. The motion has a
// constant speed of 1 in the distance of the space.
func (x *Planner) solveUntimed(q *Problem, start, goal []float64, over func() bool, r *Reply) (timedMotion, error) {
	common := x.planner.Common()
	for range attempts {
		path, err := x.planner.Plan(start, goal)
		if err != nil {
			return x.along(path), err
		}
		s := planning.NewSimplifier(common.Verifier())
		s.Seed, s.Stop = q.Seed, over
		s.Simplify(path)
		if x.judge.Path(path) {
			for i := range path.Len() {
				r.corner(x, path.At(i))
			}
			r.Report = fmt.Sprintf("free by the exact engine, sampled every %.3g; without limits of time, since a joint has several coordinates", x.world.Resolution)
			return x.along(path), nil
		}
		common.Seed++
	}
	return nil, &timed.ContactError{Attempts: attempts}
}

// along returns the motion along a path with speed 1, nil without a path of two points.
func (x *Planner) along(path *planning.Path) timedMotion {
	if path == nil || path.Len() < 2 {
		return nil
	}
	return polyline{path, x.spaces.moving, path.Length(x.spaces.moving)}
}

// polyline is a path that is followed with speed 1.
type polyline struct {
	path   *planning.Path
	space  space.Space
	length float64
}

// Duration returns the length of the path.
func (m polyline) Duration() float64 { return m.length }

func (m polyline) at(t float64, q []float64) {
	for i := 1; i < m.path.Len(); i++ {
		a, b := m.path.At(i-1), m.path.At(i)
		edge := m.space.Distance(a, b)
		if t <= edge && edge > 0 {
			m.space.Interpolate(a, b, t/edge, q)
			return
		}
		t -= edge
	}
	copy(q, m.path.At(m.path.Len()-1))
}
