package multibody

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// fourBar is a planar linkage cut at the joint between coupler and rocker: crank 1, coupler 2.5, rocker 2, ground 3 m.
func fourBar(t testing.TB) (*Model, *Loops) {
	t.Helper()
	rod := func(name string, length float64) Link {
		return Link{Name: name, Inertia: spatial.Inertia{
			Mass: length, COM: spatial.Vec3{X: length / 2},
			Rotational: spatial.SymDiag(1e-4, length*length*length/12, length*length*length/12),
		}}
	}
	y := spatial.Vec3{Y: -1}
	m := mustModel(t, Tree{
		Name:  "four-bar",
		Links: []Link{{Name: "ground"}, rod("crank", 1), rod("coupler", 2.5), rod("rocker", 2)},
		Joints: []Joint{
			{Name: "crank", Type: Continuous, Parent: "ground", Child: "crank", Axis: y},
			{Name: "elbow", Type: Revolute, Parent: "crank", Child: "coupler", Axis: y, Placement: spatial.Translation(spatial.Vec3{X: 1})},
			{Name: "rocker", Type: Revolute, Parent: "ground", Child: "rocker", Axis: y, Placement: spatial.Translation(spatial.Vec3{X: 3})},
		},
	})
	l, err := NewLoops(m, Loop{
		LinkA: "coupler", PlaceA: spatial.Translation(spatial.Vec3{X: 2.5}),
		LinkB: "rocker", PlaceB: spatial.Translation(spatial.Vec3{X: 2}), Point: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return m, l
}

// The rocker angle of a four-bar linkage follows from the law of cosines (Freudenstein 1955).
func TestFourBarFollowsTheLawOfCosines(t *testing.T) {
	m, l := fourBar(t)
	d := NewData(m)
	crank, _ := m.Joint("crank")
	rocker, _ := m.Joint("rocker")
	q := []float64{0, 0, 0}
	q[crank.Q], q[rocker.Q] = 1, 2
	for step := range 100 {
		q[crank.Q] = 1 + 0.1*float64(step)
		if err := CloseLoops(d, l, q, crank.V); err != nil {
			t.Fatalf("crank at %g: %v", q[crank.Q], err)
		}
		s, c := math.Sincos(q[crank.Q])
		x, z := c-3, s // tip of the crank seen from the rocker's bearing
		r := math.Hypot(x, z)
		inside := math.Acos((r*r + 4 - 6.25) / (4 * r))
		want := math.Atan2(z, x) - inside
		gap := math.Remainder(q[rocker.Q]-want, 2*math.Pi)
		other := math.Remainder(q[rocker.Q]-want-2*inside, 2*math.Pi)
		if math.Abs(gap) > 1e-9 && math.Abs(other) > 1e-9 {
			t.Fatalf("crank at %g: rocker at %g, want %g or %g", q[crank.Q], q[rocker.Q], want, want+2*inside)
		}
	}
	q = []float64{0, 0, 0}
	far, err := NewLoops(m, Loop{LinkA: "coupler", PlaceA: spatial.Translation(spatial.Vec3{X: 2.5}), LinkB: "ground",
		PlaceB: spatial.Translation(spatial.Vec3{X: 9}), Point: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := CloseLoops(d, far, q); err != ErrOpen {
		t.Errorf("out of reach: error %v, want ErrOpen", err)
	}
}

// A closed linkage swings in gravity with constant energy and stays closed.
func TestFourBarSwingsWithConstantEnergy(t *testing.T) {
	m, l := fourBar(t)
	l.Damping = 20
	d := NewData(m)
	crank, _ := m.Joint("crank")
	q, v := []float64{1, 0.5, 0.5}, []float64{0, 0, 0}
	if err := CloseLoops(d, l, q, crank.V); err != nil {
		t.Fatal(err)
	}
	v[crank.V] = 2
	ProjectVelocity(d, l, q, v)
	before := KineticEnergy(d, q, v) + PotentialEnergy(d, q)
	tau := make([]float64, 3)
	const h = 5e-4
	for range 2000 {
		rungeKutta(m, q, v, h, func(q, v, a []float64) { ConstrainedABA(d, l, q, v, tau, a) })
	}
	after := KineticEnergy(d, q, v) + PotentialEnergy(d, q)
	if math.Abs(after-before) > 1e-6*math.Abs(before) {
		t.Errorf("energy went from %.9g to %.9g J", before, after)
	}
	l.evaluate(d, q)
	near(t, "gap", l.gap, make([]float64, len(l.gap)), 1e-8)
	testkit.NoAllocs(t, 100, func() { ConstrainedABA(d, l, q, v, tau, v) })
}

// Closing all six coordinates of a frame is the same as a tree whose link is fixed there.
func TestLoopEqualsFixedJoint(t *testing.T) {
	r := testkit.Rand(t)
	tree := randomTree(r, Revolute, Revolute)
	tree.Joints[1].Parent = "link1"
	m := mustModel(t, tree)
	d := NewData(m)
	q, v, _, tau := state(r, m)
	a := make([]float64, m.NV())
	// hold joint 2 by a loop between its links
	FK(d, q)
	l1, _ := m.Link("link1")
	l2, _ := m.Link("link2")
	l, err := NewLoops(m, Loop{LinkA: "link1", PlaceA: d.Pose(l1).InvMul(d.Pose(l2)), LinkB: "link2"})
	if err != nil {
		t.Fatal(err)
	}
	j2, _ := m.Joint(tree.Joints[1].Name)
	v[j2.V] = 0
	ConstrainedABA(d, l, q, v, tau, a)
	near(t, "acceleration of the held joint", []float64{a[j2.V]}, []float64{0}, 1e-7)
	welded := tree
	welded.Joints = append([]Joint(nil), tree.Joints...)
	welded.Joints[1].Placement = d.Pose(l1).InvMul(d.Pose(l2))
	welded.Joints[1].Type, welded.Joints[1].Armature = Fixed, 0
	w := mustModel(t, welded)
	j1, _ := m.Joint(tree.Joints[0].Name)
	b := make([]float64, 1)
	ABA(NewData(w), q[j1.Q:j1.Q+1], v[j1.V:j1.V+1], tau[j1.V:j1.V+1], b)
	near(t, "acceleration of the other", []float64{a[j1.V]}, b, 1e-6)
}

// rungeKutta advances the state by one step of the classical fourth-order method.
func rungeKutta(m *Model, q, v []float64, h float64, accelerate func(q, v, a []float64)) {
	n := len(v)
	k := [4][2][]float64{}
	w := []float64{0, 0.5, 0.5, 1}
	for s := range k {
		k[s] = [2][]float64{make([]float64, n), make([]float64, n)}
		dq, vs, qs := make([]float64, n), append([]float64(nil), v...), make([]float64, len(q))
		if s > 0 {
			for i := range n {
				dq[i] = h * w[s] * k[s-1][0][i]
				vs[i] += h * w[s] * k[s-1][1][i]
			}
		}
		m.Integrate(q, dq, qs)
		copy(k[s][0], vs)
		accelerate(qs, vs, k[s][1])
	}
	dq := make([]float64, n)
	for i := range n {
		dq[i] = h / 6 * (k[0][0][i] + 2*k[1][0][i] + 2*k[2][0][i] + k[3][0][i])
		v[i] += h / 6 * (k[0][1][i] + 2*k[1][1][i] + 2*k[2][1][i] + k[3][1][i])
	}
	m.Integrate(q, dq, q)
}
