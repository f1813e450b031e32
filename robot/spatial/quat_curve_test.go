package spatial

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

func TestPowerExpAndLogOfQuaternionsAgree(t *testing.T) {
	r := testkit.Rand(t)
	for range 500 {
		q := Quat{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		if d := q.LogQuat().Exp().Sub(q).Norm(); d > 1e-13 {
			t.Fatalf("exp log %v = %v", q, q.LogQuat().Exp())
		}
		if d := q.Pow(3).Sub(q.Mul(q).Mul(q)).Norm(); d > 1e-12*math.Pow(1+q.Norm(), 3) {
			t.Fatalf("%v³ = %v, want %v", q, q.Pow(3), q.Mul(q).Mul(q))
		}
		if d := q.Pow(0.4).Mul(q.Pow(0.6)).Sub(q).Norm(); d > 1e-12 {
			t.Fatalf("%v^0.4 %v^0.6 = %v", q, q, q.Pow(0.4).Mul(q.Pow(0.6)))
		}
	}
	if d := (Quat{W: -1}).LogQuat().Exp().Sub(Quat{W: -1}).Norm(); d > 1e-15 {
		t.Error("exp log -1 is not -1")
	}
}

func TestSlerpMeetsItsEndsAndDerivative(t *testing.T) {
	r := testkit.Rand(t)
	for range 300 {
		p, q := randomQuat(r), randomQuat(r)
		if r.IntN(3) == 0 {
			q = p.Mul(ExpQuat(randomVec(r, 1e-9))).Neg() // antipodal and almost equal
		}
		s := r.Float64()
		x := p.Slerp(q, s)
		if d := matGap(p.Slerp(q, 0).Mat3(), p.Mat3()) + matGap(p.Slerp(q, 1).Mat3(), q.Mat3()); d > 4e-14 {
			t.Fatalf("slerp from %v to %v misses its ends by %g", p, q, d)
		}
		if d := matGap(x.Mat3(), p.Scale(3).Slerp(q.Scale(-0.1), s).Mat3()); d > 4e-14 {
			t.Fatalf("slerp depends on length or sign: %g", d)
		}
		if d := matGap(x.Mat3(), q.Slerp(p, 1-s).Mat3()); d > 1e-7 {
			t.Fatalf("slerp backwards differs by %g", d)
		}
		h := 1e-6
		num := p.Slerp(q, s+h).Sub(p.Slerp(q, s-h)).Scale(1 / (2 * h))
		if d := num.Sub(p.SlerpDerivative(q, s)).Norm(); d > 1e-8 {
			t.Fatalf("derivative %v, by differences %v", p.SlerpDerivative(q, s), num)
		}
		if d := vecGap(x.AngularVelocity(p.SlerpDerivative(q, s)), p.SlerpVelocity(q)); d > 1e-13 {
			t.Fatalf("velocity of slerp differs from its derivative by %g", d)
		}
	}
}

// Pieces of squad join with the same velocity.
func TestSquadIsSmooth(t *testing.T) {
	r := testkit.Rand(t)
	for range 100 {
		var k [5]Quat
		k[0] = randomQuat(r)
		for i := 1; i < len(k); i++ {
			k[i] = k[i-1].Mul(ExpQuat(randomVec(r, 0.8)))
		}
		var c [4]Quat
		for i := 1; i < 4; i++ {
			c[i] = SquadControl(k[i-1], k[i], k[i+1])
		}
		left := func(x float64) Quat { return k[1].Squad(c[1], c[2], k[2], x) }
		right := func(x float64) Quat { return k[2].Squad(c[2], c[3], k[3], x) }
		if d := matGap(left(1).Mat3(), k[2].Mat3()) + matGap(right(0).Mat3(), k[2].Mat3()); d > 1e-13 {
			t.Fatalf("squad misses its point by %g", d)
		}
		h := 1e-6
		a := left(1 - h).Conj().Mul(left(1)).Log().Scale(1 / h)
		b := right(0).Conj().Mul(right(h)).Log().Scale(1 / h)
		if vecGap(a, b) > 1e-4 {
			t.Fatalf("velocity jumps from %v to %v", a, b)
		}
	}
}

func TestAngularMotionAndQuaternionDerivatives(t *testing.T) {
	r := testkit.Rand(t)
	for range 300 {
		p, w, dw := randomQuat(r), randomVec(r, 2), randomVec(r, 3)
		dp, ddp := p.Derivative(w), p.SecondDerivative(w, dw)
		if d := vecGap(p.AngularVelocity(dp), w); d > 1e-14 {
			t.Fatalf("angular velocity comes back with error %g", d)
		}
		if d := vecGap(p.AngularAcceleration(dp, ddp), dw); d > 1e-13 {
			t.Fatalf("angular acceleration comes back with error %g", d)
		}
		body := p.Conj().Rotate(w)
		if d := p.BodyDerivative(body).Sub(dp).Norm() + vecGap(p.BodyAngularVelocity(dp), body); d > 1e-14 {
			t.Fatalf("body derivative differs by %g", d)
		}
		// a quaternion of changing length s(t) p(t), s = 2 + 3t: the rotation is the same
		if d := vecGap(p.Scale(2).AngularVelocity(dp.Scale(2).Add(p.Scale(3))), w); d > 1e-13 {
			t.Fatalf("angular velocity of a longer quaternion differs by %g", d)
		}
		dd := ddp.Scale(2).Add(dp.Scale(6))
		if d := vecGap(p.Scale(2).AngularAcceleration(dp.Scale(2).Add(p.Scale(3)), dd), dw); d > 1e-12 {
			t.Fatalf("angular acceleration of a longer quaternion differs by %g", d)
		}
	}
}

func TestMeanOfSymmetricRotationsIsTheirCentre(t *testing.T) {
	r := testkit.Rand(t)
	for range 100 {
		c := randomQuat(r)
		var qs []Quat
		for range 20 {
			d := randomVec(r, 0.3*r.Float64())
			qs = append(qs, c.Mul(ExpQuat(d)), c.Mul(ExpQuat(d.Neg())).Neg().Scale(5))
		}
		if d := matGap(Mean(qs, nil).Mat3(), c.Mat3()); d > 1e-13 {
			t.Fatalf("mean of a symmetric cloud misses its centre by %g", d)
		}
		a, b := qs[0], qs[2]
		if d := matGap(Mean([]Quat{a, b}, []float64{1, 1}).Mat3(), a.Slerp(b, 0.5).Mat3()); d > 1e-13 {
			t.Fatalf("mean of two is not half way: %g", d)
		}
		if d := matGap(Mean([]Quat{a, b}, []float64{1, 0}).Mat3(), a.Mat3()); d > 1e-13 {
			t.Fatalf("weight zero counts: %g", d)
		}
	}
}
