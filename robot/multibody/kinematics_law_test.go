package multibody

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func TestVelocitiesAreDerivatives(t *testing.T) {
	r := testkit.Rand(t)
	randomModels(t, r, func(t *testing.T, m *Model) {
		d := NewData(m)
		n := m.NV()
		J, dJ := make([]float64, 6*n), make([]float64, 6*n)
		for range 5 {
			q, v, a, _ := state(r, m)
			link := r.IntN(len(m.Links()))
			for _, ref := range []Reference{Local, World, Mixed} {
				x := Jacobian(d, q, link, ref, J)
				JacobianDot(d, q, v, link, ref, dJ)
				FKAcceleration(d, q, v, a)
				if y := d.Pose(link); x.R.Sub(y.R) != (spatial.Mat3{}) || x.P != y.P {
					t.Fatalf("Jacobian has pose %v, FK %v", x, y)
				}
				vel, acc := d.Velocity(link, ref).Vec(), d.Acceleration(link, ref).Vec()
				near(t, "J v, "+ref.String(), times(J, v), vel[:], 1e-12)
				sum := times(dJ, v)
				for i, x := range times(J, a) {
					sum[i] += x
				}
				near(t, "J̇ v + J a, "+ref.String(), sum, acc[:], 1e-11)
				num := derivative(m, q, v, func(q []float64) []float64 {
					J := make([]float64, 6*n)
					Jacobian(d, q, link, ref, J)
					return J
				})
				near(t, "J̇, "+ref.String(), dJ, num, 1e-6)
			}
			// the pose itself moves with the velocity
			FK(d, q)
			x := d.Pose(link)
			num := derivative(m, q, v, func(q []float64) []float64 {
				FK(d, q)
				s := x.InvMul(d.Pose(link)).Log().Vec()
				return s[:]
			})
			FKVelocity(d, q, v)
			vel := d.Velocity(link, Local).Vec()
			near(t, "pose moves", vel[:], num, 1e-7)
		}
	})
}

func TestIntegrateAndDifferenceAreInverse(t *testing.T) {
	r := testkit.Rand(t)
	randomModels(t, r, func(t *testing.T, m *Model) {
		n := m.NV()
		for range 20 {
			q, v, _, _ := state(r, m)
			p, _, _, _ := state(r, m)
			x, w := make([]float64, m.NQ()), make([]float64, n)
			m.Difference(q, p, w)
			m.Integrate(q, w, x)
			scratch := make([]float64, n)
			if d := m.Distance(x, p, scratch); d > 1e-12 {
				t.Fatalf("q ⊕ (p ⊖ q) misses p by %g", d)
			}
			for i := range v {
				v[i] *= 0.5 // less than half a turn
			}
			m.Integrate(q, v, x)
			m.Difference(q, x, w)
			near(t, "(q ⊕ v) ⊖ q", w, v, 1e-12)
			m.Interpolate(q, p, 0.3, scratch, x)
			if a, b := m.Distance(q, x, scratch), m.Distance(q, p, scratch); math.Abs(a-0.3*b) > 1e-10 {
				t.Fatalf("interpolation at 0.3 is %g of the way", a/b)
			}
			m.Integrate(q, v, q) // in place
			if d := m.Distance(q, q, scratch); d != 0 && d > 1e-15 {
				t.Fatalf("distance to itself is %g", d)
			}
		}
	})
}

// The other way round is shorter on a circle; -q is the same rotation.
func TestDifferenceTakesTheShortWay(t *testing.T) {
	r := testkit.Rand(t)
	m := mustModel(t, randomTree(r, Continuous, Spherical))
	q0, q1, v := m.Neutral(), m.Neutral(), make([]float64, m.NV())
	j, _ := m.Joint(m.Joints()[0].Name)
	if j.Type != Continuous {
		j = m.Joints()[1]
	}
	q0[j.Q], q1[j.Q] = 3, -3
	m.Difference(q0, q1, v)
	if got, want := v[j.V], 2*math.Pi-6; math.Abs(got-want) > 1e-14 {
		t.Errorf("from 3 to -3 rad: %g, want %g", got, want)
	}
}

// A quaternion that is not of unit length means the rotation of its direction.
func TestLengthOfQuaternionsDoesNotMatter(t *testing.T) {
	r := testkit.Rand(t)
	m := mustModel(t, randomTree(r, Spherical, Revolute), FloatingBase())
	d := NewData(m)
	q, v, a, _ := state(r, m)
	long := append([]float64(nil), q...)
	for _, j := range m.Joints() {
		k := j.Q
		switch j.Type {
		case Floating:
			k += 3
			fallthrough
		case Spherical:
			for i := range 4 {
				long[k+i] *= -7
			}
		}
	}
	x, y := make([]float64, m.NV()), make([]float64, m.NV())
	RNEA(d, q, v, a, x)
	RNEA(d, long, v, a, y)
	near(t, "rnea", y, x, 1e-12)
}

func TestRandomStaysInLimits(t *testing.T) {
	r := testkit.Rand(t)
	tree := randomTree(r, Revolute, Prismatic)
	tree.Joints[0].Limits = &Limits{Lower: 0.1, Upper: 0.2, Velocity: 1, Effort: 1}
	l := Unlimited()
	l.Lower = 5
	tree.Joints[1].Limits = &l
	m := mustModel(t, tree)
	q := make([]float64, m.NQ())
	for range 1000 {
		m.Random(r, q)
		for _, j := range m.Joints() {
			if q[j.Q] < j.Limits.Lower || q[j.Q] > j.Limits.Upper {
				t.Fatalf("%g is outside of [%g, %g]", q[j.Q], j.Limits.Lower, j.Limits.Upper)
			}
		}
	}
}

func TestSincosMatchesMath(t *testing.T) {
	r := testkit.Rand(t)
	for range 200000 {
		x := (2*r.Float64() - 1) * math.Pow(10, 7*r.Float64()-2)
		s, c := sincos(x)
		ws, wc := math.Sincos(x)
		if math.Abs(s-ws) > 2.3e-16 || math.Abs(c-wc) > 2.3e-16 {
			t.Fatalf("sincos(%v) = %v, %v; want %v, %v", x, s, c, ws, wc)
		}
	}
	x, shift, sin, cos := make([]float64, 64), make([]float64, 64), make([]float64, 64), make([]float64, 64)
	for range 2000 {
		for i := range x {
			x[i], shift[i] = (2*r.Float64()-1)*math.Pow(10, 7*r.Float64()-2), r.NormFloat64()
		}
		n := 1 + r.IntN(len(x))
		sincosAll(x[:n], shift[:n], sin, cos)
		for i, x := range x[:n] {
			s, c := math.Sincos(x + shift[i])
			if math.Abs(sin[i]-s) > 2.3e-16 || math.Abs(cos[i]-c) > 2.3e-16 {
				t.Fatalf("sincosAll(%v) = %v, %v; want %v, %v", x, sin[i], cos[i], s, c)
			}
		}
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if s, c := sincos(x); s == s || c == c {
			t.Errorf("sincos(%v) = %v, %v", x, s, c)
		}
	}
}
