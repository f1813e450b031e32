package multibody

import (
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func TestForwardAndInverseDynamicsAreInverse(t *testing.T) {
	r := testkit.Rand(t)
	randomModels(t, r, func(t *testing.T, m *Model) {
		d := NewData(m)
		n := m.NV()
		x, y, M, Minv := make([]float64, n), make([]float64, n), make([]float64, n*n), make([]float64, n*n)
		for range 10 {
			q, v, a, tau := state(r, m)
			RNEA(d, q, v, a, x)
			ABA(d, q, v, x, y)
			near(t, "aba(rnea(a))", y, a, 1e-8)
			ABA(d, q, v, tau, y)
			RNEA(d, q, v, y, x)
			near(t, "rnea(aba(tau))", x, tau, 1e-8)

			CRBA(d, q, M)
			BiasForce(d, q, v, y)
			RNEA(d, q, v, a, x)
			sum := times(M, a)
			for i := range sum {
				sum[i] += y[i]
			}
			near(t, "M a + h", sum, x, 1e-11)
			MassInverse(d, q, Minv)
			near(t, "M⁻¹ M a", times(Minv, times(M, a)), a, 1e-8)
		}
	})
}

func TestEnergiesAgreeWithMassMatrixAndGravity(t *testing.T) {
	r := testkit.Rand(t)
	randomModels(t, r, func(t *testing.T, m *Model) {
		d := NewData(m)
		n := m.NV()
		g, h, M := make([]float64, n), make([]float64, n), make([]float64, n*n)
		for range 5 {
			q, v, _, _ := state(r, m)
			CRBA(d, q, M)
			kin := 0.0
			for i, x := range times(M, v) {
				kin += x * v[i] / 2
			}
			near(t, "½vMv", []float64{KineticEnergy(d, q, v)}, []float64{kin}, 1e-12)
			Gravity(d, q, g)
			near(t, "∂V/∂q", gradient(m, q, func(q []float64) []float64 { return []float64{PotentialEnergy(d, q)} }), g, 1e-6)
			// without forces the energy stays: v·(h - g) = Ṁ terms; checked through the power balance
			CoriolisForce(d, q, v, h)
			C := make([]float64, n*n)
			CoriolisMatrix(d, q, v, C)
			near(t, "C v", times(C, v), h, 1e-11)
			dM := derivative(m, q, v, func(q []float64) []float64 {
				x := make([]float64, n*n)
				CRBA(d, q, x)
				return x
			})
			sum := make([]float64, n*n)
			for i := range n {
				for j := range n {
					sum[i*n+j] = C[i*n+j] + C[j*n+i]
				}
			}
			near(t, "C + Cᵀ", sum, dM, 1e-6)
		}
	})
}

func TestMomentumIsThatOfTheCentreOfMass(t *testing.T) {
	r := testkit.Rand(t)
	randomModels(t, r, func(t *testing.T, m *Model) {
		d := NewData(m)
		n := m.NV()
		J, A := make([]float64, 3*n), make([]float64, 6*n)
		for range 5 {
			q, v, _, _ := state(r, m)
			COMJacobian(d, q, J)
			dc := derivative(m, q, v, func(q []float64) []float64 {
				c := COM(d, q)
				return []float64{c.X, c.Y, c.Z}
			})
			near(t, "ċ", times(J, v), dc, 1e-7)
			CentroidalMatrix(d, q, A)
			p := CentroidalMomentum(d, q, v).Vec()
			near(t, "A v", times(A, v), p[:], 1e-11)
			near(t, "m ċ", p[:3], []float64{m.Mass() * dc[0], m.Mass() * dc[1], m.Mass() * dc[2]}, 1e-6)
		}
	})
}

func TestDerivativesMatchDifferenceQuotients(t *testing.T) {
	r := testkit.Rand(t)
	randomModels(t, r, func(t *testing.T, m *Model) {
		d := NewData(m)
		n := m.NV()
		dq, dv, M, x := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
		for range 3 {
			q, v, a, tau := state(r, m)
			rnea := func(q, v []float64) []float64 {
				y := make([]float64, n)
				RNEA(d, q, v, a, y)
				return y
			}
			RNEADerivatives(d, q, v, a, dq, dv, M)
			near(t, "∂rnea/∂q", dq, gradient(m, q, func(q []float64) []float64 { return rnea(q, v) }), 1e-6)
			near(t, "∂rnea/∂v", dv, slopes(v, func(v []float64) []float64 { return rnea(q, v) }), 1e-6)
			CRBA(d, q, x)
			near(t, "∂rnea/∂a", M, x, 1e-11)

			y := make([]float64, n)
			aba := func(q, v, tau []float64) []float64 {
				y := make([]float64, n)
				ABA(d, q, v, tau, y)
				return y
			}
			ABADerivatives(d, q, v, tau, y, dq, dv, M)
			near(t, "aba", y, aba(q, v, tau), 1e-13)
			near(t, "∂aba/∂q", dq, gradient(m, q, func(q []float64) []float64 { return aba(q, v, tau) }), 1e-5)
			near(t, "∂aba/∂v", dv, slopes(v, func(v []float64) []float64 { return aba(q, v, tau) }), 1e-5)
			near(t, "∂aba/∂tau", M, slopes(tau, func(tau []float64) []float64 { return aba(q, v, tau) }), 1e-5)
		}
	})
}

func TestExternalForcesDoTheirPower(t *testing.T) {
	r := testkit.Rand(t)
	randomModels(t, r, func(t *testing.T, m *Model) {
		d := NewData(m)
		for _, ref := range []Reference{Local, World, Mixed} {
			q, v, _, _ := state(r, m)
			f := LinkForce{
				Link: r.IntN(len(m.Links())), Ref: ref,
				Force: spatial.Force{Linear: randomVec(r), Angular: randomVec(r)},
			}
			tau := make([]float64, m.NV())
			AddForces(d, q, []LinkForce{f, f}, tau)
			FKVelocity(d, q, v)
			power := 0.0
			for i := range tau {
				power += tau[i] * v[i]
			}
			near(t, "power in "+ref.String(), []float64{power}, []float64{2 * d.Velocity(f.Link, ref).Dot(f.Force)}, 1e-12)
		}
	})
}

func TestOperationalInertiaTurnsForceIntoAcceleration(t *testing.T) {
	r := testkit.Rand(t)
	m := mustModel(t, randomTree(r, Revolute, Revolute, Prismatic, Spherical, Universal, Revolute), FloatingBase())
	d := NewData(m)
	n := m.NV()
	link := len(m.Links()) - 1
	q, _, _, _ := state(r, m)
	var lambda [6][6]float64
	if err := OperationalInertia(d, q, link, Mixed, &lambda); err != nil {
		t.Fatal(err)
	}
	// a force Λ e moves the link with acceleration e
	J, Minv := make([]float64, 6*n), make([]float64, n*n)
	Jacobian(d, q, link, Mixed, J)
	MassInverse(d, q, Minv)
	for k := range 6 {
		tau := make([]float64, n)
		for i := range n {
			for j := range 6 {
				tau[i] += J[j*n+i] * lambda[j][k]
			}
		}
		want := make([]float64, 6)
		want[k] = 1
		near(t, "J M⁻¹ Jᵀ Λ", times(J, times(Minv, tau)), want, 1e-9)
	}
	planar := mustModel(t, randomTree(r, Revolute, Revolute))
	q, _, _, _ = state(r, planar)
	if err := OperationalInertia(NewData(planar), q, 2, Mixed, &lambda); err != ErrSingular {
		t.Errorf("two joints: error %v, want ErrSingular", err)
	}
}

// slopes returns the Jacobian of f at x by central differences, row by row.
func slopes(x []float64, f func(x []float64) []float64) []float64 {
	const h = 1e-5
	y := append([]float64(nil), x...)
	var out []float64
	for j := range x {
		y[j] = x[j] + h
		p := f(y)
		y[j] = x[j] - h
		n := f(y)
		y[j] = x[j]
		if out == nil {
			out = make([]float64, len(p)*len(x))
		}
		for i := range p {
			out[i*len(x)+j] = (p[i] - n[i]) / (2 * h)
		}
	}
	return out
}

// gradient returns slopes over changes of the configuration q.
func gradient(m *Model, q []float64, f func(q []float64) []float64) []float64 {
	return slopes(make([]float64, m.NV()), func(dv []float64) []float64 {
		p := make([]float64, m.NQ())
		m.Integrate(q, dv, p)
		return f(p)
	})
}

// derivative returns the time derivative of f when q moves with v.
func derivative(m *Model, q, v []float64, f func(q []float64) []float64) []float64 {
	return slopes([]float64{0}, func(t []float64) []float64 {
		p, dv := make([]float64, m.NQ()), make([]float64, m.NV())
		for i := range v {
			dv[i] = v[i] * t[0]
		}
		m.Integrate(q, dv, p)
		return f(p)
	})
}
