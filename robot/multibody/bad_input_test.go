package multibody

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// algorithm is an exported function of vectors, as the tests of bad input see it: the first `in` of them are a state, the others
// are results.
type algorithm struct {
	name    string
	in      int
	lengths []int
	call    func(x [][]float64)
}

// algorithms lists every exported function that takes vectors of m.
func algorithms(t testing.TB, m *Model) []algorithm {
	d := NewData(m)
	nq, nv := m.NQ(), m.NV()
	links := m.Links()
	nn, tip := nv*nv, len(links)-1
	loops, err := NewLoops(m, Loop{LinkA: links[tip], LinkB: links[0], Point: true})
	if err != nil {
		t.Fatal(err)
	}
	return []algorithm{
		{"FK", 1, []int{nq}, func(x [][]float64) { FK(d, x[0]) }},
		{"FKVelocity", 2, []int{nq, nv}, func(x [][]float64) { FKVelocity(d, x[0], x[1]) }},
		{"FKAcceleration", 3, []int{nq, nv, nv}, func(x [][]float64) { FKAcceleration(d, x[0], x[1], x[2]) }},
		{"Jacobian", 1, []int{nq, 6 * nv}, func(x [][]float64) { Jacobian(d, x[0], tip, Local, x[1]) }},
		{"JacobianDot", 2, []int{nq, nv, 6 * nv}, func(x [][]float64) { JacobianDot(d, x[0], x[1], tip, Mixed, x[2]) }},
		{"RNEA", 3, []int{nq, nv, nv, nv}, func(x [][]float64) { RNEA(d, x[0], x[1], x[2], x[3]) }},
		{"ABA", 3, []int{nq, nv, nv, nv}, func(x [][]float64) { ABA(d, x[0], x[1], x[2], x[3]) }},
		{"CRBA", 1, []int{nq, nn}, func(x [][]float64) { CRBA(d, x[0], x[1]) }},
		{"MassInverse", 1, []int{nq, nn}, func(x [][]float64) { MassInverse(d, x[0], x[1]) }},
		{"Gravity", 1, []int{nq, nv}, func(x [][]float64) { Gravity(d, x[0], x[1]) }},
		{"BiasForce", 2, []int{nq, nv, nv}, func(x [][]float64) { BiasForce(d, x[0], x[1], x[2]) }},
		{"CoriolisForce", 2, []int{nq, nv, nv}, func(x [][]float64) { CoriolisForce(d, x[0], x[1], x[2]) }},
		{"CoriolisMatrix", 2, []int{nq, nv, nn}, func(x [][]float64) { CoriolisMatrix(d, x[0], x[1], x[2]) }},
		{"AddForces", 1, []int{nq, nv}, func(x [][]float64) {
			AddForces(d, x[0], []LinkForce{{Link: tip, Force: spatial.Force{Linear: spatial.Vec3{X: 1}}}}, x[1])
		}},
		{"RNEADerivatives", 3, []int{nq, nv, nv, nn, nn, nn}, func(x [][]float64) {
			RNEADerivatives(d, x[0], x[1], x[2], x[3], x[4], x[5])
		}},
		{"ABADerivatives", 3, []int{nq, nv, nv, nv, nn, nn, nn}, func(x [][]float64) {
			ABADerivatives(d, x[0], x[1], x[2], x[3], x[4], x[5], x[6])
		}},
		{"KineticEnergy", 2, []int{nq, nv}, func(x [][]float64) { KineticEnergy(d, x[0], x[1]) }},
		{"PotentialEnergy", 1, []int{nq}, func(x [][]float64) { PotentialEnergy(d, x[0]) }},
		{"COM", 1, []int{nq}, func(x [][]float64) { COM(d, x[0]) }},
		{"COMJacobian", 1, []int{nq, 3 * nv}, func(x [][]float64) { COMJacobian(d, x[0], x[1]) }},
		{"CentroidalMatrix", 1, []int{nq, 6 * nv}, func(x [][]float64) { CentroidalMatrix(d, x[0], x[1]) }},
		{"CentroidalMomentum", 2, []int{nq, nv}, func(x [][]float64) { CentroidalMomentum(d, x[0], x[1]) }},
		{"OperationalInertia", 1, []int{nq}, func(x [][]float64) {
			_ = OperationalInertia(d, x[0], tip, Local, new([6][6]float64)) // may well be singular
		}},
		{"Regressor", 3, []int{nq, nv, nv, nv * ParametersPerJoint * len(m.Joints())}, func(x [][]float64) {
			Regressor(d, x[0], x[1], x[2], x[3])
		}},
		{"Parameters", 0, []int{ParametersPerJoint * len(m.Joints())}, func(x [][]float64) { m.Parameters(x[0]) }},
		{"Integrate", 2, []int{nq, nv, nq}, func(x [][]float64) { m.Integrate(x[0], x[1], x[2]) }},
		{"Difference", 2, []int{nq, nq, nv}, func(x [][]float64) { m.Difference(x[0], x[1], x[2]) }},
		{"Interpolate", 2, []int{nq, nq, nv, nq}, func(x [][]float64) { m.Interpolate(x[0], x[1], 0.5, x[2], x[3]) }},
		{"Distance", 2, []int{nq, nq, nv}, func(x [][]float64) { m.Distance(x[0], x[1], x[2]) }},
		{"Random", 0, []int{nq}, func(x [][]float64) { m.Random(rand.New(rand.NewPCG(1, 2)), x[0]) }},
		{"PositionLimits", 0, []int{nq, nq}, func(x [][]float64) { m.PositionLimits(x[0], x[1]) }},
		{"VelocityLimits", 0, []int{nv}, func(x [][]float64) { m.VelocityLimits(x[0]) }},
		{"EffortLimits", 0, []int{nv}, func(x [][]float64) { m.EffortLimits(x[0]) }},
		{"CloseLoops", 1, []int{nq}, func(x [][]float64) { _ = CloseLoops(d, loops, x[0]) }}, // may not close
		{"ProjectVelocity", 2, []int{nq, nv}, func(x [][]float64) { ProjectVelocity(d, loops, x[0], x[1]) }},
		{"ConstrainedABA", 3, []int{nq, nv, nv, nv}, func(x [][]float64) { ConstrainedABA(d, loops, x[0], x[1], x[2], x[3]) }},
	}
}

// arguments returns vectors of the right lengths: a random state and results full of zeros.
func (a algorithm) arguments(r *rand.Rand, m *Model) [][]float64 {
	x := make([][]float64, len(a.lengths))
	for i, n := range a.lengths {
		x[i] = make([]float64, n)
		switch {
		case i < a.in && n == m.NQ():
			m.Random(r, x[i])
		case i < a.in:
			copy(x[i], randomSlice(r, n))
		}
	}
	return x
}

// badInputModels returns trees of all joint types, on a floating base, with couplings, and an arm.
func badInputModels(t testing.TB, r *rand.Rand) map[string]*Model {
	return map[string]*Model{
		"all joints":    mustModel(t, randomTree(r, movingTypes...)),
		"floating base": mustModel(t, randomTree(r, Spherical, Revolute, Prismatic, Helical), FloatingBase()),
		"mimic":         mustModel(t, mimicTree(r)),
		"arm":           mustModel(t, randomTree(r, slices.Repeat([]JointType{Revolute}, 7)...)),
	}
}

// Each vector of each algorithm, too short, too long or missing, causes a panic that names what was expected.
func TestWrongLengthsPanic(t *testing.T) {
	r := testkit.Rand(t)
	for name, m := range badInputModels(t, r) {
		for _, a := range algorithms(t, m) {
			for i, n := range a.lengths {
				for _, wrong := range []int{0, n - 1, n + 1} {
					x := a.arguments(r, m)
					x[i] = make([]float64, wrong)
					want := fmt.Sprintf("has length %d, want %d", wrong, n)
					if got := panicOf(func() { a.call(x) }); !strings.Contains(got, want) {
						t.Errorf("%s: %s with a wrong vector %d panics with %q, want %q", name, a.name, i, got, want)
					}
				}
			}
		}
	}
	m := mustModel(t, randomTree(r, Revolute, Revolute, Revolute))
	got := panicOf(func() { ABA(NewData(m), make([]float64, 3), make([]float64, 3), nil, make([]float64, 3)) })
	if want := "multibody.ABA: tau has length 0, want 3"; got != want {
		t.Errorf("panic %q, want %q", got, want)
	}
}

// panicOf returns what f panics with, "" if it does not.
func panicOf(f func()) (message string) {
	defer func() {
		if e := recover(); e != nil {
			message = fmt.Sprint(e)
		}
	}()
	f()
	return ""
}

// A state that is not finite stops nothing: no panic, no search without end, and what depends on it is not finite.
func TestStatesThatAreNotFiniteNeverPanic(t *testing.T) {
	r := testkit.Rand(t)
	for name, m := range badInputModels(t, r) {
		for _, a := range algorithms(t, m) {
			for i := range a.in {
				for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64} {
					for k := range a.lengths[i] {
						x := a.arguments(r, m)
						x[i][k] = bad
						if got := panicOf(func() { a.call(x) }); got != "" {
							t.Fatalf("%s: %s panics with %v in vector %d at %d: %s", name, a.name, bad, i, k, got)
						}
					}
				}
				x := a.arguments(r, m)
				for k := range x[i] {
					x[i][k] = math.NaN()
				}
				if got := panicOf(func() { a.call(x) }); got != "" {
					t.Fatalf("%s: %s panics with NaN in vector %d: %s", name, a.name, i, got)
				}
				if results := x[a.in:]; len(results) > 0 && !anyNaN(results) {
					t.Errorf("%s: %s hides NaN in vector %d", name, a.name, i)
				}
			}
		}
	}
}

func anyNaN(x [][]float64) bool {
	return slices.ContainsFunc(x, func(v []float64) bool { return slices.ContainsFunc(v, math.IsNaN) })
}

// Scalars, poses and errors report NaN as well.
func TestNaNReachesPosesAndEnergies(t *testing.T) {
	m := mustModel(t, randomTree(testkit.Rand(t), Revolute, Revolute, Revolute, Revolute))
	d, links := NewData(m), m.Links()
	tip := len(links) - 1
	q, v := slices.Repeat([]float64{math.NaN()}, 4), make([]float64, 4)
	FK(d, q)
	for name, x := range map[string]float64{
		"pose":             d.Pose(tip).P.X,
		"kinetic energy":   KineticEnergy(d, q, []float64{1, 1, 1, 1}),
		"potential energy": PotentialEnergy(d, q),
		"centre of mass":   COM(d, q).X,
		"distance":         m.Distance(q, make([]float64, 4), v),
	} {
		if !math.IsNaN(x) {
			t.Errorf("%s at NaN is %v", name, x)
		}
	}
	if OperationalInertia(d, q, tip, Local, new([6][6]float64)) == nil {
		t.Error("the operational-space inertia at NaN is no error")
	}
	loops, err := NewLoops(m, Loop{LinkA: links[tip], LinkB: links[0], Point: true})
	if err != nil {
		t.Fatal(err)
	}
	if CloseLoops(d, loops, q) == nil {
		t.Error("a loop closes at NaN")
	}
}

// SinCos rounds the length of its results up and writes them with vectors: shorter results are answered by what was expected.
// Numbers that are not finite have no sine, and spoil no other.
func TestSinCosRejectsShortResults(t *testing.T) {
	for n := range 10 {
		x, shift, room := make([]float64, n), make([]float64, n), (n+3)&^3
		for _, wrong := range []struct {
			shift, sin, cos int
			want            string
		}{
			{n + 1, room, room, fmt.Sprintf("shift has length %d, want %d", n+1, n)},
			{n, room - 1, room, fmt.Sprintf("want at least %d", room)},
			{n, room, room - 1, fmt.Sprintf("want at least %d", room)},
		} {
			if min(wrong.sin, wrong.cos) < 0 {
				continue
			}
			got := panicOf(func() {
				SinCos(x, make([]float64, wrong.shift), make([]float64, wrong.sin, 16), make([]float64, wrong.cos, 16))
			})
			if !strings.Contains(got, wrong.want) {
				t.Errorf("%d numbers: panic %q, want %q", n, got, wrong.want)
			}
		}
		for k := range n {
			for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				sin, cos := make([]float64, room), make([]float64, room)
				clear(x)
				x[k] = bad
				SinCos(x, shift, sin, cos)
				for i := range n {
					if spoilt := math.IsNaN(sin[i]) && math.IsNaN(cos[i]); spoilt != (i == k) || i != k && (sin[i] != 0 || cos[i] != 1) {
						t.Errorf("%v at %d of %d: sine and cosine at %d are %v and %v", bad, k, n, i, sin[i], cos[i])
					}
				}
			}
		}
	}
}
