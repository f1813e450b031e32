package spatial

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

func TestEulerAnglesReturnTheirRotation(t *testing.T) {
	r := testkit.Rand(t)
	special := []float64{0, math.Pi / 2, -math.Pi / 2, math.Pi, -math.Pi, 1e-9, math.Pi/2 - 1e-9, math.Pi/2 + 1e-12, 1e-17}
	angle := func() float64 {
		if r.IntN(2) == 0 {
			return special[r.IntN(len(special))]
		}
		return (2*r.Float64() - 1) * math.Pi
	}
	for o := range EulerOrder(EulerOrders) {
		for range 3000 {
			a, b, c := angle(), angle(), angle()
			m := FromEuler(o, a, b, c)
			x, y, z := m.Euler(o)
			if d := matGap(FromEuler(o, x, y, z), m); !(d < 2e-15) {
				t.Fatalf("%v(%g, %g, %g) comes back as (%g, %g, %g): gap %g", o, a, b, c, x, y, z, d)
			}
			repeated := o.String()[len(o.String())-1] == o.String()[len(o.String())-3]
			if repeated && (y < 0 || y > math.Pi) || !repeated && math.Abs(y) > math.Pi/2 {
				t.Fatalf("%v: second angle %g is out of its range", o, y)
			}
		}
		// exact gimbal lock
		lock := math.Pi / 2
		if o.String()[len(o.String())-1] == o.String()[len(o.String())-3] {
			lock = 0
		}
		if _, _, z := FromEuler(o, 0.4, lock, 0.3).Euler(o); math.Abs(z) > 1e-15 {
			t.Errorf("%v in gimbal lock: third angle %g, want 0", o, z)
		}
	}
}

// The extrinsic order is the intrinsic one with angles and axes reversed.
func TestEulerOrdersFollowTheirDefinitions(t *testing.T) {
	a, b, c := 0.3, -0.7, 1.9
	for _, x := range []struct {
		order EulerOrder
		want  Mat3
	}{
		{XYZ, RotX(a).Mul(RotY(b)).Mul(RotZ(c))},
		{ZYX, RotZ(a).Mul(RotY(b)).Mul(RotX(c))},
		{ZYZ, RotZ(a).Mul(RotY(b)).Mul(RotZ(c))},
		{YXY, RotY(a).Mul(RotX(b)).Mul(RotY(c))},
		{FixedXYZ, RotZ(c).Mul(RotY(b)).Mul(RotX(a))},
		{FixedZXZ, RotZ(c).Mul(RotX(b)).Mul(RotZ(a))},
		{FixedXYZ, RPY(a, b, c)},
	} {
		if got := FromEuler(x.order, a, b, c); matGap(got, x.want) > 1e-15 {
			t.Errorf("%v: %v, want %v", x.order, got, x.want)
		}
	}
	if roll, pitch, yaw := RPY(a, b, c).RPY(); math.Abs(roll-a)+math.Abs(pitch-b)+math.Abs(yaw-c) > 1e-15 {
		t.Errorf("RPY(%g, %g, %g) comes back as %g, %g, %g", a, b, c, roll, pitch, yaw)
	}
}

func TestMatrixQuaternionAngleAxis(t *testing.T) {
	r := testkit.Rand(t)
	for range 2000 {
		q := randomQuat(r)
		m := q.Mat3()
		if !m.IsRotation(1e-14) {
			t.Fatalf("%v gives no rotation: %v", q, m)
		}
		if d := m.Quat().toward(q).Sub(q).Norm(); d > 4e-15 {
			t.Fatalf("%v comes back as %v", q, m.Quat())
		}
		k := math.Exp(4 * r.NormFloat64()) // a length other than one is the same rotation
		if d := matGap(q.Scale(k).Mat3(), m); d > 1e-14 {
			t.Fatalf("%v times %g is another rotation", q, k)
		}
		if d := vecGap(q.Scale(-k).Log(), q.Log()); d > 1e-14 {
			t.Fatalf("log of %v times %g is another rotation", q, -k)
		}
		angle, axis := m.AngleAxis()
		if d := matGap(AngleAxis(angle, axis.Scale(k)), m); d > 1e-14 {
			t.Fatalf("angle %g about %v gives back %v, want %v", angle, axis, AngleAxis(angle, axis), m)
		}
		v := randomVec(r, 3)
		if d := vecGap(q.Rotate(v), m.MulVec(v)); d > 1e-14 {
			t.Fatalf("%v turns %v to %v, its matrix to %v", q, v, q.Rotate(v), m.MulVec(v))
		}
		rough := m
		for i := range rough {
			for j := range rough[i] {
				rough[i][j] = math.Round(rough[i][j]*1e4) / 1e4
			}
		}
		if o := rough.Orthonormalize(); !o.IsRotation(1e-14) || matGap(o, m) > 2e-4 {
			t.Fatalf("Orthonormalize(%v) = %v", rough, o)
		}
	}
	if angle, axis := Identity().AngleAxis(); angle != 0 || axis != (Vec3{X: 1}) {
		t.Errorf("identity: angle %g, axis %v", angle, axis)
	}
	if (Vec3{}).Unit() != (Vec3{}) || (Quat{}).Unit() != IdentityQuat() {
		t.Error("Unit of zero is not as documented")
	}
}

func TestLogOfAHalfTurnHasAngleOfPi(t *testing.T) {
	r := testkit.Rand(t)
	for range 200 {
		u := randomVec(r, math.Pi)
		got := Exp(u).Log()
		if vecGap(got, u) > 1e-7 && vecGap(got, u.Neg()) > 1e-7 {
			t.Fatalf("half turn %v comes back as %v", u, got)
		}
		if math.Abs(got.Norm()-math.Pi) > 1e-7 {
			t.Fatalf("half turn %v comes back with angle %g", u, got.Norm())
		}
	}
}
