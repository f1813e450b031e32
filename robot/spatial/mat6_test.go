package spatial

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// mul6 returns m n, transpose6 mᵀ, gap6 the greatest difference of two entries.
func mul6(m, n [6][6]float64) (p [6][6]float64) {
	for i := range m {
		for j := range m {
			for k := range m {
				p[i][j] += m[i][k] * n[k][j]
			}
		}
	}
	return p
}

func transpose6(m [6][6]float64) (t [6][6]float64) {
	for i := range m {
		for j := range m {
			t[j][i] = m[i][j]
		}
	}
	return t
}

func gap6(m, n [6][6]float64) (gap float64) {
	for i := range m {
		for j := range m {
			gap = max(gap, math.Abs(m[i][j]-n[i][j]))
		}
	}
	return gap
}

func apply6(m [6][6]float64, x [6]float64) (y [6]float64) {
	for i := range m {
		for j := range m {
			y[i] += m[i][j] * x[j]
		}
	}
	return y
}

func TestMatricesActAsTheOperatorsDo(t *testing.T) {
	r := testkit.Rand(t)
	one := blocks(Identity(), Mat3{}, Mat3{}, Identity())
	small := func(what string, d float64) {
		t.Helper()
		if !(d < 1e-12) {
			t.Fatalf("%s: gap %g", what, d)
		}
	}
	for range 300 {
		x, y, m, f, i := randomPose(r), randomPose(r), randomMotion(r), randomForce(r), randomInertia(r)
		X, XF, I := x.MotionMatrix(), x.ForceMatrix(), i.Matrix()
		small("X m", motionGap(MotionOf(apply6(X, m.Vec())), x.Motion(m)))
		small("X* f", forceGap(ForceOf(apply6(XF, f.Vec())), x.Force(f)))
		small("I m", forceGap(ForceOf(apply6(I, m.Vec())), i.Mul(m)))
		small("X* = X⁻ᵀ", gap6(mul6(transpose6(XF), X), one))
		small("X(x⁻¹) = X⁻¹", gap6(mul6(x.Inverse().MotionMatrix(), X), one))
		small("X(xy) = X(x) X(y)", gap6(x.Mul(y).MotionMatrix(), mul6(X, y.MotionMatrix())))
		small("I = Iᵀ", gap6(I, transpose6(I)))
		small("inertia in another frame: X* I X⁻¹", gap6(x.Inertia(i).Matrix(), mul6(mul6(XF, I), x.Inverse().MotionMatrix())))
	}
}

// Featherstone, Rigid Body Dynamics Algorithms, 2008, prints with the angular part first, for a frame b at r in a whose axes E takes coordinates in a to:
//
//	ᵇX_a = (E 0; -E r× E),  ᵇX_a* = (E -E r×; 0 E)   (section 2.8),  I = (I_c + m c×c×ᵀ  m c×; m c×ᵀ  m 1)   (section 2.13)
//
// Written out here by hand for a turn by 90° about z, r = (1, 2, 3), m = 2, c = (0.1, 0.2, 0.3), I_c = diag(1, 2, 3).
func TestMatricesAreThoseThatFeatherstonePrints(t *testing.T) {
	linearFirst := func(m [6][6]float64) (n [6][6]float64) {
		for i := range m {
			for j := range m {
				n[(i+3)%6][(j+3)%6] = m[i][j]
			}
		}
		return n
	}
	x := Pose{R: RotZ(math.Pi / 2), P: Vec3{1, 2, 3}}.Inverse() // from a to b
	motion := [6][6]float64{
		{0, 1, 0, 0, 0, 0},
		{-1, 0, 0, 0, 0, 0},
		{0, 0, 1, 0, 0, 0},
		{-3, 0, 1, 0, 1, 0},
		{0, -3, 2, -1, 0, 0},
		{2, -1, 0, 0, 0, 1},
	}
	force := [6][6]float64{
		{0, 1, 0, -3, 0, 1},
		{-1, 0, 0, 0, -3, 2},
		{0, 0, 1, 2, -1, 0},
		{0, 0, 0, 0, 1, 0},
		{0, 0, 0, -1, 0, 0},
		{0, 0, 0, 0, 0, 1},
	}
	inertia := [6][6]float64{
		{1 + 2*0.13, -2 * 0.02, -2 * 0.03, 0, -0.6, 0.4},
		{-2 * 0.02, 2 + 2*0.10, -2 * 0.06, 0.6, 0, -0.2},
		{-2 * 0.03, -2 * 0.06, 3 + 2*0.05, -0.4, 0.2, 0},
		{0, 0.6, -0.4, 2, 0, 0},
		{-0.6, 0, 0.2, 0, 2, 0},
		{0.4, -0.2, 0, 0, 0, 2},
	}
	i := Inertia{Mass: 2, COM: Vec3{0.1, 0.2, 0.3}, Rotational: SymDiag(1, 2, 3)}
	for what, gap := range map[string]float64{
		"motion":  gap6(x.MotionMatrix(), linearFirst(motion)),
		"force":   gap6(x.ForceMatrix(), linearFirst(force)),
		"inertia": gap6(i.Matrix(), linearFirst(inertia)),
	} {
		testkit.Near(t, what, gap, 0, 1e-15)
	}
}
