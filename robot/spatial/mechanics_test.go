package spatial

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

func randomMotion(r *rand.Rand) Motion { return Motion{randomVec(r, 1.5), randomVec(r, 2)} }
func randomForce(r *rand.Rand) Force   { return Force{randomVec(r, 10), randomVec(r, 3)} }

// randomInertia returns the inertia of point masses, so it is physically possible.
func randomInertia(r *rand.Rand) Inertia {
	var sum Inertia
	for range 5 {
		sum = sum.Add(Inertia{Mass: r.Float64(), COM: randomVec(r, 0.4)})
	}
	return sum
}

func motionGap(a, b Motion) float64 { return a.Sub(b).Linear.Norm() + a.Sub(b).Angular.Norm() }
func forceGap(a, b Force) float64   { return a.Sub(b).Linear.Norm() + a.Sub(b).Angular.Norm() }

func TestPluckerTransformsKeepPowerAndProducts(t *testing.T) {
	r := testkit.Rand(t)
	small := func(what string, d float64) {
		t.Helper()
		if !(d < 1e-12) {
			t.Fatalf("%s: gap %g", what, d)
		}
	}
	for range 300 {
		x, y := randomPose(r), randomPose(r)
		m, n, f, i := randomMotion(r), randomMotion(r), randomForce(r), randomInertia(r)
		small("X⁻¹ X m = m", motionGap(x.MotionInverse(x.Motion(m)), m))
		small("X⁻¹ X f = f", forceGap(x.ForceInverse(x.Force(f)), f))
		small("XY m = X (Y m)", motionGap(x.Mul(y).Motion(m), x.Motion(y.Motion(m))))
		small("power is the same in all frames", math.Abs(x.Motion(m).Dot(x.Force(f))-m.Dot(f)))
		small("X (m × n) = Xm × Xn", motionGap(x.Motion(m.Cross(n)), x.Motion(m).Cross(x.Motion(n))))
		small("(m × n)·f = -n·(m ×* f)", math.Abs(m.Cross(n).Dot(f)+n.Dot(m.CrossForce(f))))
		small("inertia in another frame", forceGap(x.Inertia(i).Mul(x.Motion(m)), x.Force(i.Mul(m))))
		a := i.Articulated()
		small("articulated form", forceGap(a.Mul(m), i.Mul(m)))
		small("articulated in another frame", forceGap(x.ArticulatedInertia(a).Mul(x.Motion(m)), x.Force(a.Mul(m))))
		j := randomInertia(r)
		small("inertias add", forceGap(i.Add(j).Mul(m), i.Mul(m).Add(j.Mul(m))))
		small("kinetic energy", math.Abs(i.KineticEnergy(m)-a.Mul(m).Linear.Dot(m.Linear)/2-a.Mul(m).Angular.Dot(m.Angular)/2))
		small("x⁻¹y", motionGap(x.InvMul(y).Motion(m), x.Inverse().Mul(y).Motion(m)))
		s := i.SecondMoment()
		o := i.AboutOrigin()
		small("tr(J) 1 - J = I", math.Abs(s.Trace()-s.XX-o.XX)+math.Abs(s.XY+o.XY))
		small("components", motionGap(MotionOf(m.Vec()), m)+forceGap(ForceOf(f.Vec()), f))
	}
}

// The velocity of a frame that moves along exp is the motion itself, in all frames.
func TestMotionIsTheDerivativeOfPose(t *testing.T) {
	r := testkit.Rand(t)
	for range 100 {
		x, m, h := randomPose(r), randomMotion(r), 1e-6
		p := randomVec(r, 1)
		a, b := x.Mul(ExpPose(m.Scale(h))), x.Mul(ExpPose(m.Scale(-h)))
		num := a.Apply(p).Sub(b.Apply(p)).Scale(1 / (2 * h))
		v := x.Motion(m) // at the world's origin
		if d := vecGap(num, v.Linear.Add(v.Angular.Cross(x.Apply(p)))); d > 1e-8 {
			t.Fatalf("velocity of a point differs by %g from differences", d)
		}
	}
}

func TestEigenReturnsPrincipalAxes(t *testing.T) {
	r := testkit.Rand(t)
	for range 300 {
		want := Vec3{r.Float64(), 1 + r.Float64(), 2 + r.Float64()}
		if r.IntN(3) == 0 {
			want.Y = want.X
		}
		s := SymDiag(want.X, want.Y, want.Z).Rotate(randomQuat(r).Mat3())
		got, v := s.Eigen()
		if vecGap(got, want) > 1e-14 || !v.IsRotation(1e-14) {
			t.Fatalf("eigenvalues %v, want %v", got, want)
		}
		if d := matGap(v.Mul(Diag(got)).Mul(v.T()), s.Mat3()); d > 1e-14 {
			t.Fatalf("V Λ Vᵀ misses by %g", d)
		}
	}
}

func TestImpossibleInertiasAreRejected(t *testing.T) {
	r := testkit.Rand(t)
	for range 100 {
		i := randomInertia(r)
		if err := i.Check(1e-9); err != nil {
			t.Fatalf("point masses are refused: %v", err)
		}
	}
	for _, bad := range []Inertia{
		{Mass: -1},
		{Mass: math.NaN()},
		{Mass: 1, COM: Vec3{X: math.Inf(1)}},
		{Mass: 1, Rotational: SymDiag(1, -1, 1)},
		{Mass: 1, Rotational: SymDiag(1, 1, 3)},
	} {
		if bad.Check(1e-9) == nil {
			t.Errorf("%+v passes", bad)
		}
	}
}
