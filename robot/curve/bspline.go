package curve

import "fmt"

// BSpline returns the spline of the given degree with the control values and the knots, as polynomials between the
// knots:
//
//	y(t) = Σ control[i] B[i](t)      on [knots[degree], knots[len(control)]]
//
// There are len(control)+degree+1 knots, not descending. At a knot that stands m times derivatives up to order
// degree-m are continuous. It stays within the range of its control values. It panics if the numbers do not fit.
//
// C. de Boor, A Practical Guide to Splines, revised ed. 2001, chapters IX and X.
func BSpline(degree int, knots, control []float64) Piecewise {
	n := len(control)
	if degree < 0 || n <= degree || len(knots) != n+degree+1 {
		panic(fmt.Sprintf("curve: BSpline of degree %d with %d control values and %d knots: expected more control values than the degree, and %d knots",
			degree, n, len(knots), n+degree+1))
	}
	for i := 1; i < len(knots); i++ {
		if !(knots[i] >= knots[i-1]) {
			panic(fmt.Sprintf("curve: BSpline: knot %d is %v after %v: knots must not descend", i, knots[i], knots[i-1]))
		}
	}
	// derived[k] are the control values of the k-th derivative, a B-spline of degree-k on the same knots.
	derived := [][]float64{control}
	for k := 1; k <= degree; k++ {
		last, next := derived[k-1], make([]float64, n)
		for i := k; i < n; i++ {
			if d := knots[i+degree+1-k] - knots[i]; d > 0 {
				next[i] = float64(degree+1-k) * (last[i] - last[i-1]) / d
			}
		}
		derived = append(derived, next)
	}
	var pieces []Function
	for j := degree; j < n; j++ {
		a, b := knots[j], knots[j+1]
		if a == b {
			continue
		}
		c := make([]float64, degree+1)
		for k := range c {
			c[k] = deBoor(degree-k, knots, derived[k], j, a) / factorial(k)
		}
		pieces = append(pieces, Polynomial{c: c, lower: a, upper: b})
	}
	if pieces == nil {
		panic("curve: BSpline: all knots of the domain are equal")
	}
	return NewPiecewise(knots[degree], pieces...)
}

// UniformBSpline returns the B-spline on [lower, upper] with equally spaced inner knots that begins at the first control
// value and ends at the last. It panics as [BSpline] does, and for fewer than degree+1 control values.
func UniformBSpline(degree int, lower, upper float64, control []float64) Piecewise {
	mustBeInterval("UniformBSpline", lower, upper)
	knots := make([]float64, len(control)+degree+1)
	spans := len(control) - degree
	for i := range knots {
		k := min(max(i-degree, 0), spans)
		knots[i] = lower + (upper-lower)*float64(k)/float64(spans)
	}
	return BSpline(degree, knots, control)
}

// deBoor evaluates the B-spline of the degree at t in the span from knot j.
func deBoor(degree int, knots, control []float64, j int, t float64) float64 {
	d := make([]float64, degree+1)
	for i := range d {
		d[i] = control[j-degree+i]
	}
	for r := 1; r <= degree; r++ {
		for i := degree; i >= r; i-- {
			a, b := knots[j-degree+i], knots[j+1+i-r]
			w := (t - a) / (b - a)
			d[i] = (1-w)*d[i-1] + w*d[i]
		}
	}
	return d[degree]
}
