package curve

import "fmt"

// Spline returns the interpolating spline of odd degree 2m-1 through the points (t[i], y[i]): polynomials between the
// points, joined so smoothly that only derivatives of order 2m-1 may jump. start and end are the derivatives of orders 1 to
// m-1 at the first and the last point; their length gives the degree:
//
//	Spline(t, y, []float64{v0}, []float64{v1})              // cubic, continuous acceleration
//	Spline(t, y, []float64{v0, a0}, []float64{v1, a1})      // quintic, continuous jerk and snap
//
// The cubic spline has the least integral of the squared acceleration of all curves through the points, the quintic
// that of the jerk.
//
// It panics unless there are at least two points, t ascends, and start and end have the same length, 1 to 4.
//
// C. de Boor, A Practical Guide to Splines, revised ed. 2001, chapter IV.
func Spline(t, y, start, end []float64) Piecewise {
	if len(start) != len(end) {
		panic(fmt.Sprintf("curve: Spline with %d conditions at the start and %d at the end: expected as many", len(start), len(end)))
	}
	return spline(t, y, start, end, len(start))
}

// NaturalSpline returns the spline of degree 3, 5, 7 or 9 whose ends are free: there the derivatives of the orders
// m to 2m-2 are 0 (the second one of a cubic spline). It needs m points or more: two for degree 3, three for degree 5.
func NaturalSpline(degree int, t, y []float64) Piecewise {
	if degree%2 == 0 {
		panic(fmt.Sprintf("curve: NaturalSpline of degree %d: expected 3, 5, 7 or 9", degree))
	}
	if m := (degree + 1) / 2; len(t) < m {
		panic(fmt.Sprintf("curve: NaturalSpline of degree %d through %d points: expected %d or more", degree, len(t), m))
	}
	return spline(t, y, nil, nil, (degree-1)/2)
}

// spline solves for the derivatives of orders 1 to k at the points; nil start and end mean natural ends. The
// conditions at a point involve its neighbours only, so the system is block tridiagonal with blocks of k × k.
func spline(t, y, start, end []float64, k int) Piecewise {
	n := len(t)
	if n < 2 || len(y) != n || k < 1 || k > 4 {
		panic(fmt.Sprintf("curve: Spline of degree %d through %d times and %d values: expected degree 3 to 9 and two points or more, as many values as times", 2*k+1, n, len(y)))
	}
	for i := 1; i < n; i++ {
		if !(t[i] > t[i-1]) {
			panic(fmt.Sprintf("curve: Spline: time %d is %v after %v: times must ascend", i, t[i], t[i-1]))
		}
	}
	h := unitHermite(k)
	s := newBlockTridiagonal(n, k)
	for i := range n {
		if i > 0 {
			h.join(s, i, i-1, t[i]-t[i-1], y[i-1], y[i], -1)
		}
		if i < n-1 {
			h.join(s, i, i, t[i+1]-t[i], y[i], y[i+1], 1)
		}
	}
	if start != nil {
		s.fix(0, start)
		s.fix(n-1, end)
	}
	d := s.solve()

	pieces := make([]Function, n-1)
	for i := range pieces {
		a := append([]float64{y[i]}, d[i]...)
		b := append([]float64{y[i+1]}, d[i+1]...)
		pieces[i] = Hermite(t[i], t[i+1], a, b)
	}
	return NewPiecewise(t[0], pieces...)
}

// hermiteBasis holds the polynomials on [0, 1] for which one derivative of order 0 to k at one end is 1 and all others
// are 0: the first k+1 for the start, the others for the end.
type hermiteBasis struct {
	k int
	p []Polynomial
}

func unitHermite(k int) hermiteBasis {
	h := hermiteBasis{k: k}
	for i := range 2 * (k + 1) {
		e := make([]float64, 2*(k+1))
		e[i] = 1
		h.p = append(h.p, Hermite(0, 1, e[:k+1], e[k+1:]))
	}
	return h
}

// join adds the share of the piece from point i to i+1, of duration T from value y0 to y1, to the condition at the point
// row that the derivatives of orders k+1 to 2k of its two pieces agree. sign is 1 for the piece that follows the point.
func (h hermiteBasis) join(s *blockTridiagonal, row, i int, T, y0, y1, sign float64) {
	at := 0.0
	if row != i {
		at = 1
	}
	k := h.k
	for r := range k {
		order := k + 1 + r
		for j, p := range h.p {
			c := sign * p.At(at, order) * power(T, j%(k+1)-order)
			switch {
			case j == 0:
				s.right[row][r] -= c * y0
			case j == k+1:
				s.right[row][r] -= c * y1
			case j <= k:
				s.add(row, i, r, j-1, c)
			default:
				s.add(row, i+1, r, j-k-2, c)
			}
		}
	}
}

func power(x float64, n int) float64 {
	if n < 0 {
		return 1 / power(x, -n)
	}
	y := 1.0
	for range n {
		y *= x
	}
	return y
}
