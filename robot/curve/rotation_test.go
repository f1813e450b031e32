package curve

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"pgregory.net/rapid"
)

func drawQuat(t *rapid.T, name string) spatial.Quat {
	f := rapid.Float64Range(-1, 1)
	q := spatial.Quat{X: f.Draw(t, name), Y: f.Draw(t, name), Z: f.Draw(t, name), W: f.Draw(t, name)}
	if q.Norm() < 0.1 {
		return spatial.IdentityQuat()
	}
	return q.Unit()
}

func drawVecs(t *rapid.T, n int, name string) []spatial.Vec3 {
	v := make([]spatial.Vec3, n)
	for i := range v {
		v[i] = drawVec(t, name)
	}
	return v
}

func same(a, b spatial.Quat) float64 { return min(a.Sub(b).Norm(), a.Add(b).Norm()) }

// A quaternion polynomial meets its boundary conditions: rotations, angular velocities and their derivatives.
func TestQuatHermiteMeetsItsConditions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		T := rapid.Float64Range(0.3, 3).Draw(t, "T")
		a, b := drawQuat(t, "a"), drawQuat(t, "b")
		n := rapid.IntRange(0, 3).Draw(t, "n")
		start, end := drawVecs(t, n, "start"), drawVecs(t, rapid.IntRange(0, 3).Draw(t, "m"), "end")
		if math.Abs(a.Dot(b)) < 1e-3 {
			return // half a turn apart: which way is shorter is a matter of rounding
		}
		p := QuatHermite(T, a, b, start, end)
		if d := same(p.At(0, 0), a) + same(p.At(T, 0), b); d > 1e-9 {
			t.Fatalf("misses its ends by %v", d)
		}
		for k, w := range start {
			if d := AngularVelocity(p, 0, k).Sub(w).Norm(); d > 1e-6 {
				t.Fatalf("derivative %d of ω at the start: %v, want %v", k, AngularVelocity(p, 0, k), w)
			}
		}
		for k, w := range end {
			if d := AngularVelocity(p, T, k).Sub(w).Norm(); d > 1e-5*math.Pow(T, -float64(k+1))*(1+T*T*T) {
				t.Fatalf("derivative %d of ω at the end: %v, want %v", k, AngularVelocity(p, T, k), w)
			}
		}
	})
}

// All rotations stay unit quaternions, their derivatives are difference quotients, and ω has no w part: q'·q = 0.
func TestDerivativesOfRotationsAreDifferenceQuotients(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Rotation(QuatHermite(2, drawQuat(t, "a"), drawQuat(t, "b"), drawVecs(t, 2, "start"), drawVecs(t, 1, "end")))
		if rapid.Bool().Draw(t, "nested") {
			r = NestRotation(r, NewPolynomial(0, 2, 0, 0.5, 0.25))
		}
		x := rapid.Float64Range(0.01, 1.99).Draw(t, "x")
		const h = 1e-5
		for k := range 4 {
			q := r.At(x+h, k).Sub(r.At(x-h, k)).Scale(1 / (2 * h))
			d := r.At(x, k+1)
			if e := d.Sub(q).Norm(); e > 1e-6*(1+r.At(x, k+3).Norm()+r.At(x, k).Norm()) {
				t.Fatalf("derivative %d at %v: %v, difference quotient %v", k+1, x, d, q)
			}
		}
		if n := r.At(x, 0).Norm(); math.Abs(n-1) > 1e-12 {
			t.Fatalf("norm %v", n)
		}
		if d := r.At(x, 0).Dot(r.At(x, 1)); math.Abs(d) > 1e-9*(1+r.At(x, 1).Norm()) {
			t.Fatalf("q·q' = %v", d)
		}
	})
}

// A rotation through many turns: the series far from 0 continue those near 0.
func TestQuatPolynomialTurnsManyTimes(t *testing.T) {
	p := QuatPolynomial{start: spatial.IdentityQuat(), r: [3]Polynomial{NewPolynomial(0, 10), NewPolynomial(0, 10), NewPolynomial(0, 10, 0, 3)}}
	for x := 0.0; x < 10; x += 0.25 {
		q, d := p.At(x, 0), p.At(x, 5)
		testkit.Near(t, "cos", q.W, math.Cos(1.5*x), 1e-12)
		testkit.Near(t, "sin", q.Z, math.Sin(1.5*x), 1e-12)
		testkit.Near(t, "fifth derivative", d.Z, math.Pow(1.5, 5)*math.Cos(1.5*x), 1e-8)
		testkit.Near(t, "angular velocity", AngularVelocity(p, x, 0).Z, 3, 1e-11)
	}
}

func TestSlerpTurnsAtConstantSpeed(t *testing.T) {
	a, b := spatial.Quat{X: 0.6, W: 0.8}, spatial.Quat{Y: -0.6, Z: 0.64, W: -0.48}
	p := Slerp(2, a, b)
	first := AngularVelocity(p, 0, 0)
	for x := 0.0; x <= 2; x += 0.1 {
		testkit.Near(t, "change of ω", AngularVelocity(p, x, 0).Sub(first).Norm(), 0, 1e-12)
	}
	testkit.Near(t, "angle", first.Norm()*2, 2*math.Acos(math.Abs(a.Dot(b))), 1e-12)
}

func TestQuatSplineIsSmoothThroughItsRotations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 7).Draw(t, "n")
		m := rapid.IntRange(1, 2).Draw(t, "m")
		x := drawTimes(t, n)
		if m == 2 { // a quintic swings widely where short and long intervals meet, up to half a turn
			for i := range x {
				x[i] = float64(i) + rapid.Float64Range(-0.25, 0.25).Draw(t, "shift")
			}
		}
		q := []spatial.Quat{drawQuat(t, "first")}
		for len(q) < n { // up to 1 rad per second or so
			step := x[len(q)] - x[len(q)-1]
			v := drawVec(t, "turn").Scale(step / 6)
			p := spatial.Quat{X: v.X, Y: v.Y, Z: v.Z, W: 1}.Unit()
			q = append(q, q[len(q)-1].Mul(p).Scale(rapid.SampledFrom([]float64{-1, 1}).Draw(t, "sign")))
		}
		start, end := drawVecs(t, m, "start"), drawVecs(t, m, "end")
		for k := range m {
			start[k], end[k] = start[k].Scale(0.3), end[k].Scale(0.3)
		}
		s, err := NewQuatSpline(x, q, start, end)
		if err != nil {
			t.Fatal(err)
		}
		for i := range x {
			if d := same(s.At(x[i], 0), q[i]); d > 1e-9 {
				t.Fatalf("misses rotation %d by %v", i, d)
			}
		}
		for order := range 2 * m {
			size := 1.0
			for _, at := range x {
				size = max(size, AngularVelocity(s, at, order).Norm())
			}
			if at, jump := s.Jump(order); jump > 1e-6*size {
				t.Fatalf("m %d: derivative %d of ω jumps by %v at %v", m, order, jump, at)
			}
		}
		for k := range m {
			if d := AngularVelocity(s, x[0], k).Sub(start[k]).Norm(); d > 1e-6 {
				t.Fatalf("derivative %d of ω is another one at the start, by %v", k, d)
			}
		}
	})
}

// About a fixed axis a quaternion spline is the cubic spline of the angle.
func TestQuatSplineAboutOneAxisIsACubicSpline(t *testing.T) {
	x, angle := []float64{0, 1, 2.5, 3}, []float64{0, 0.7, 0.2, 1}
	q := make([]spatial.Quat, len(x))
	for i, a := range angle {
		q[i] = spatial.Quat{Y: math.Sin(a / 2), W: math.Cos(a / 2)}
	}
	s, err := NewQuatSpline(x, q, []spatial.Vec3{{Y: 0.5}}, []spatial.Vec3{{Y: -1}})
	if err != nil {
		t.Fatal(err)
	}
	flat := Spline(x, angle, []float64{0.5}, []float64{-1})
	for u := 0.0; u <= 3; u += 0.1 {
		testkit.Near(t, "angular velocity", AngularVelocity(s, u, 0).Y, flat.At(u, 1), 1e-7)
	}
	testkit.NoAllocs(t, 100, func() { s.At(1.3, 2) })

	s, err = NewQuatSpline(x, q, []spatial.Vec3{{Y: 0.5}, {Y: 2}}, []spatial.Vec3{{Y: -1}, {Y: 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	flat = Spline(x, angle, []float64{0.5, 2}, []float64{-1, 0.5})
	for u := 0.0; u <= 3; u += 0.1 {
		testkit.Near(t, "angular velocity of the quintic", AngularVelocity(s, u, 0).Y, flat.At(u, 1), 1e-6)
		testkit.Near(t, "its third derivative", AngularVelocity(s, u, 3).Y, flat.At(u, 4), 1e-4)
	}
}

// About a fixed axis the pieces of a rotation are those of the angle: they jump where it does.
func TestPiecewiseRotationJumpsWhereItsPiecesDoNotFit(t *testing.T) {
	z := func(angle float64) spatial.Quat { return spatial.Quat{Z: math.Sin(angle / 2), W: math.Cos(angle / 2)} }
	w := func(v ...float64) (list []spatial.Vec3) {
		for _, x := range v {
			list = append(list, spatial.Vec3{Z: x})
		}
		return list
	}
	speedUp := QuatHermite(2, z(0), z(1), w(0, 0), w(1, 0.5))
	goOn := QuatHermite(1, z(1).Neg(), z(2), w(1, 0.5), w(0, 0))
	r := NewPiecewiseRotation(10, speedUp, goOn)
	if lower, upper := r.Domain(); lower != 10 || upper != 13 {
		t.Errorf("domain %v to %v", lower, upper)
	}
	for x, angle := range map[float64]float64{10: 0, 12: 1, 13: 2} {
		if d := same(r.At(x, 0), z(angle)); d > 1e-12 {
			t.Errorf("at %v it is off by %v", x, d)
		}
	}
	if c := r.Continuity(1e-9); c != 2 {
		t.Errorf("continuity %d, expected that of the acceleration, 2", c)
	}
	r = NewPiecewiseRotation(0, Slerp(1, z(0), z(1)), Slerp(2, z(1.25), z(1.75)), Slerp(1, z(1.75), z(2)))
	at, size := r.Jump(0)
	testkit.Near(t, "jump of the rotation", size, 0.25, 1e-12)
	testkit.Near(t, "where", at, 1, 0)
	at, size = r.Jump(1)
	testkit.Near(t, "jump of the angular velocity", size, 0.75, 1e-12)
	testkit.Near(t, "where", at, 1, 0)
	if c := r.Continuity(1e-9); c != -1 {
		t.Errorf("continuity %d, expected none, -1", c)
	}
	testkit.NoAllocs(t, 100, func() { r.At(1.5, 2) })
}
