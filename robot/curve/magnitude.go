package curve

import (
	"fmt"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// CheckRotation compares the magnitude of the angular velocity (a limit of order 1, rad/s), of the angular acceleration (order 2,
// rad/s²) and so on with limits over the whole domain, and returns the worst breach of each side of each limit, none if the rotation
// keeps them. Magnitudes have no direction: the component of a violation is 0, and a Min below 0 is no bound. A NaN counts as a breach. It panics
// for an order below 1 or above MaxOrder - 6.
func CheckRotation(r Rotation, limits ...Limit) (found []Violation) {
	lower, upper := r.Domain()
	for _, l := range limits {
		found = append(found, breaches(0, l, RotationRange(r, l.Order, lower, upper))...)
	}
	return found
}

// RotationRange returns the least and the greatest magnitude that the angular velocity (order 1) or its derivative (order 2, …) has on
// [lower, upper]. Where it jumps the values on both sides count. It panics if the interval is reversed, and for an order below 1 or
// above MaxOrder - 6.
//
// The square of the magnitude is expanded into Taylor series on intervals so short that they agree with it to 1e-9 of its size, and the
// extremes are at the roots of their derivatives.
func RotationRange(r Rotation, order int, lower, upper float64) Range {
	return magnitudes(func(t float64, more int) spatial.Vec3 { return AngularVelocity(r, t, order-1+more) }, order, rotationKnots(r), lower, upper)
}

// magnitudes returns the range of the length of a vector, of which derivative returns any derivative; it is itself the one of the given
// order of a rotation or a path, which is smooth between the knots.
func magnitudes(derivative func(t float64, more int) spatial.Vec3, order int, knots []float64, lower, upper float64) Range {
	mustBeInterval("Range", lower, upper)
	if order < 1 || order > MaxOrder-leastTerms {
		panic(fmt.Sprintf("curve: magnitude of a derivative of order %d, expected 1 to %d", order, MaxOrder-leastTerms))
	}
	e := magnitudeExtremes{derivative: derivative, terms: MaxOrder - order, found: nothing(lower), least: 1e-9 * (upper - lower)}
	knots = append([]float64{lower, upper}, knots...)
	const parts = 8
	for i := 1; i < parts; i++ {
		knots = append(knots, lower+(upper-lower)*float64(i)/parts)
	}
	slices.Sort(knots)
	for i := 1; i < len(knots); i++ {
		if a, b := max(knots[i-1], lower), min(knots[i], upper); a < b {
			e.interval(a, b)
		}
	}
	if lower == upper {
		e.include(lower)
	}
	f := e.found
	return Range{Min: math.Sqrt(f.Min), Max: math.Sqrt(f.Max), MinAt: f.MinAt, MaxAt: f.MaxAt}
}

// leastTerms is the number of derivatives beyond that of interest that a series needs.
const leastTerms = 6

// magnitudeExtremes collects the extremes of the square of a vector.
type magnitudeExtremes struct {
	derivative func(t float64, order int) spatial.Vec3
	terms      int // how many derivatives there are
	found      Range
	least      float64 // length of an interval that is not divided further
}

func (e *magnitudeExtremes) square(t float64) float64 {
	w := e.derivative(t, 0)
	return w.Dot(w)
}

func (e *magnitudeExtremes) include(t float64) { e.found.include(t, e.square(t)) }

// interval adds the extremes on [a, b], within which no knot lies.
func (e *magnitudeExtremes) interval(a, b float64) {
	// At a knot the piece before counts too: it is met just beside it.
	a, b = math.Nextafter(a, b), math.Nextafter(b, a)
	middle := a + (b-a)/2
	p := e.series(middle)
	if b-a > e.least && !e.agrees(p, a, b) {
		e.interval(a, middle)
		e.interval(middle, b)
		return
	}
	e.include(a)
	e.include(b)
	for _, t := range p.Derivative().Roots(a, b) {
		e.include(t)
	}
}

// series returns the Taylor series of the square about a point.
func (e *magnitudeExtremes) series(at float64) Polynomial {
	terms := e.terms
	var w vecSeries
	k := 1.0
	for n := 0; n <= terms; n++ {
		v := e.derivative(at, n).Scale(1 / k)
		w[0][n], w[1][n], w[2][n] = v.X, v.Y, v.Z
		k *= float64(n + 1)
	}
	c := make([]float64, terms+1)
	for i := range w {
		square := w[i].times(&w[i], terms)
		for n := range c {
			c[n] += square[n]
		}
	}
	return NewPolynomial(at, at+1, c...)
}

// agrees reports whether a series is the square to 1e-9 of its size.
func (e *magnitudeExtremes) agrees(p Polynomial, a, b float64) bool {
	size := max(e.square(a), e.square(b), e.square(a+(b-a)/2))
	for _, part := range [...]float64{0, 0.11, 0.3, 0.73, 0.9, 1} {
		t := a + part*(b-a)
		if !(math.Abs(p.At(t, 0)-e.square(t)) <= 1e-9*size+1e-18) {
			return false
		}
	}
	return true
}

// rotationKnots returns where a rotation may be no longer smooth.
func rotationKnots(r Rotation) []float64 {
	var all []float64
	switch r := r.(type) {
	case QuatSpline:
		return r.knots
	case PiecewiseRotation:
		for i, piece := range r.pieces {
			for _, t := range rotationKnots(piece) {
				lower, _ := piece.Domain()
				all = append(all, r.knots[i]+(t-lower))
			}
		}
		return append(all, r.knots...)
	case NestedRotation:
		return functionKnots(r.inner)
	}
	return nil
}

// functionKnots returns where a function may be no longer smooth.
func functionKnots(f Function) []float64 {
	var all []float64
	switch f := f.(type) {
	case Piecewise:
		for i, piece := range f.pieces {
			lower, _ := piece.Domain()
			for _, t := range functionKnots(piece) {
				all = append(all, f.knots[i]+(t-lower))
			}
		}
		return append(all, f.knots...)
	case Nested:
		return functionKnots(f.inner)
	}
	return nil
}
