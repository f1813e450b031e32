package ik

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// The rows of the equations J dq = e: what the tasks ask for, in the order of their priorities.

// arrange sorts the tasks by priority and makes room for them.
func (t *stepper) arrange(tasks []Task) {
	t.order, t.levels, t.left, t.arms = t.order[:0], t.levels[:0], t.left[:0], t.arms[:0]
	for i := range tasks {
		t.order = append(t.order, i)
		t.left, t.arms = append(t.left, [6]float64{}), append(t.arms, spatial.Vec3{})
		for k := i; k > 0 && tasks[t.order[k-1]].Priority > tasks[i].Priority; k-- {
			t.order[k], t.order[k-1] = t.order[k-1], i
		}
	}
	rows, most := 0, 0
	for k, i := range t.order {
		if k == 0 || tasks[i].Priority != tasks[t.order[k-1]].Priority {
			t.levels = append(t.levels, level{firstRow: rows, firstTask: k})
		}
		rows += tasks[i].rows()
		l := &t.levels[len(t.levels)-1]
		l.lastRow, l.lastTask = rows, k+1
		most = max(most, rows-l.firstRow)
	}
	grow(&t.raw, 6*t.n*len(tasks))
	grow(&t.tools, rows*t.n)
	grow(&t.e, rows)
	grow(&t.A, max(most, 1)*t.n)
	grow(&t.X, most*max(t.n, most))
	grow(&t.G, most*most)
	grow(&t.y, most)
}

func grow(x *[]float64, n int) {
	if cap(*x) < n {
		*x = make([]float64, n)
	}
	*x = (*x)[:n]
}

// evaluate finds what is left to go at q and returns the sum of its squares, of the first level.
func (t *stepper) evaluate(s *Solver, tasks []Task, q []float64) (cost float64) {
	for i := range tasks {
		task := &tasks[i]
		link := multibody.Jacobian(s.data, q, task.Link, multibody.Mixed, t.raw[6*t.n*i:6*t.n*(i+1)])
		t.left[i] = task.error(link)
		t.arms[i] = link.R.MulVec(task.Tool.P)
	}
	if len(t.levels) == 0 {
		return 0
	}
	for k := t.levels[0].firstTask; k < t.levels[0].lastTask; k++ {
		i := t.order[k]
		for d, w := range tasks[i].Weight {
			cost += w * w * t.left[i][d] * t.left[i][d]
		}
	}
	return cost
}

// residual returns how far the worst task is from being done: of the first level, or of all others.
func (t *stepper) residual(tasks []Task, which int) (linear, angular float64) {
	for k, l := range t.levels {
		if (k == 0) != (which == 0) {
			continue
		}
		for _, i := range t.order[l.firstTask:l.lastTask] {
			var p, r float64
			for d, w := range tasks[i].Weight {
				switch x := t.left[i][d]; {
				case w == 0:
				case d < 3:
					p += x * x
				default:
					r += x * x
				}
			}
			linear, angular = math.Max(linear, math.Sqrt(p)), math.Max(angular, math.Sqrt(r))
		}
	}
	return linear, angular
}

// equations fills the rows of the tasks that count, from the Jacobians at the configuration last evaluated. what gives the
// right sides: what is left to go, or wanted velocities.
func (t *stepper) equations(tasks []Task, what [][6]float64) {
	row := 0
	for _, i := range t.order {
		task, raw := &tasks[i], t.raw[6*t.n*i:6*t.n*(i+1)]
		first := row
		for d, w := range task.Weight {
			if w != 0 {
				t.e[row] = w * what[i][d]
				row++
			}
		}
		R, arm, n := &task.Target.R, t.arms[i], t.n
		for c := range n {
			angular := spatial.Vec3{X: raw[3*n+c], Y: raw[4*n+c], Z: raw[5*n+c]}
			linear := spatial.Vec3{X: raw[c], Y: raw[n+c], Z: raw[2*n+c]}.Add(angular.Cross(arm))
			l, a := R.TMulVec(linear), R.TMulVec(angular)
			at := first
			for d, x := range [6]float64{l.X, l.Y, l.Z, a.X, a.Y, a.Z} {
				if w := task.Weight[d]; w != 0 {
					t.tools[at*n+c] = w * x
					at++
				}
			}
		}
	}
}
