package multibody

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// testdata/mujoco/wrenches.json has the wrenches that MuJoCo 2.2.2 finds in the joints (cfrc_int), as bench/peers/wrenches.cpp prints them.
func TestJointForcesMatchMuJoCo(t *testing.T) {
	text, err := os.ReadFile("testdata/mujoco/wrenches.json")
	if err != nil {
		t.Fatal(err)
	}
	var states []struct {
		Robot    string
		Q, V, A  []float64
		Wrenches map[string][]float64
	}
	if err := json.Unmarshal(text, &states); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, s := range states {
		m := loadModel(t, "testdata/"+s.Robot, false)
		d := NewData(m)
		RNEA(d, s.Q, s.V, s.A, make([]float64, m.NV()))
		for name, want := range s.Wrenches {
			link, err := m.Link(name)
			if err != nil {
				t.Fatal(err)
			}
			got := d.JointForce(link, Local).Vec()
			near(t, name, got[:], want, 1e-7) // MuJoCo turns inertias to their principal axes on reading
			compared++
		}
	}
	if compared != 9+9+12 {
		t.Errorf("%d wrenches were compared", compared)
	}
}

// A sensor between hand and arm feels what Newton and Euler require of all that hangs on it; along each axis of the joint that is τ.
func TestJointForceAlongTheAxisIsTheJointsForce(t *testing.T) {
	r := testkit.Rand(t)
	randomModels(t, r, func(t *testing.T, m *Model) {
		d, n := NewData(m), m.NV()
		tau := make([]float64, n)
		for range 5 {
			q, v, a, _ := state(r, m)
			f := map[Reference][]spatial.Force{}
			RNEA(d, q, v, a, tau)
			for link := range m.links {
				for _, ref := range []Reference{Local, World, Mixed} {
					f[ref] = append(f[ref], d.JointForce(link, ref))
				}
			}
			FK(d, q)
			accelerations := d.fullA(a)
			sum := make([]float64, n) // Sᵀ f + armature a of all joints
			link := 0
			for i := len(m.body) - 1; i > 0; i-- { // a joint with several axes has bodies without a link before its last
				if k := linkOn(m, i); k >= 0 {
					link = k
				}
				b, frame := &m.body[i], &d.frame[i]
				for k := range b.kind.nv() {
					lin, ang := b.axis(frame, k)
					lin = lin.Add(frame.p.Cross(ang)) // of the point at the world's origin
					x := spatial.Motion{Linear: lin, Angular: ang}.Dot(f[World][link])
					if b.kind < spherical {
						x += b.armature * accelerations[b.iv]
					}
					d.addTo(sum, int(b.iv)+k, x)
				}
			}
			near(t, "Sᵀ f", sum, tau, 1e-11)
			for link, local := range f[Local] {
				x := d.Pose(link)
				got, want := f[World][link].Vec(), x.Force(local).Vec()
				near(t, "world", got[:], want[:], 1e-11)
				got, want = f[Mixed][link].Vec(), spatial.Rotation(x.R).Force(local).Vec()
				near(t, "mixed", got[:], want[:], 1e-11)
			}
			// the world carries the weight, and pushes as the momentum changes
			if m.links[0].body == 0 {
				held, weight, rate := f[World][0].Linear, m.Gravity().Scale(m.Mass()), momentumRate(m, q, v, a)
				want := rate.Sub(weight)
				near(t, "d/dt momentum - weight", []float64{held.X, held.Y, held.Z}, []float64{want.X, want.Y, want.Z}, 1e-5)
			}
		}
		q, v, a, _ := state(r, m)
		RNEA(d, q, v, a, tau)
		testkit.NoAllocs(t, 20, func() { d.JointForce(len(m.links)-1, World) })
	})
}

// linkOn returns a link whose frame is fixed to body i, or -1.
func linkOn(m *Model, i int) int {
	for k := range m.links {
		if int(m.links[k].body) == i {
			return k
		}
	}
	return -1
}

// momentumRate returns the derivative of the linear momentum along the motion (q, v, a), by differences.
func momentumRate(m *Model, q, v, a []float64) spatial.Vec3 {
	d := NewData(m)
	const h = 1e-6
	momentum := func(t float64) spatial.Vec3 {
		dq, w, x := make([]float64, m.NV()), make([]float64, m.NV()), make([]float64, m.NQ())
		for i := range v {
			dq[i], w[i] = t*v[i], v[i]+t*a[i]
		}
		m.Integrate(q, dq, x)
		return CentroidalMomentum(d, x, w).Linear
	}
	return momentum(h).Sub(momentum(-h)).Scale(1 / (2 * h))
}
