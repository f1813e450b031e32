package curve

import (
	"fmt"
	"math"
	"sort"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// QuatSpline is a sequence of quaternion polynomials through given rotations. Make one with NewQuatSpline.
type QuatSpline struct {
	pieces []QuatPolynomial // each on [0, its duration]
	knots  []float64
}

// NewQuatSpline returns the cubic spline that is at the rotations q[i] at the times t[i] and turns with the angular
// velocities start and end (world frame, rad/s) at its ends. Rotation, angular velocity and angular acceleration are continuous.
// Between two rotations it takes the shorter way.
//
// It panics unless there are at least two rotations, as many as times, and the times ascend. The error says that no
// such spline was found, which happens where successive rotations are nearly half a turn apart while it turns fast.
//
// The angular velocities at the inner rotations are the unknowns that make the accelerations agree; Newton's method
// finds them, beginning at those of slerp. After J. McEnnan, Generation of quaternion splines, 2003 (NASA).
func NewQuatSpline(t []float64, q []spatial.Quat, start, end spatial.Vec3) (QuatSpline, error) {
	n := len(t)
	if n < 2 || len(q) != n {
		panic(fmt.Sprintf("curve: QuatSpline through %d rotations at %d times: expected two or more, as many as times", len(q), n))
	}
	for i := 1; i < n; i++ {
		if !(t[i] > t[i-1]) {
			panic(fmt.Sprintf("curve: QuatSpline: time %d is %v after %v: times must ascend", i, t[i], t[i-1]))
		}
	}
	s := QuatSpline{knots: append([]float64(nil), t...), pieces: make([]QuatPolynomial, n-1)}
	points := make([]spatial.Quat, n)
	points[0] = q[0].Unit()
	for i := 1; i < n; i++ {
		points[i] = q[i].Unit()
		if points[i].Dot(points[i-1]) < 0 {
			points[i] = points[i].Neg()
		}
	}
	w := make([]spatial.Vec3, n)
	w[0], w[n-1] = start, end
	for i := 1; i < n-1; i++ {
		before, after := Slerp(t[i]-t[i-1], points[i-1], points[i]), Slerp(t[i+1]-t[i], points[i], points[i+1])
		w[i] = AngularVelocity(before, 0, 0).Add(AngularVelocity(after, 0, 0)).Scale(0.5)
	}
	piece := func(i int) QuatPolynomial {
		return QuatHermite(t[i+1]-t[i], points[i], points[i+1], w[i:i+1], w[i+1:i+2])
	}
	for range 50 {
		change := correct(t, w, piece)
		size := 1.0
		for i := range w {
			size = max(size, w[i].Norm())
		}
		if change < 1e-12*size {
			for i := range s.pieces {
				s.pieces[i] = piece(i)
			}
			return s, nil
		}
		if change-change != 0 {
			break
		}
	}
	return QuatSpline{}, fmt.Errorf("curve: no quaternion spline with continuous acceleration found through %d rotations: add rotations between those far apart", n)
}

// correct makes one step of Newton's method on the inner angular velocities and returns the largest change.
func correct(t []float64, w []spatial.Vec3, piece func(int) QuatPolynomial) float64 {
	n := len(w)
	s := newBlockTridiagonal(n, 3)
	s.fix(0, []float64{0, 0, 0})
	s.fix(n-1, []float64{0, 0, 0})
	ends := func(i int) (first, last spatial.Vec3) {
		p := piece(i)
		return AngularVelocity(p, 0, 1), AngularVelocity(p, t[i+1]-t[i], 1)
	}
	inner := func(i int) bool { return i > 0 && i < n-1 }
	store := func(row, column, c int, d spatial.Vec3) {
		for r, x := range [3]float64{d.X, d.Y, d.Z} {
			s.add(row, column, r, c, x)
		}
	}
	for i := range n - 1 { // piece i: its last acceleration less the first one of the next is to be 0
		first, last := ends(i)
		for r := range 3 {
			if inner(i) {
				s.right[i][r] += component(first, r)
			}
			if inner(i + 1) {
				s.right[i+1][r] -= component(last, r)
			}
		}
		for _, j := range [2]int{i, i + 1} {
			if !inner(j) {
				continue
			}
			for c := range 3 {
				const h = 1e-6
				kept := w[j]
				w[j] = kept.Add(unitVec(c).Scale(h))
				f, l := ends(i)
				w[j] = kept
				if inner(i) {
					store(i, j, c, f.Sub(first).Scale(-1/h))
				}
				if inner(i + 1) {
					store(i+1, j, c, l.Sub(last).Scale(1/h))
				}
			}
		}
	}
	change := 0.0
	for i, d := range s.solve() {
		v := spatial.Vec3{X: d[0], Y: d[1], Z: d[2]}
		w[i] = w[i].Add(v)
		change = math.Max(change, v.Norm()) // keeps NaN
	}
	return change
}

func component(v spatial.Vec3, i int) float64 { return [3]float64{v.X, v.Y, v.Z}[i] }

func unitVec(i int) spatial.Vec3 {
	return [3]spatial.Vec3{{X: 1}, {Y: 1}, {Z: 1}}[i]
}

// Domain returns the interval from the first time to the last.
func (s QuatSpline) Domain() (lower, upper float64) { return s.knots[0], s.knots[len(s.knots)-1] }

// At returns the derivative of the quaternion of the given order. Beyond the ends the outermost pieces go on.
func (s QuatSpline) At(t float64, order int) spatial.Quat {
	inner := s.knots[1 : len(s.knots)-1]
	i := sort.Search(len(inner), func(i int) bool { return inner[i] > t })
	return s.pieces[i].At(t-s.knots[i], order)
}

// Jump returns the largest jump of the angular velocity (order 0) or its derivatives at the inner knots, and where it is.
func (s QuatSpline) Jump(order int) (at, size float64) {
	at = s.knots[0]
	for i := 1; i < len(s.pieces); i++ {
		before := AngularVelocity(s.pieces[i-1], s.knots[i]-s.knots[i-1], order)
		after := AngularVelocity(s.pieces[i], 0, order)
		if d := after.Sub(before).Norm(); !(d <= size) {
			at, size = s.knots[i], d
		}
	}
	return at, size
}
