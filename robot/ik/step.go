package ik

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// stepper computes one step towards the tasks: level after level in the freedom that the former ones leave, with joints at
// their limits held.
type stepper struct {
	n       int            // velocity coordinates
	levels  []level        // by rising priority number
	order   []int          // tasks in this order
	left    [][6]float64   // what is left to go, of the tasks
	arms    []spatial.Vec3 // from the link to the tool, in world axes
	raw     []float64      // Jacobians of the tasks' links, in the order of the tasks
	tools   []float64      // of the tools: the rows that count, level after level
	e       []float64      // what is left, of the same rows
	free    []bool
	dq      []float64
	N       []float64 // projector onto the remaining freedom, n×n
	A, X, G []float64
	y       []float64
	damping float64 // factor of Levenberg–Marquardt
	pressed int     // a joint held at its limit in the last step, -1: none
	drift   []float64
}

// level is the rows and the tasks (in order) of one priority.
type level struct{ firstRow, lastRow, firstTask, lastTask int }

// What keeps the equations of a step solvable.
const (
	tiny            = 1e-12 // least damping
	projectorFloor  = 1e-10 // singular values below its root leave their direction free
	restGain        = 0.1   // part of the way to the rest posture in a step
	singularPivot   = 1e-4  // damped least squares begins here
	singularDamping = 1e-2  // and reaches this, as a factor of what is left to go
)

func (t *stepper) init(s *Solver) {
	t.n = s.model.NV()
	t.free, t.dq, t.drift = make([]bool, t.n), make([]float64, t.n), make([]float64, t.n)
	t.N = make([]float64, t.n*t.n)
}

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
	grow(&t.A, most*t.n)
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

// compute returns the step from q: it stays between the bounds of each coordinate, low ≤ q + dq ≤ high. Coordinates that
// would leave them are held at the bound, and the others make up for that.
func (t *stepper) compute(s *Solver, method Method, q, low, high []float64) []float64 {
	t.pressed = -1
	for i := range t.free {
		t.free[i], t.dq[i] = true, 0
	}
	for range t.n + 1 {
		t.solve(s, method, q)
		held := false
		for i, k := range s.place {
			if !t.free[i] || k < 0 {
				continue
			}
			if bound := math.Min(math.Max(q[k]+t.dq[i], low[i]), high[i]); bound != q[k]+t.dq[i] {
				t.free[i], t.dq[i] = false, bound-q[k]
				t.pressed, held = i, true
			}
		}
		if !held {
			break
		}
	}
	return t.dq
}

// solve computes the step of the free coordinates, given that of the held ones.
func (t *stepper) solve(s *Solver, method Method, q []float64) {
	for i, free := range t.free {
		if free {
			t.dq[i] = 0
		}
	}
	if method == Transpose {
		t.gradient()
		return
	}
	rest := method != LevenbergMarquardt && s.Rest != nil
	needs := rest || len(t.levels) > 1
	if needs {
		clear(t.N)
		for i, free := range t.free {
			if free {
				t.N[i*t.n+i] = 1
			}
		}
	}
	for k := range t.levels {
		t.descend(k, method, needs && (rest || k+1 < len(t.levels)))
	}
	if rest {
		s.model.Difference(q, s.Rest, t.drift)
		for i := range t.n {
			for j, x := range t.drift {
				t.dq[i] += t.N[i*t.n+j] * restGain * x
			}
		}
	}
}

// descend adds to the step what a level asks for, within the freedom N, and takes what it used from N.
func (t *stepper) descend(k int, method Method, use bool) {
	n, l := t.n, &t.levels[k]
	m := l.lastRow - l.firstRow
	J, e := t.tools[l.firstRow*n:l.lastRow*n], t.e[l.firstRow:l.lastRow]
	A, G, y := t.A[:m*n], t.G[:m*m], t.y[:m]
	t.project(J, A, k > 0)
	half := 0.0
	reach := 1.0
	if k > 0 {
		reach = shortened(e)
	}
	for r := range m {
		y[r] = reach * e[r]
		for c, x := range J[r*n : r*n+n] {
			y[r] -= x * t.dq[c]
		}
		half += y[r] * y[r] / 2
	}
	gram(A, G, m, n)
	damping := tiny
	switch {
	case method == LevenbergMarquardt:
		damping += t.damping * half
	case k > 0: // what the levels before leave is often singular
		damping += singularDamping * math.Min(1, half)
	case method == DampedLeastSquares:
		if pivot := smallestPivot(G, t.X[:m*m], m); pivot < singularPivot {
			damping += singularDamping * (1 - pivot/singularPivot) * math.Min(1, half)
		}
	}
	for r := range m {
		G[r*m+r] += damping
	}
	factorize(G, m)
	substitute(G, y, m)
	for r := range m {
		for c, x := range A[r*n : r*n+n] {
			t.dq[c] += x * y[r]
		}
	}
	if !use {
		return
	}
	gram(A, G, m, n)
	for r := range m {
		G[r*m+r] += projectorFloor
	}
	factorize(G, m)
	for c := range n {
		for r := range m {
			y[r] = A[r*n+c]
		}
		substitute(G, y, m)
		for r := range m {
			t.X[r*n+c] = y[r]
		}
	}
	for i := range n {
		for r := range m {
			if x := A[r*n+i]; x != 0 {
				for c, z := range t.X[r*n : r*n+n] {
					t.N[i*n+c] -= x * z
				}
			}
		}
	}
}

// shortened returns the factor by which what is left to go is taken into account in one step: what cannot be done must
// not pull hard.
func shortened(e []float64) float64 {
	const most = 0.5
	sum := 0.0
	for _, x := range e {
		sum += x * x
	}
	return math.Min(1, most/math.Sqrt(math.Max(sum, tiny)))
}

// project writes A = J N, where N is still the choice of the free coordinates unless full.
func (t *stepper) project(J, A []float64, full bool) {
	n := t.n
	if !full {
		copy(A, J)
		for c, free := range t.free {
			if !free {
				for at := c; at < len(A); at += n {
					A[at] = 0
				}
			}
		}
		return
	}
	for first := 0; first < len(J); first += n {
		row := A[first : first+n]
		clear(row)
		for i, x := range J[first : first+n] {
			if x != 0 {
				for c, z := range t.N[i*n : i*n+n] {
					row[c] += x * z
				}
			}
		}
	}
}

// gradient steps along Jᵀe, as far as is best for the linear equations. Priorities count as weights here: there is no order
// in a gradient.
func (t *stepper) gradient() {
	n := t.n
	var descent, curvature float64
	for c, free := range t.free {
		t.drift[c] = 0
		if !free {
			continue
		}
		for r, e := range t.e {
			t.drift[c] += t.tools[r*n+c] * e
		}
		descent += t.drift[c] * t.drift[c]
	}
	for r := range t.e {
		x := 0.0
		for c := range n {
			x += t.tools[r*n+c] * t.drift[c]
		}
		curvature += x * x
	}
	if curvature == 0 {
		return
	}
	for c, free := range t.free {
		if free {
			t.dq[c] = t.drift[c] * descent / curvature
		}
	}
}
