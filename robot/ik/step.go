package ik

import (
	"math"

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
	damping float64   // factor of Levenberg–Marquardt
	pressed int       // a joint held at its limit in the last step, -1: none
	drift   []float64 // scratch: the gradient, or the way to the rest posture
	wish    []float64 // step wanted in the freedom that the tasks leave, nil: none
}

// level is the rows and the tasks (in order) of one priority.
type level struct{ firstRow, lastRow, firstTask, lastTask int }

// The terms that keep the equations of a step solvable.
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

// rest makes a part of the way from q to the rest posture the wish, of the methods that have one.
func (t *stepper) rest(s *Solver, method Method, q []float64) {
	t.wish = nil
	if s.Rest == nil || method != PseudoInverse && method != DampedLeastSquares {
		return
	}
	s.model.Difference(q, s.Rest, t.drift)
	for i := range t.drift {
		t.drift[i] *= restGain
	}
	t.wish = t.drift
}

// compute returns the step from q: it stays between the bounds of each coordinate, low ≤ q + dq ≤ high. Coordinates that
// would leave them are held at the bound, and the others make up for that.
func (t *stepper) compute(s *Solver, method Method, q, low, high []float64) []float64 {
	t.pressed = -1
	for i := range t.free {
		t.free[i], t.dq[i] = true, 0
	}
	for range t.n + 1 {
		t.solve(method)
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
	if t.wish != nil {
		t.grant(s, q, low, high)
	}
	return t.dq
}

// grant adds to the step as much of the wish, in the freedom that the tasks leave, as the bounds allow, so that it takes
// nothing from the tasks (Flacco, De Luca and Khatib 2012: the scaling of what has the lowest priority).
func (t *stepper) grant(s *Solver, q, low, high []float64) {
	n, part := t.n, 1.0
	granted := t.A[:n]
	for i := range granted {
		granted[i] = 0
		for j, x := range t.wish {
			granted[i] += t.N[i*n+j] * x
		}
		k := s.place[i]
		if k < 0 || math.Abs(granted[i]) < tiny {
			continue
		}
		room := high[i] - q[k] - t.dq[i]
		if granted[i] < 0 {
			room = low[i] - q[k] - t.dq[i]
		}
		part = math.Min(part, math.Max(0, room/granted[i]))
	}
	for i, x := range granted {
		t.dq[i] += part * x
	}
}

// solve computes the step of the free coordinates, given that of the held ones.
func (t *stepper) solve(method Method) {
	for i, free := range t.free {
		if free {
			t.dq[i] = 0
		}
	}
	if method == Transpose {
		t.gradient()
		return
	}
	needs := t.wish != nil || len(t.levels) > 1
	if needs {
		clear(t.N)
		for i, free := range t.free {
			if free {
				t.N[i*t.n+i] = 1
			}
		}
	}
	for k := range t.levels {
		t.descend(k, method, needs && (t.wish != nil || k+1 < len(t.levels)))
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
