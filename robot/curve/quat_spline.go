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

// NewQuatSpline returns the spline that is at the rotations q[i] at the times t[i]. start and end are the derivatives of orders 0 to m-1 of
// the angular velocity at its ends (world frame, rad/s^(k+1)); their length gives the degree 2m+1, and what is continuous:
//
//	NewQuatSpline(t, q, []Vec3{ω0}, []Vec3{ω1})            // cubic, angular acceleration
//	NewQuatSpline(t, q, []Vec3{ω0, α0}, []Vec3{ω1, α1})    // quintic, the two derivatives beyond it too
//
// Between two rotations it takes the shorter way.
//
// It panics unless there are at least two rotations, as many as times, the times ascend, and start and end have the same length, 1 or 2.
// It fails if no such spline is found, which happens where successive rotations are nearly half a turn apart while it turns fast, and
// where a quintic one would swing by half a turn, as between intervals of very different lengths.
//
// The derivatives at the inner rotations are the unknowns that make those of higher order agree; Newton's method finds them, beginning at
// those of a spline through the sums of the rotation vectors. After J. McEnnan, Generation of quaternion splines, 2003 (NASA), for the cubic one.
func NewQuatSpline(t []float64, q []spatial.Quat, start, end []spatial.Vec3) (QuatSpline, error) {
	n, m := len(t), len(start)
	if n < 2 || len(q) != n {
		panic(fmt.Sprintf("curve: QuatSpline through %d rotations at %d times: expected two or more, as many as times", len(q), n))
	}
	if m < 1 || m > 2 || len(end) != m {
		panic(fmt.Sprintf("curve: QuatSpline with %d conditions at the start and %d at the end: expected as many, 1 or 2", m, len(end)))
	}
	for i := 1; i < n; i++ {
		if !(t[i] > t[i-1]) {
			panic(fmt.Sprintf("curve: QuatSpline: time %d is %v after %v: times must ascend", i, t[i], t[i-1]))
		}
	}
	// The unit of time is the mean interval, so that derivatives of all orders are of one size.
	unit := (t[n-1] - t[0]) / float64(n-1)
	f := quatFit{points: make([]spatial.Quat, n), w: make([][]spatial.Vec3, n)}
	for i := range n {
		f.points[i] = q[i].Unit()
		if i == 0 {
			continue
		}
		f.durations = append(f.durations, (t[i]-t[i-1])/unit)
		if f.points[i].Dot(f.points[i-1]) < 0 {
			f.points[i] = f.points[i].Neg()
		}
	}
	f.begin(scaled(start, unit), scaled(end, unit))
	if !f.solve() {
		return QuatSpline{}, fmt.Errorf("curve: no quaternion spline of degree %d found through %d rotations: add rotations between those far apart", 2*m+1, n)
	}
	s := QuatSpline{knots: append([]float64(nil), t...), pieces: make([]QuatPolynomial, n-1)}
	for i := range f.w {
		f.w[i] = scaled(f.w[i], 1/unit)
	}
	for i := range s.pieces {
		s.pieces[i] = QuatHermite(t[i+1]-t[i], f.points[i], f.points[i+1], f.w[i], f.w[i+1])
	}
	return s, nil
}

// quatFit is a quaternion spline while its derivatives are sought.
type quatFit struct {
	points    []spatial.Quat
	durations []float64        // of the pieces
	w         [][]spatial.Vec3 // the angular velocity and its derivatives at the points: those at the inner ones are the unknowns
}

func (f *quatFit) piece(i int) QuatPolynomial {
	return QuatHermite(f.durations[i], f.points[i], f.points[i+1], f.w[i], f.w[i+1])
}

// scaled returns the derivatives of an angular velocity in another unit of time.
func scaled(w []spatial.Vec3, unit float64) []spatial.Vec3 {
	list, power := make([]spatial.Vec3, len(w)), unit
	for k := range w {
		list[k] = w[k].Scale(power)
		power *= unit
	}
	return list
}

// begin sets the derivatives at the points to those of a spline through the sums of the rotation vectors from point to point, which is right
// for rotations about one axis.
func (f *quatFit) begin(start, end []spatial.Vec3) {
	n, m := len(f.points), len(start)
	t, sum := make([]float64, n), make([]spatial.Vec3, n)
	for i := 1; i < n; i++ {
		t[i] = t[i-1] + f.durations[i-1]
		sum[i] = sum[i-1].Add(f.points[i].Mul(f.points[i-1].Conj()).Log())
	}
	for i := range f.w {
		f.w[i] = make([]spatial.Vec3, m)
	}
	at := func(list []spatial.Vec3, c int) []float64 {
		x := make([]float64, len(list))
		for i, v := range list {
			x[i] = component(v, c)
		}
		return x
	}
	for c := range 3 {
		s := Spline(t, at(sum, c), at(start, c), at(end, c))
		for i := 1; i < n-1; i++ {
			for k := range m {
				f.w[i][k] = f.w[i][k].Add(unitVec(c).Scale(s.At(t[i], k+1)))
			}
		}
	}
	f.w[0], f.w[n-1] = start, end
}

// solve makes the derivatives of the next orders agree at the inner points.
func (f *quatFit) solve() bool {
	least := math.Inf(1)
	for range 100 {
		size := 1.0
		for _, w := range f.w {
			for _, x := range w {
				size = max(size, x.Norm())
			}
		}
		change := f.correct()
		// Rounding in derivatives of high order limits how far it goes.
		if change < 1e-12*size || change < 1e-8*size && change >= least {
			return true
		}
		if change-change != 0 {
			return false
		}
		least = min(least, change)
	}
	return false
}

// gap returns by how much the derivatives of the next orders differ at the inner points, in the sum of squares.
func (f *quatFit) gap() (sum float64) {
	var before []spatial.Vec3
	for i := range f.durations {
		first, last := f.ends(i)
		for k := range before {
			d := first[k].Sub(before[k])
			sum += d.Dot(d)
		}
		before = last
	}
	return sum
}

// ends returns the derivatives of piece i that must agree with its neighbours': the m after the known ones, at its start and end.
func (f *quatFit) ends(i int) (first, last []spatial.Vec3) {
	p := f.piece(i)
	m := len(f.w[i])
	for order := m; order < 2*m; order++ {
		first = append(first, AngularVelocity(p, 0, order))
		last = append(last, AngularVelocity(p, f.durations[i], order))
	}
	return first, last
}

// correct makes one step of Newton's method on the inner derivatives and returns the largest change.
func (f *quatFit) correct() float64 {
	n, m := len(f.w), len(f.w[0])
	s := newBlockTridiagonal(n, 3*m)
	s.fix(0, make([]float64, 3*m))
	s.fix(n-1, make([]float64, 3*m))
	inner := func(i int) bool { return i > 0 && i < n-1 }
	for i := range n - 1 { // piece i: its last derivatives minus the first ones of the next must be 0
		first, last := f.ends(i)
		for r := range 3 * m {
			if inner(i) {
				s.right[i][r] += component(first[r/3], r%3)
			}
			if inner(i + 1) {
				s.right[i+1][r] -= component(last[r/3], r%3)
			}
		}
		for _, j := range [2]int{i, i + 1} {
			if inner(j) {
				f.differentiate(s, i, j, inner)
			}
		}
	}
	steps, before, old := s.solve(), f.gap(), f.w
	for part := 1.0; ; part /= 2 {
		change := f.step(old, steps, part)
		if change-change != 0 || part < 1e-3 || !(f.gap() > before) {
			return change
		}
	}
}

// step sets the derivatives to old ones plus a part of the steps, and returns the largest change.
func (f *quatFit) step(old [][]spatial.Vec3, steps [][]float64, part float64) (change float64) {
	f.w = make([][]spatial.Vec3, len(old))
	for i, d := range steps {
		for k, x := range old[i] {
			v := spatial.Vec3{X: d[3*k], Y: d[3*k+1], Z: d[3*k+2]}.Scale(part)
			f.w[i] = append(f.w[i], x.Add(v))
			change = math.Max(change, v.Norm()) // keeps NaN
		}
	}
	return change
}

// differentiate adds the derivatives of the conditions on piece i by the unknowns at point j.
func (f *quatFit) differentiate(s *blockTridiagonal, i, j int, inner func(int) bool) {
	const h = 1e-5
	for c := range s.k {
		kept := f.w[j][c/3]
		f.w[j][c/3] = kept.Add(unitVec(c % 3).Scale(h))
		upFirst, upLast := f.ends(i)
		f.w[j][c/3] = kept.Add(unitVec(c % 3).Scale(-h))
		first, last := f.ends(i)
		f.w[j][c/3] = kept
		for r := range s.k {
			if inner(i) {
				s.add(i, j, r, c, component(first[r/3].Sub(upFirst[r/3]), r%3)/(2*h))
			}
			if inner(i + 1) {
				s.add(i+1, j, r, c, component(upLast[r/3].Sub(last[r/3]), r%3)/(2*h))
			}
		}
	}
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

// Continuity returns the highest order up to which nothing jumps by more than tolerance at an inner rotation: 2 for a cubic spline, 4 for a quintic one.
func (s QuatSpline) Continuity(tolerance float64) int {
	for order := range MaxOrder {
		if _, size := s.Jump(order); !(size <= tolerance) {
			return order
		}
	}
	return MaxOrder
}
