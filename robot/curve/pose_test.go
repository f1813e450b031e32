package curve

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// stadium returns a line of 2 m and a tangent half circle of radius 1 m at 1 m/s, while the frame turns at 0.5 rad/s about z.
func stadium() Pose {
	line := Line(spatial.Vec3{}, spatial.Vec3{X: 2}, 2)
	arc := Arc(spatial.Vec3{X: 2, Y: 1}, spatial.Vec3{Z: 1}, spatial.Vec3{X: 2}, math.Pi, math.Pi)
	q := func(angle float64) spatial.Quat { return spatial.ExpQuat(spatial.Vec3{Z: angle}) }
	return Pose{
		Path{NewPiecewise(0, line.X, arc.X), NewPiecewise(0, line.Y, arc.Y), NewPiecewise(0, line.Z, arc.Z)},
		NewPiecewiseRotation(0, Slerp(2, q(0), q(1)), Slerp(math.Pi, q(1), q(1+math.Pi/2))),
	}
}

// On a line with a tangent half circle the velocity is continuous and the acceleration jumps to v²/r.
func TestPoseOfPiecesIsContinuousInVelocity(t *testing.T) {
	p := stadium()
	if lower, upper := p.Domain(); lower != 0 || upper != 2+math.Pi {
		t.Errorf("domain %v to %v", lower, upper)
	}
	if c := p.Continuity(1e-9); c != 1 {
		t.Errorf("continuity %d, expected that of the velocity, 1", c)
	}
	if c := p.Continuity(1.001); c < 2 {
		t.Errorf("continuity %d with a tolerance above the jump", c)
	}
	q := spatial.ExpQuat(spatial.Vec3{Z: 1})
	turned := Pose{Line(spatial.Vec3{}, spatial.Vec3{X: 1}, 2), NewPiecewiseRotation(0, Slerp(1, q.Conj(), spatial.IdentityQuat()), Slerp(1, spatial.IdentityQuat(), q.Mul(q)))}
	if c := turned.Continuity(1e-9); c != 0 {
		t.Errorf("continuity %d of a rotation that changes its speed, expected 0", c)
	}
	end := p.At(2 + math.Pi)
	testkit.Near(t, "end", end.P.Sub(spatial.Vec3{X: 2, Y: 2}).Norm(), 0, 1e-12)
	testkit.Near(t, "turn", end.R.Log().Sub(spatial.Vec3{Z: 1 + math.Pi/2}).Norm(), 0, 1e-12)
	before, after := p.Derivative(1, 2), p.Derivative(3, 2)
	testkit.Near(t, "acceleration on the line", before.Linear.Norm()+before.Angular.Norm(), 0, 1e-12)
	testkit.Near(t, "acceleration on the arc", after.Linear.Norm(), 1, 1e-12)
	testkit.Near(t, "angular velocity", p.Derivative(3, 1).Angular.Sub(spatial.Vec3{Z: 0.5}).Norm(), 0, 1e-12)
	testkit.NoAllocs(t, 100, func() { p.At(2.5); p.Derivative(2.5, 2) })
}

// Under a law of time s(t) the velocity is D1 ṡ and the acceleration D1 s̈ + D2 ṡ².
func TestPoseUnderALaw(t *testing.T) {
	p := stadium()
	law := Hermite(0, 3, []float64{0, 0, 0}, []float64{2 + math.Pi, 0, 0})
	timed := p.Under(law)
	for _, at := range []float64{0.3, 1, 2.2} {
		s := StateAt(law, at)
		d1, d2 := p.Derivative(s.Position, 1), p.Derivative(s.Position, 2)
		v := timed.Derivative(at, 1).Sub(d1.Scale(s.Velocity))
		a := timed.Derivative(at, 2).Sub(d1.Scale(s.Acceleration).Add(d2.Scale(s.Velocity * s.Velocity)))
		testkit.Near(t, "velocity", v.Linear.Norm()+v.Angular.Norm(), 0, 1e-10)
		testkit.Near(t, "acceleration", a.Linear.Norm()+a.Angular.Norm(), 0, 1e-10)
	}
	// The greatest speed is that of the law, 15/8 of the mean, on lines and arcs alike.
	fastest := 15. / 8 * (2 + math.Pi) / 3
	if found := timed.Check([]Limit{{1, 0, fastest * 1.000001}}, []Limit{{1, 0, fastest / 2 * 1.000001}}); len(found) != 0 {
		t.Errorf("within its limits: %v", found)
	}
	found := timed.Check([]Limit{Magnitude(1, 1)}, []Limit{Magnitude(1, 0.2)})
	if len(found) != 2 || found[0].Component != 0 || found[1].Component != 1 {
		t.Fatalf("violations %v, expected one of the position and one of the rotation", found)
	}
	testkit.Near(t, "greatest speed", found[0].Value, fastest, 1e-8)
	testkit.Near(t, "greatest angular speed", found[1].Value, fastest/2, 1e-8)
	testkit.Near(t, "where", found[1].At, 1.5, 1e-4)
}

// The ellipse (2 cos t, sin t) has speeds from 1 to 2, and its acceleration is its distance from the center.
func TestRangeOfAPath(t *testing.T) {
	p := Path{NewSinusoid(0, 6, 0, 2, 0, 1), NewSinusoid(0, 6, 0, 0, 1, 1), NewPolynomial(0, 6, 3)}
	for order := 1; order <= 2; order++ {
		r := p.Range(order, 0.1, 5.9)
		testkit.Near(t, "least", r.Min, 1, 1e-9)
		testkit.Near(t, "greatest", r.Max, 2, 1e-9)
	}
	testkit.Near(t, "where it is fastest", math.Abs(math.Sin(p.Range(1, 0.1, 3).MaxAt)), 1, 1e-9)
}

// A piece that jumps within itself, and a composition with it, are no smoother than that.
func TestContinuityLooksIntoPieces(t *testing.T) {
	kink := NewPiecewise(0, NewPolynomial(0, 1, 0, 1), NewPolynomial(0, 1, 1, 2))
	whole := NewPiecewise(0, kink, NewPolynomial(0, 1, 3, 2))
	for _, f := range []Function{kink, whole, Nest(NewSinusoid(0, 3, 0, 1, 0, 1), whole), Nest(whole, NewPolynomial(0, 3, 0, 1))} {
		if c := f.Continuity(1e-9); c != 0 {
			t.Errorf("%T: continuity %d, expected that of the value, 0", f, c)
		}
	}
	if c := (Vector{NewPolynomial(0, 1, 0, 1), whole}).Continuity(1e-9); c != 0 {
		t.Errorf("vector: continuity %d, expected 0", c)
	}
	q := spatial.IdentityQuat()
	if c := NestRotation(Slerp(3, q, spatial.ExpQuat(spatial.Vec3{X: 1})), whole).Continuity(1e-9); c != 0 {
		t.Errorf("rotation under a law with a kink: continuity %d, expected 0", c)
	}
	if c := (Nested{kink, kink}).Continuity(2); c < 1 {
		t.Errorf("with a tolerance above its jump: continuity %d", c)
	}
}

// A squad is that of Shoemake at every point, its derivatives are those of its values, and with the control points successive pieces join with continuous
// angular velocity.
func TestSquadIsSmoothThroughItsRotations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := make([]spatial.Quat, 5)
		for i := range q {
			q[i] = drawQuat(t, "q")
			if i > 0 { // turns of less than half a turn, whose shorter way is clear
				q[i] = q[i-1].Mul(spatial.ExpQuat(q[i].Log().Scale(0.3)))
			}
		}
		control := func(i int) spatial.Quat { return spatial.SquadControl(q[i-1], q[i], q[i+1]) }
		a := NewSquad(2, q[1], control(1), control(2), q[2])
		b := NewSquad(2, q[2], control(2), control(3), q[3])
		for _, u := range []float64{0, 0.2, 0.5, 0.9, 1} {
			if d := same(a.At(2*u, 0), q[1].Squad(control(1), control(2), q[2], u)); d > 1e-12 {
				t.Fatalf("at %v off by %v", u, d)
			}
		}
		const h = 1e-4
		for order := 1; order <= 4; order++ {
			slope := a.At(0.7+h, order-1).Sub(a.At(0.7-h, order-1)).Scale(1 / (2 * h))
			if d := slope.Sub(a.At(0.7, order)).Norm(); d > 1e-5 {
				t.Fatalf("derivative %d off by %v", order, d)
			}
		}
		joined := NewPiecewiseRotation(0, a, b)
		if c := joined.Continuity(1e-9); c < 1 {
			t.Fatalf("continuity %d, expected at least that of the angular velocity, 1", c)
		}
	})
}
