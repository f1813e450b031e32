package curve

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Vector is a function with several values: one function for each component, such as the joints of a robot.
type Vector []Function

// Domain returns the interval on which all components are defined. It panics if there is no component.
func (v Vector) Domain() (lower, upper float64) {
	if len(v) == 0 {
		panic("curve: Vector without components")
	}
	lower, upper = v[0].Domain()
	for _, f := range v[1:] {
		a, b := f.Domain()
		lower, upper = max(lower, a), min(upper, b)
	}
	return lower, upper
}

// At stores the derivatives of the given order at t in out, which has a place for each component.
// Order 0 is the value; see [Function] for the others.
func (v Vector) At(out []float64, t float64, order int) {
	if len(out) != len(v) {
		panic(fmt.Sprintf("curve: Vector.At: out has length %d, want %d", len(out), len(v)))
	}
	for i, f := range v {
		out[i] = f.At(t, order)
	}
}

// Continuity returns the least of the components: the highest order up to which none of them jumps by more than tolerance.
func (v Vector) Continuity(tolerance float64) int {
	least := MaxOrder
	for _, f := range v {
		least = min(least, f.Continuity(tolerance))
	}
	return least
}

// SplineThrough returns a spline through points of several components at the times t, component by component as Spline
// does; points[i] is the point at t[i]. start and end hold the derivatives of order 1, 2, … of all components:
// start[0] is the velocity.
func SplineThrough(t []float64, points, start, end [][]float64) Vector {
	if len(points) == 0 || len(points) != len(t) {
		panic(fmt.Sprintf("curve: SplineThrough %d points at %d times: expected as many", len(points), len(t)))
	}
	v := make(Vector, len(points[0]))
	for i := range v {
		v[i] = Spline(t, column(points, i, len(v)), column(start, i, len(v)), column(end, i, len(v)))
	}
	return v
}

func column(rows [][]float64, i, width int) []float64 {
	c := make([]float64, len(rows))
	for k, r := range rows {
		if len(r) != width {
			panic(fmt.Sprintf("curve: a point or derivative has %d components, want %d", len(r), width))
		}
		c[k] = r[i]
	}
	return c
}

// Path is a curve in space.
type Path struct{ X, Y, Z Function }

// Domain returns the interval on which all coordinates are defined.
func (p Path) Domain() (lower, upper float64) { return Vector{p.X, p.Y, p.Z}.Domain() }

// At returns the point, or its derivative of the given order, at t.
func (p Path) At(t float64, order int) spatial.Vec3 {
	return spatial.Vec3{X: p.X.At(t, order), Y: p.Y.At(t, order), Z: p.Z.At(t, order)}
}

// Range returns the least and the greatest magnitude that the velocity (order 1) or another derivative has on [lower, upper], as
// [RotationRange] does for rotations. It panics if the interval is reversed, and for an order below 1 or above MaxOrder - 6.
func (p Path) Range(order int, lower, upper float64) Range {
	var knots []float64
	for _, f := range [...]Function{p.X, p.Y, p.Z} {
		knots = append(knots, functionKnots(f)...)
	}
	return magnitudes(func(t float64, more int) spatial.Vec3 { return p.At(t, order+more) }, order, knots, lower, upper)
}

// Continuity returns the least of the coordinates, -1 to MaxOrder: the highest order up to which none jumps by more than tolerance, as [Function] describes.
func (p Path) Continuity(tolerance float64) int { return Vector{p.X, p.Y, p.Z}.Continuity(tolerance) }

// Under returns the path run through under a law of time: p(law(t)).
func (p Path) Under(law Function) Path { return Path{Nest(p.X, law), Nest(p.Y, law), Nest(p.Z, law)} }
