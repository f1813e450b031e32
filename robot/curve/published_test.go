package curve

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// The tests of this file hold curves against the text of Rickert and Gaschler, Robotics Library, 2017.

// Line 114 of the text: "Piecewise functions and splines (piecewise polynomials) are organized in the shape of a composite pattern", so that "continuity and
// smoothness can be guaranteed and verified exactly and for multiple orders of derivatives, including acceleration and jerk". Order 2 is the
// acceleration, 3 the jerk; a spline of degree 2m-1 joins its pieces up to the derivative 2m-2 (de Boor, chapter IV).
func TestSmoothnessIsVerifiedUpToAccelerationAndJerk(t *testing.T) {
	times, values := []float64{0, 1, 3, 4}, []float64{0, 2, -1, 1}
	for _, c := range []struct {
		degree, smooth int
		ends           []float64
	}{
		{3, 2, []float64{0}},       // acceleration
		{5, 4, []float64{0, 0}},    // jerk, and the derivative behind it
		{7, 6, []float64{0, 0, 0}}, // two more
	} {
		s := Spline(times, values, c.ends, c.ends)
		if got := s.Continuity(1e-8); got != c.smooth {
			t.Errorf("a spline of degree %d is continuous up to order %d, want %d", c.degree, got, c.smooth)
		}
		for i, x := range times {
			testkit.Near(t, "passes its point", s.At(x, 0), values[i], 1e-12)
		}
	}
	// t²/2 and then 1/2 + (t-1) + (t-1)²/2 + (t-1)³: by hand the jerk jumps from 0 to 6, and nothing of lower order does.
	joined := NewPiecewise(0, NewPolynomial(0, 1, 0, 0, 0.5), NewPolynomial(0, 1, 0.5, 1, 0.5, 1))
	if got := joined.Continuity(0); got != 2 {
		t.Errorf("continuous up to order %d, want 2: the acceleration", got)
	}
	at, jerk := joined.Jump(3)
	testkit.AllNear(t, "jump of the jerk", []float64{at, jerk}, []float64{1, 6}, 0)
	// The pattern is a composite: a sequence of sequences is also a function.
	whole := NewPiecewise(0, joined, NewPiecewise(0, NewPolynomial(0, 1, 3, 5)))
	testkit.AllNear(t, "value and velocity in the last piece", []float64{whole.At(2.5, 0), whole.At(2.5, 1)}, []float64{5.5, 5}, 1e-12)
}

// Line 116: "static functions are available for constructing algebraic functions for given boundary conditions, including higher-order (quaternion) spline
// interpolation and motion along circular segments".
func TestFunctionsAreConstructedFromBoundaryConditions(t *testing.T) {
	from, to := []float64{1, -2, 3, 4}, []float64{5, 6, -7, 8} // position, velocity, acceleration, jerk
	p := Hermite(2, 4, from, to)
	for order := range from {
		testkit.AllNear(t, "conditions", []float64{p.At(2, order), p.At(4, order)}, []float64{from[order], to[order]}, 1e-9)
	}
	if p.Degree() != 7 {
		t.Errorf("8 conditions give degree %d, want 7", p.Degree())
	}
	quarter := spatial.ExpQuat(spatial.Vec3{Z: math.Pi / 2})
	half := spatial.ExpQuat(spatial.Vec3{Z: math.Pi / 2}).Mul(spatial.ExpQuat(spatial.Vec3{X: math.Pi / 2}))
	rest := []spatial.Vec3{{}}
	for _, c := range []struct {
		ends   []spatial.Vec3 // angular velocity, and acceleration
		smooth int            // the highest order of the angular velocity's derivatives that does not jump
	}{{rest, 1}, {append(rest, spatial.Vec3{}), 3}} {
		s, err := NewQuatSpline([]float64{0, 1, 2}, []spatial.Quat{spatial.IdentityQuat(), quarter, half}, c.ends, c.ends)
		if err != nil {
			t.Fatal(err)
		}
		for i, q := range []spatial.Quat{spatial.IdentityQuat(), quarter, half} {
			testkit.Near(t, "passes its rotation", math.Abs(s.At(float64(i), 0).Dot(q)), 1, 1e-12)
		}
		for _, end := range []float64{0, 2} {
			testkit.Near(t, "rests at its ends", s.At(end, 0).AngularVelocity(s.At(end, 1)).Norm(), 0, 1e-9)
		}
		for order := 0; order <= c.smooth; order++ {
			if _, jump := s.Jump(order); jump > 1e-6 {
				t.Errorf("%d conditions at an end: derivative %d of the angular velocity jumps by %v", len(c.ends), order, jump)
			}
		}
	}
	// A quarter of the unit circle in π/2 s, through (cos 45°, sin 45°): speed 1, acceleration 1 towards the centre, jerk 1.
	arc, err := ArcThrough(spatial.Vec3{X: 1}, spatial.Vec3{X: math.Sqrt(0.5), Y: math.Sqrt(0.5)}, spatial.Vec3{Y: 1}, math.Pi/2)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{0, 0.5, 1, math.Pi / 2} {
		sin, cos := math.Sincos(x)
		for order, want := range [][]float64{{cos, sin}, {-sin, cos}, {-cos, -sin}, {sin, -cos}} {
			got := arc.At(x, order)
			testkit.AllNear(t, "circular segment", []float64{got.X, got.Y, got.Z}, append(want, 0), 1e-12)
		}
	}
}

// Line 116: "check for kinematic limits" before a function is run as a trajectory. By hand: 1 - cos t on a whole turn has values from 0 to 2, and
// velocity, acceleration and jerk of at most 1.
func TestKinematicLimitsAreCheckedBeforehand(t *testing.T) {
	f := NewSinusoid(0, 2*math.Pi, 1, -1, 0, 1)
	for order := 1; order <= 3; order++ {
		if v := Check(f, Magnitude(order, 1+1e-9)); len(v) != 0 {
			t.Errorf("order %d: %v, want none", order, v)
		}
		if v := Check(f, Magnitude(order, 0.9)); len(v) != 2 || math.Abs(v[0].By()-0.1) > 1e-9 {
			t.Errorf("order %d: %v, want both sides exceeded by 0.1", order, v)
		}
	}
	if v := Check(f, Limit{0, 0, 1.5}); len(v) != 1 || math.Abs(v[0].At-math.Pi) > 1e-7 || math.Abs(v[0].By()-0.5) > 1e-9 {
		t.Errorf("position: %v, want exceeded by 0.5 at π", v)
	}
}
