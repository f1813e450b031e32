package spatial

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// group is a Lie group G with its tangent space V, as the law suite sees it.
type group[G, V any] struct {
	mul      func(a, b G) G
	inverse  func(a G) G
	identity G
	exp      func(v V) G
	log      func(a G) V
	random   func(r *rand.Rand) G
	tangent  func(r *rand.Rand, size float64) V
	scale    func(v V, k float64) V
	add      func(v, w V) V
	gap      func(a, b G) float64 // zero when they are the same element
	vgap     func(v, w V) float64
	right    func(v, d V) V // right Jacobian times d
	rightInv func(v, d V) V
}

func TestRotationMatricesFormALieGroup(t *testing.T) {
	laws(t, group[Mat3, Vec3]{
		mul: Mat3.Mul, inverse: Mat3.T, identity: Identity(), exp: Exp, log: Mat3.Log,
		random:  func(r *rand.Rand) Mat3 { return randomQuat(r).Mat3() },
		tangent: randomVec, scale: Vec3.Scale, add: Vec3.Add, gap: matGap, vgap: vecGap,
		right:    func(v, d Vec3) Vec3 { return RightJacobian(v).MulVec(d) },
		rightInv: func(v, d Vec3) Vec3 { return RightJacobianInverse(v).MulVec(d) },
	})
}

func TestQuaternionsFormALieGroup(t *testing.T) {
	laws(t, group[Quat, Vec3]{
		mul: Quat.Mul, inverse: Quat.Conj, identity: IdentityQuat(), exp: ExpQuat, log: Quat.Log,
		random: randomQuat, tangent: randomVec, scale: Vec3.Scale, add: Vec3.Add,
		gap:      func(a, b Quat) float64 { return a.Sub(b.toward(a)).Norm() },
		vgap:     vecGap,
		right:    func(v, d Vec3) Vec3 { return RightJacobian(v).MulVec(d) },
		rightInv: func(v, d Vec3) Vec3 { return RightJacobianInverse(v).MulVec(d) },
	})
}

func TestPosesFormALieGroup(t *testing.T) {
	laws(t, group[Pose, Motion]{
		mul: Pose.Mul, inverse: Pose.Inverse, identity: IdentityPose(), exp: ExpPose, log: Pose.Log,
		random: randomPose,
		tangent: func(r *rand.Rand, size float64) Motion {
			return Motion{randomVec(r, 2), randomVec(r, size)}
		},
		scale: Motion.Scale, add: Motion.Add,
		gap:      func(a, b Pose) float64 { return matGap(a.R, b.R) + vecGap(a.P, b.P) },
		vgap:     func(v, w Motion) float64 { return vecGap(v.Linear, w.Linear) + vecGap(v.Angular, w.Angular) },
		right:    func(v, d Motion) Motion { return RightPoseJacobian(v).MulMotion(d) },
		rightInv: func(v, d Motion) Motion { return RightPoseJacobian(v).Inverse().MulMotion(d) },
	})
}

// laws checks the axioms of the group and of its exponential map on random elements, on tiny angles and close to π.
func laws[G, V any](t *testing.T, g group[G, V]) {
	r := testkit.Rand(t)
	near := func(what string, a, b G, tol float64) {
		t.Helper()
		if d := g.gap(a, b); !(d <= tol) {
			t.Fatalf("%s: %v and %v differ by %g", what, a, b, d)
		}
	}
	sizes := []float64{0, 1e-300, 1e-12, 1e-8, 1e-5, 1e-3, 0.09, 0.11, 0.49, 0.51, 0.99, 1.01, 2, 3, math.Pi - 1e-6}
	for range 200 {
		a, b, c := g.random(r), g.random(r), g.random(r)
		near("(ab)c = a(bc)", g.mul(g.mul(a, b), c), g.mul(a, g.mul(b, c)), 2e-13)
		near("a 1 = a", g.mul(a, g.identity), a, 1e-15)
		near("a a⁻¹ = 1", g.mul(a, g.inverse(a)), g.identity, 1e-14)
		near("exp log a = a", g.exp(g.log(a)), a, 1e-12)
		for _, size := range sizes {
			v := g.tangent(r, size)
			e := g.exp(v)
			near("exp(v) exp(-v) = 1", g.mul(e, g.exp(g.scale(v, -1))), g.identity, 1e-14)
			near("exp(v) = exp(v/3) exp(2v/3)", g.mul(g.exp(g.scale(v, 1./3)), g.exp(g.scale(v, 2./3))), e, 1e-13)
			if d := g.vgap(g.log(e), v); !(d <= 1e-8) || size < 2 && !(d < 1e-13) {
				t.Fatalf("log exp %v = %v", v, g.log(e))
			}
			d := g.tangent(r, 1)
			if back := g.rightInv(v, g.right(v, d)); g.vgap(back, d) > 1e-12 {
				t.Fatalf("Jr⁻¹ Jr d = %v, want %v", back, d)
			}
			// central difference of the exponential
			h := 1e-5
			p := g.log(g.mul(g.inverse(e), g.exp(g.add(v, g.scale(d, h)))))
			m := g.log(g.mul(g.inverse(e), g.exp(g.add(v, g.scale(d, -h)))))
			num := g.scale(g.add(p, g.scale(m, -1)), 1/(2*h))
			if gap := g.vgap(num, g.right(v, d)); gap > 1e-8 {
				t.Fatalf("Jr(%v) %v = %v, by differences %v", v, d, g.right(v, d), num)
			}
		}
	}
}

func randomVec(r *rand.Rand, size float64) Vec3 {
	return Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Unit().Scale(size)
}

func randomQuat(r *rand.Rand) Quat {
	return Quat{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Unit()
}

func randomPose(r *rand.Rand) Pose { return Pose{randomQuat(r).Mat3(), randomVec(r, 2)} }

func matGap(a, b Mat3) float64 {
	d := a.Sub(b)
	return math.Sqrt(d.Mul(d.T()).Trace())
}

func vecGap(a, b Vec3) float64 { return a.Sub(b).Norm() }
