package multibody

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// All errors in a tree are reported together.
func TestAllErrorsOfATreeAreReported(t *testing.T) {
	x, nan := spatial.Vec3{X: 1}, math.NaN()
	for name, c := range map[string]struct {
		tree Tree
		want []string
	}{
		"empty": {Tree{}, []string{"no link"}},
		"names": {
			Tree{Links: []Link{{Name: "a"}, {Name: "a"}, {}}, Joints: []Joint{{Type: Fixed, Parent: "a", Child: "b"}}},
			[]string{`link "a" is defined twice`, "link 2 has no name", "joint 0 has no name", `child link "b" does not exist`},
		},
		"roots": {
			Tree{Links: []Link{{Name: "a"}, {Name: "b"}}},
			[]string{"2 root links"},
		},
		"loop": {
			Tree{Links: []Link{{Name: "a"}, {Name: "b"}, {Name: "c"}}, Joints: []Joint{
				{Name: "1", Parent: "b", Child: "c"}, {Name: "2", Parent: "c", Child: "b"},
			}},
			[]string{`form a loop`},
		},
		"two parents": {
			Tree{Links: []Link{{Name: "a"}, {Name: "b"}, {Name: "c"}}, Joints: []Joint{
				{Name: "1", Parent: "a", Child: "c"}, {Name: "2", Parent: "b", Child: "c"}, {Name: "3", Parent: "a", Child: "b"},
			}},
			[]string{`child of both joint "1" and joint "2"`},
		},
		"numbers": {
			Tree{
				Links: []Link{{Name: "a"}, {Name: "b", Inertia: spatial.Inertia{Mass: -1}}, {Name: "c", Inertia: spatial.Inertia{Mass: nan}}},
				Joints: []Joint{
					{Name: "1", Type: Revolute, Parent: "a", Child: "b", Limits: &Limits{Lower: 1, Upper: -1, Velocity: -1}, Armature: -1},
					{Name: "2", Type: Universal, Parent: "b", Child: "c", Axis: x, Axis2: x.Scale(-2), Pitch: nan,
						Placement: spatial.Rotation(spatial.Diag(spatial.Vec3{X: 1, Y: 1, Z: -1})), Limits: &Limits{Lower: nan}},
				},
			},
			[]string{
				"mass -1 kg is negative", `link "c": inertia is not finite`, `joint "1": axis is zero`,
				"lower limit 1 is above upper limit -1", "limit is negative", "armature -1 is negative",
				`joint "2": placement`, "axes are parallel", "not finite", "a limit is not a number",
			},
		},
		"mimic": {
			Tree{
				Links: []Link{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}, {Name: "e"}},
				Joints: []Joint{
					{Name: "1", Type: Revolute, Axis: x, Parent: "a", Child: "b", Mimic: &Mimic{Joint: "2"}},
					{Name: "2", Type: Revolute, Axis: x, Parent: "a", Child: "c", Mimic: &Mimic{Joint: "1"}},
					{Name: "3", Type: Revolute, Axis: x, Parent: "a", Child: "d", Mimic: &Mimic{Joint: "missing", Offset: nan}},
					{Name: "4", Type: Spherical, Parent: "a", Child: "e", Mimic: &Mimic{Joint: "1"}},
				},
			},
			[]string{"couplings form a loop", `"missing", which does not exist`, "offset is not finite", "a spherical joint cannot mimic"},
		},
	} {
		_, err := NewModel(c.tree)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q is missing in:\n%v", name, w, err)
			}
		}
	}
}

func TestNoAlgorithmAllocates(t *testing.T) {
	r := testkit.Rand(t)
	for _, m := range []*Model{mustModel(t, randomTree(r, movingTypes...), FloatingBase()), mustModel(t, mimicTree(r))} {
		d := NewData(m)
		n := m.NV()
		q, v, a, tau := state(r, m)
		x, y, z := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
		J, Y := make([]float64, 6*n), make([]float64, n*ParametersPerJoint*len(m.Joints()))
		var lambda [6][6]float64
		forces := []LinkForce{{Link: 3, Ref: World}}
		testkit.NoAllocs(t, 20, func() {
			FK(d, q)
			FKVelocity(d, q, v)
			FKAcceleration(d, q, v, a)
			d.Pose(2)
			d.Velocity(2, Local)
			d.Acceleration(2, World)
			Jacobian(d, q, 3, Local, J)
			JacobianDot(d, q, v, 3, World, J)
			RNEA(d, q, v, a, x[:n])
			ABA(d, q, v, tau, x[:n])
			CRBA(d, q, x)
			MassInverse(d, q, x)
			CoriolisMatrix(d, q, v, x)
			CoriolisForce(d, q, v, x[:n])
			Gravity(d, q, x[:n])
			AddForces(d, q, forces, tau)
			RNEADerivatives(d, q, v, a, x, y, z)
			ABADerivatives(d, q, v, tau, a, x, y, z)
			KineticEnergy(d, q, v)
			PotentialEnergy(d, q)
			COMJacobian(d, q, J[:3*n])
			CentroidalMatrix(d, q, J)
			CentroidalMomentum(d, q, v)
			_ = OperationalInertia(d, q, 3, Local, &lambda)
			Regressor(d, q, v, a, Y)
			m.Integrate(q, v, q)
			m.Difference(q, q, v)
			m.Random(r, q)
			copy(v, a)
		})
	}
}

// The reduced model of joints with couplings is the full one with G = ∂(tree)/∂(independent) on both sides.
func TestMimicIsReduction(t *testing.T) {
	r := testkit.Rand(t)
	tree := mimicTree(r)
	m, full := mustModel(t, tree), mustModel(t, tree, IgnoreMimic())
	if full.NV() != 8 || m.NV() != 5 {
		t.Fatalf("%d degrees of freedom of %d, want 5 of 8", m.NV(), full.NV())
	}
	q, v, a, _ := state(r, m)
	expand := func(x []float64, position bool) []float64 {
		n := full.NV()
		if position {
			n = full.NQ()
		}
		y := make([]float64, n)
		for i, j := range full.Joints() {
			scale, offset, at := 1.0, 0.0, m.Joints()[i].Joint
			for at.Mimic != nil {
				offset += scale * at.Mimic.Offset
				scale *= at.Mimic.Multiplier
				next, err := m.Joint(at.Mimic.Joint)
				if err != nil {
					t.Fatal(err)
				}
				at = next.Joint
			}
			master, _ := m.Joint(at.Name)
			if position {
				for k := range j.Type.NQ() {
					y[j.Q+k] = scale*x[master.Q+k] + offset
				}
			} else {
				for k := range j.Type.NV() {
					y[j.V+k] = scale * x[master.V+k]
				}
			}
		}
		return y
	}
	d, df := NewData(m), NewData(full)
	tau, all := make([]float64, m.NV()), make([]float64, full.NV())
	RNEA(d, q, v, a, tau)
	RNEA(df, expand(q, true), expand(v, false), expand(a, false), all)
	for i := range tau { // virtual work
		dv := make([]float64, m.NV())
		dv[i] = 1
		work := 0.0
		for k, x := range expand(dv, false) {
			work += x * all[k]
		}
		near(t, "tau", tau[i:i+1], []float64{work}, 1e-11)
	}
	FK(d, q)
	FK(df, expand(q, true))
	for i, name := range m.Links() {
		if x, y := d.Pose(i), df.Pose(i); x != y {
			t.Errorf("%s stands at %v, want %v", name, x, y)
		}
	}
}

func TestPosesOfDHChainsAreProductsOfTheirRows(t *testing.T) {
	r := testkit.Rand(t)
	for _, c := range []Convention{StandardDH, ModifiedDH} {
		rows := make([]DHLink, 6)
		for i := range rows {
			rows[i] = DHLink{
				Type: []JointType{Revolute, Prismatic}[r.IntN(2)], Theta: r.NormFloat64(), D: r.NormFloat64(),
				A: r.NormFloat64(), Alpha: []float64{0, math.Pi / 2, -math.Pi / 2, math.Pi, r.NormFloat64()}[r.IntN(5)],
				Inertia: randomInertia(r),
			}
		}
		m := mustModel(t, FromDH("chain", c, rows))
		d := NewData(m)
		q := randomSlice(r, m.NQ())
		FK(d, q)
		x := spatial.IdentityPose()
		for i, row := range rows {
			if row.Type == Revolute {
				row.Theta += q[i]
			} else {
				row.D += q[i]
			}
			along := spatial.Pose{R: spatial.RotZ(row.Theta), P: spatial.Vec3{Z: row.D}}
			across := spatial.Pose{R: spatial.RotX(row.Alpha), P: spatial.Vec3{X: row.A}}
			if c == StandardDH {
				x = x.Mul(along).Mul(across)
			} else {
				x = x.Mul(across).Mul(along)
			}
			link, err := m.Link(fmt.Sprintf("link%d", i+1))
			if err != nil {
				t.Fatal(err)
			}
			gap := x.InvMul(d.Pose(link)).Log().Vec()
			near(t, fmt.Sprintf("frame %d", i+1), gap[:], make([]float64, 6), 1e-13)
		}
	}
}

func TestRegressorReproducesTheTorques(t *testing.T) {
	r := testkit.Rand(t)
	randomModels(t, r, func(t *testing.T, m *Model) {
		d := NewData(m)
		q, v, a, _ := state(r, m)
		p := make([]float64, ParametersPerJoint*len(m.Joints()))
		Y, tau := make([]float64, m.NV()*len(p)), make([]float64, m.NV())
		m.Parameters(p)
		Regressor(d, q, v, a, Y)
		got := times(Y, p)
		RNEA(d, q, v, a, tau)
		a = d.fullA(a)
		for i := range m.body[1:] {
			b := &m.body[1+i]
			if b.armature != 0 {
				d.addTo(got, int(b.iv), b.armature*a[b.iv])
			}
		}
		near(t, "Y p", got, tau, 1e-11)
	})
}

// A free swing keeps its energy.
func TestEnergyIsConserved(t *testing.T) {
	r := testkit.Rand(t)
	m := mustModel(t, randomTree(r, Revolute, Universal, Spherical, Prismatic, Revolute), FloatingBase())
	d := NewData(m)
	q, v, _, _ := state(r, m)
	for i := range v {
		v[i] *= 0.3
	}
	tau := make([]float64, m.NV())
	before := KineticEnergy(d, q, v) + PotentialEnergy(d, q)
	momentum := CentroidalMomentum(d, q, v).Angular
	for range 400 {
		rungeKutta(m, q, v, 2e-4, func(q, v, a []float64) { ABA(d, q, v, tau, a) })
	}
	after := KineticEnergy(d, q, v) + PotentialEnergy(d, q)
	near(t, "energy", []float64{after}, []float64{before}, 1e-6)
	if gap := CentroidalMomentum(d, q, v).Angular.Sub(momentum).Norm(); gap > 1e-6*(1+momentum.Norm()) {
		t.Errorf("angular momentum drifts by %g", gap)
	}
}
