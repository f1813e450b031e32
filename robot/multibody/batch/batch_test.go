package batch

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// models calls f for robots of reference, on the ground and floating, and for random trees of all joints.
func models(t *testing.T, f func(t *testing.T, m *multibody.Model)) {
	files, _ := filepath.Glob("../testdata/*.urdf")
	if len(files) == 0 {
		t.Fatal("no robot in ../testdata")
	}
	shared, _ := filepath.Glob("../../../../shared/data/reference/*.urdf")
	if len(shared) == 0 {
		t.Log("SKIPPED: ../shared/data/reference is absent; only the robots in testdata were checked")
	}
	for _, file := range append(files, shared...) {
		for _, floating := range []bool{false, true} {
			m := loadRobot(t, file, floating)
			t.Run(fmt.Sprintf("%s/%s/floating=%t", filepath.Base(filepath.Dir(file)), m.Name(), floating), func(t *testing.T) { f(t, m) })
		}
	}
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range 12 {
		m := randomModel(t, r, i)
		t.Run(fmt.Sprintf("random%d", i), func(t *testing.T) { f(t, m) })
	}
}

func loadRobot(t testing.TB, file string, floating bool) *multibody.Model {
	t.Helper()
	options := []multibody.Option{multibody.IgnoreMimic()}
	if floating {
		options = append(options, multibody.FloatingBase())
	}
	m, err := multibody.NewModel(readTree(t, file), options...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func readTree(t testing.TB, file string) multibody.Tree {
	t.Helper()
	robot, err := description.ReadURDF(os.DirFS(filepath.Dir(file)), filepath.Base(file), description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return robot.Tree()
}

// randomModel returns a tree whose placements are general and special ones; every fourth has a spherical joint, which
// the kernels do not serve.
func randomModel(t *testing.T, r *rand.Rand, i int) *multibody.Model {
	t.Helper()
	types := []multibody.JointType{
		multibody.Revolute, multibody.Continuous, multibody.Revolute, multibody.Prismatic, multibody.Helical,
		multibody.Cylindrical, multibody.Planar, multibody.Universal, multibody.Fixed,
	}
	vec := func() spatial.Vec3 {
		return spatial.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
	}
	inertia := func() spatial.Inertia {
		return spatial.Inertia{Mass: 1 + r.Float64(), COM: vec(), Rotational: spatial.Sym3{XX: 1 + r.Float64(), YY: 1 + r.Float64(), ZZ: 1 + r.Float64(), XY: 0.1, YZ: -0.2}}
	}
	tree := multibody.Tree{Name: "random", Links: []multibody.Link{{Name: "link0", Inertia: inertia()}}}
	for k := range 9 {
		j := multibody.Joint{
			Name: fmt.Sprintf("joint%d", k), Type: types[r.IntN(len(types))],
			Parent: fmt.Sprintf("link%d", max(0, k-r.IntN(3))), Child: fmt.Sprintf("link%d", k+1),
			Axis: spatial.Vec3{Z: 1}, Axis2: spatial.Vec3{X: 1}, Pitch: 0.3,
			Placement: spatial.Pose{R: spatial.RotX(math.Pi / 2 * float64(r.IntN(4)-1)), P: vec()},
		}
		if r.IntN(2) == 0 {
			j.Axis, j.Axis2, j.Placement.R = vec(), vec(), spatial.RPY(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		}
		if i%4 == 3 && k == 4 {
			j.Type = multibody.Spherical
		}
		if j.Type != multibody.Fixed && j.Type != multibody.Spherical && r.IntN(4) == 0 {
			j.Armature = r.Float64()
		}
		tree.Joints = append(tree.Joints, j)
		tree.Links = append(tree.Links, multibody.Link{Name: j.Child, Inertia: inertia()})
	}
	options := []multibody.Option{multibody.WithGravity(vec())}
	if i%2 == 0 {
		options = append(options, multibody.FloatingBase())
	}
	m, err := multibody.NewModel(tree, options...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// sample holds n random states in the layout of the package.
type sample struct {
	n          int
	q, v, x    []float64
	linksOf    []int
	one, oneV  []float64
	oneX, oneO []float64
}

func newSample(m *multibody.Model, r *rand.Rand, n int) *sample {
	s := &sample{n: n, q: make([]float64, n*m.NQ()), v: make([]float64, n*m.NV()), x: make([]float64, n*m.NV())}
	s.one, s.oneV, s.oneX, s.oneO = make([]float64, m.NQ()), make([]float64, m.NV()), make([]float64, m.NV()), make([]float64, m.NV())
	for i := range n {
		m.Random(r, s.one)
		scatter(s.q, s.one, n, i)
	}
	for i := range s.v {
		s.v[i], s.x[i] = r.NormFloat64(), 3*r.NormFloat64()
	}
	for i := range m.Links() {
		s.linksOf = append(s.linksOf, i)
	}
	return s
}

// take gathers state i.
func (s *sample) take(i int) {
	gather(s.one, s.q, s.n, i)
	gather(s.oneV, s.v, s.n, i)
	gather(s.oneX, s.x, s.n, i)
}

func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	scale := 1.0
	for _, x := range want {
		scale = max(scale, math.Abs(x))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tol*scale) {
			t.Fatalf("%s: number %d is %.15g, want %.15g", what, i, got[i], want[i])
		}
	}
}

// Every way of evaluating must give what package multibody gives for each state.
func TestAgreesWithMultibody(t *testing.T) {
	const seed = 17
	models(t, func(t *testing.T, m *multibody.Model) {
		r := rand.New(rand.NewPCG(seed, 0))
		d := multibody.NewData(m)
		for name, k := range levels() {
			b := newBatch(m, k)
			for _, n := range []int{1, 5, 8, 13, 32} {
				s := newSample(m, r, n)
				got := make([]float64, n*m.NV())
				acc := make([]float64, n*m.NV())
				poses := make([]float64, n*12*len(s.linksOf))
				b.RNEA(s.q, s.v, s.x, got)
				b.ABA(s.q, s.v, s.x, acc)
				b.FK(s.q, s.linksOf, poses)
				mass, jac := make([]float64, n*m.NV()*m.NV()), make([]float64, n*6*m.NV())
				oneM, wantM := make([]float64, m.NV()*m.NV()), make([]float64, m.NV()*m.NV())
				oneJ, wantJ := make([]float64, 6*m.NV()), make([]float64, 6*m.NV())
				link := r.IntN(len(s.linksOf))
				b.CRBA(s.q, mass)
				b.Jacobian(s.q, link, jac)
				one := make([]float64, m.NV())
				for i := range n {
					what := fmt.Sprintf("seed %d, %s, state %d of %d: ", seed, name, i, n)
					s.take(i)
					multibody.RNEA(d, s.one, s.oneV, s.oneX, s.oneO)
					gather(one, got, n, i)
					near(t, what+"RNEA", one, s.oneO, 1e-12)
					multibody.ABA(d, s.one, s.oneV, s.oneX, s.oneO)
					gather(one, acc, n, i)
					near(t, what+"ABA", one, s.oneO, 1e-8)
					multibody.CRBA(d, s.one, wantM)
					gather(oneM, mass, n, i)
					near(t, what+"CRBA", oneM, wantM, 1e-12)
					multibody.Jacobian(d, s.one, link, multibody.Mixed, wantJ)
					gather(oneJ, jac, n, i)
					near(t, what+"Jacobian", oneJ, wantJ, 1e-12)
					multibody.FK(d, s.one)
					for l := range s.linksOf {
						p := d.Pose(l)
						var pose, want [12]float64
						gather(pose[:], poses[12*l*n:], n, i)
						copy(want[:], append(append(append(append([]float64{}, p.R[0][:]...), p.R[1][:]...), p.R[2][:]...), p.P.X, p.P.Y, p.P.Z))
						near(t, what+"FK", pose[:], want[:], 1e-12)
					}
				}
			}
		}
	})
}

// Angles beyond the range of the kernel must be right, and a state that is not a number must not touch the others.
func TestExtremeAnglesSpoilNoOtherState(t *testing.T) {
	m := loadRobot(t, "../testdata/panda.urdf", false)
	d := multibody.NewData(m)
	for name, k := range levels() {
		b := newBatch(m, k)
		s := newSample(m, rand.New(rand.NewPCG(1, 1)), 8)
		s.q[3*8+2], s.q[5*8+4], s.q[8+6] = 3e6, -2e5, math.NaN()
		got, one := make([]float64, 8*m.NV()), make([]float64, m.NV())
		b.RNEA(s.q, s.v, s.x, got)
		for i := range 8 {
			s.take(i)
			gather(one, got, 8, i)
			if i == 6 {
				if !math.IsNaN(one[1]) {
					t.Errorf("%s: force %g from an angle that is not a number", name, one[1])
				}
				continue
			}
			multibody.RNEA(d, s.one, s.oneV, s.oneX, s.oneO)
			near(t, name, one, s.oneO, 1e-7) // q+γ is rounded
		}
	}
}

func TestBatchAllocatesNothing(t *testing.T) {
	m := loadRobot(t, "../testdata/solo12.urdf", true)
	for name, k := range levels() {
		b := newBatch(m, k)
		s := newSample(m, rand.New(rand.NewPCG(1, 1)), 13)
		out, poses := make([]float64, 13*m.NV()), make([]float64, 13*12*len(s.linksOf))
		mass := make([]float64, 13*m.NV()*m.NV())
		t.Log(name)
		testkit.NoAllocs(t, 50, func() {
			b.RNEA(s.q, s.v, s.x, out)
			b.ABA(s.q, s.v, s.x, out)
			b.FK(s.q, s.linksOf, poses)
			b.CRBA(s.q, mass)
			b.Jacobian(s.q, 3, mass[:13*6*m.NV()])
		})
	}
}

func TestWrongLengthPanics(t *testing.T) {
	m := loadRobot(t, "../testdata/solo12.urdf", true)
	b := New(m)
	defer func() {
		if x := fmt.Sprint(recover()); !strings.Contains(x, "batch.RNEA: v has length 3, want 36: 18 coordinates of 2 states") {
			t.Errorf("panic %q", x)
		}
	}()
	b.RNEA(make([]float64, 2*19), make([]float64, 3), make([]float64, 36), make([]float64, 36))
}
