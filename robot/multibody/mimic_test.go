package multibody

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// following returns a tree in which about a third of the joints follow any other one: within their limb, in another, before
// or behind.
func following(r *rand.Rand) Tree {
	types := make([]JointType, 4+r.IntN(12))
	for i := range types {
		types[i] = []JointType{Revolute, Prismatic, Continuous, Helical, Revolute, Spherical}[r.IntN(6)]
	}
	tree := randomTree(r, types...)
	var free []string
	for i, j := range r.Perm(len(types)) {
		joint := &tree.Joints[j]
		if joint.Type == Spherical {
			continue
		}
		if i > 0 && len(free) > 0 && r.IntN(3) == 0 {
			joint.Mimic = &Mimic{Joint: free[r.IntN(len(free))], Multiplier: r.NormFloat64(), Offset: r.NormFloat64()}
			continue
		}
		free = append(free, joint.Name)
	}
	return tree
}

// TestCouplingsAreEliminated compares the order that follows tree and couplings with that of a full matrix.
func TestCouplingsAreEliminated(t *testing.T) {
	r := testkit.Rand(t)
	for range 300 {
		m := mustModel(t, following(r))
		full := *m
		full.order, full.chain = dense(m.nv), false
		n := m.nv
		q, v, tau := m.Neutral(), make([]float64, n), make([]float64, n)
		w := make([]float64, n)
		for i := range v {
			w[i], v[i], tau[i] = r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		}
		m.Integrate(q, w, q)
		compute := func(m *Model) (a, dq, dv, inverse []float64) {
			a, dq, dv, inverse = make([]float64, n), make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
			ABADerivatives(NewData(m), q, v, tau, a, dq, dv, inverse)
			return a, dq, dv, inverse
		}
		a, dq, dv, inverse := compute(m)
		b, fq, fv, other := compute(&full)
		for name, pair := range map[string][2][]float64{"a": {a, b}, "∂a/∂q": {dq, fq}, "∂a/∂v": {dv, fv}, "M⁻¹": {inverse, other}} {
			size := 1.0
			for _, x := range pair[1] {
				size = max(size, math.Abs(x))
			}
			for i := range pair[0] {
				if !(math.Abs(pair[0][i]-pair[1][i]) <= 1e-8*size) {
					t.Fatalf("%s[%d] is %v, by a full matrix %v", name, i, pair[0][i], pair[1][i])
				}
			}
		}
	}
}

// TestFingerTipsFillNothing has a hand: joints that follow the one before them keep the tree as sparse as it is.
func TestFingerTipsFillNothing(t *testing.T) {
	r := testkit.Rand(t)
	tree := randomTree(r, Revolute, Revolute, Revolute, Revolute, Revolute, Revolute, Revolute)
	for i, parent := range []int{0, 1, 2, 3, 1, 5, 6} { // an arm with two fingers of three joints
		tree.Joints[i].Parent = tree.Links[parent].Name
	}
	tree.Joints[3].Mimic = &Mimic{Joint: tree.Joints[2].Name, Multiplier: 1}
	tree.Joints[6].Mimic = &Mimic{Joint: tree.Joints[5].Name, Multiplier: 1}
	m := mustModel(t, tree)
	pairs := 0
	for k := range m.order.above {
		for i := m.order.above[k]; i >= 0; i = m.order.above[i] {
			pairs++
		}
	}
	if pairs != 6 { // of 10: the fingers have nothing between them
		t.Errorf("%v has %d pairs of coordinates with something between them, expected 6", m.order.above, pairs)
	}
}

// The coordinates that Tree returns place the tree without its mimic joints as the model is placed.
func TestTreePlacesBodiesAsTheModel(t *testing.T) {
	r := testkit.Rand(t)
	for range 50 {
		tree := following(r)
		m, err := NewModel(tree)
		if err != nil {
			t.Fatal(err)
		}
		free, err := NewModel(tree, IgnoreMimic())
		if err != nil {
			t.Fatal(err)
		}
		bodies, coordinates := m.Tree()
		if len(bodies) != len(free.Bodies()) || len(coordinates) != free.NQ() {
			t.Fatalf("%d bodies with %d coordinates, want %d with %d", len(bodies), len(coordinates), len(free.Bodies()), free.NQ())
		}
		q, all := make([]float64, m.NQ()), make([]float64, free.NQ())
		m.Random(r, q)
		for i, c := range coordinates {
			all[i] = c.Scale*q[c.From] + c.Offset
		}
		a, b := NewData(m), NewData(free)
		FK(a, q)
		FK(b, all)
		for i := range m.Links() {
			if d := a.Pose(i).P.Sub(b.Pose(i).P).Norm(); d > 1e-12 {
				t.Fatalf("link %d is %g m apart", i, d)
			}
		}
	}
}
