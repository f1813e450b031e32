package curve

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"pgregory.net/rapid"
)

// No sample of a rotation is beyond its range, and the range has its extremes where it reports them.
func TestRangeOfARotationHoldsAllSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Rotation(QuatHermite(2, drawQuat(t, "a"), drawQuat(t, "b"), drawVecs(t, 2, "start"), drawVecs(t, 2, "end")))
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 1:
			r = NestRotation(r, NewPolynomial(0, 2, 0, 0.5, 0.25))
		case 2:
			r = NewPiecewiseRotation(1, r, Slerp(0.5, drawQuat(t, "c"), drawQuat(t, "d")), NestRotation(r, NewPiecewise(0, NewPolynomial(0, 1, 0, 0, 0.5), NewPolynomial(0, 1.5, 0.5, 1))))
		}
		order := rapid.IntRange(1, 3).Draw(t, "order")
		lower, upper := r.Domain()
		x := RotationRange(r, order, lower, upper)
		size := func(at float64) float64 { return AngularVelocity(r, at, order-1).Norm() }
		const samples = 200
		for i := range samples + 1 {
			at := lower + (upper-lower)*float64(i)/samples
			if y := size(at); y > x.Max*(1+1e-6)+1e-9 || y < x.Min*(1-1e-6)-1e-6 {
				t.Fatalf("order %d at %v: %v, the range is %v to %v", order, at, y, x.Min, x.Max)
			}
		}
		if y := size(x.MaxAt); math.Abs(y-x.Max) > 1e-6*(1+x.Max) {
			t.Fatalf("order %d at %v: %v, the range has its maximum %v there", order, x.MaxAt, y, x.Max)
		}
	})
}

// About one axis the limits are those of the angle: a minimum-jerk turn by 1 rad in 2 s has the peak speed 15/8 · 1/2 rad/s and the peak
// acceleration 10/√3 / 4 rad/s².
func TestCheckRotationReportsTheWorstBreach(t *testing.T) {
	axis := spatial.Vec3{X: 0.6, Z: 0.8}
	rest := make([]spatial.Vec3, 2)
	turn := QuatHermite(2, spatial.IdentityQuat(), spatial.ExpQuat(axis), rest, rest)
	speed, acceleration := 15./16, 10/math.Sqrt(3)/4
	if found := CheckRotation(turn, Magnitude(1, speed*1.000001), Magnitude(2, acceleration*1.000001)); len(found) != 0 {
		t.Errorf("within its limits: %v", found)
	}
	r := NewPiecewiseRotation(10, Slerp(1, spatial.IdentityQuat(), spatial.IdentityQuat()), turn)
	found := CheckRotation(r, Magnitude(1, 0.9), Magnitude(2, 1))
	if len(found) != 2 {
		t.Fatalf("violations %v, expected two", found)
	}
	testkit.Near(t, "peak speed", found[0].Value, speed, 1e-9)
	testkit.Near(t, "where", found[0].At, 12, 1e-6)
	testkit.Near(t, "peak acceleration", found[1].Value, acceleration, 1e-9)
	if found := CheckRotation(turn, Limit{Order: 1, Min: 0.1, Max: math.Inf(1)}); len(found) != 1 || found[0].Value > 1e-9 {
		t.Errorf("a rotation from rest is too slow there: %v", found)
	}
}

// At a jump the values on both sides count.
func TestRangeOfARotationHasBothSidesOfAJump(t *testing.T) {
	z := func(angle float64) spatial.Quat { return spatial.ExpQuat(spatial.Vec3{Z: angle}) }
	r := NewPiecewiseRotation(0, Slerp(1, z(0), z(0.5)), Slerp(1, z(0.5), z(2)))
	x := RotationRange(r, 1, 0, 2)
	testkit.Near(t, "least", x.Min, 0.5, 1e-9)
	testkit.Near(t, "greatest", x.Max, 1.5, 1e-9)
	x = RotationRange(r, 1, 0.25, 0.25)
	testkit.Near(t, "of a point", x.Max, 0.5, 1e-9)
}
