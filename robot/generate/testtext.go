package generate

// testText is the test of a generated package: every function against the general algorithm.
const testText = `// GENERATED

package NAME

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// load compiles the robot that this package was generated for.
func load(t testing.TB) (*multibody.Model, int) {
	t.Helper()
	robot, err := description.Read(os.DirFS("."), "robot.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := robot.Model(OPTIONS)
	if err != nil {
		t.Fatal(err)
	}
	tool, err := m.Link(Tool)
	if err != nil {
		t.Fatal(err)
	}
	return m, tool
}

// state is the arguments and results of all functions.
type state struct {
	q                       Configuration
	v, a, tau, force, accel Vector
	poses                   [Joints]Pose
	J                       [6]Vector
	M                       [DOF]Vector
}

func randomState(m *multibody.Model, random *rand.Rand) (s state) {
	m.Random(random, s.q[:])
	for i := range DOF {
		s.v[i], s.a[i], s.tau[i] = random.NormFloat64(), random.NormFloat64(), random.NormFloat64()
	}
	return s
}

func TestLimitsAreThoseOfTheModel(t *testing.T) {
	m, _ := load(t)
	var lower, upper Configuration
	var velocity, effort Vector
	m.PositionLimits(lower[:], upper[:])
	m.VelocityLimits(velocity[:])
	m.EffortLimits(effort[:])
	if Lower != lower || Upper != upper || MaxVelocity != velocity || MaxEffort != effort {
		t.Error("limits differ from the model's")
	}
}

// general computes with the general algorithms.
func (s *state) general(d *multibody.Data, tool int) {
	m := d.Model()
	multibody.FK(d, s.q[:])
	for k, name := range Links {
		link, _ := m.Link(name)
		x := d.Pose(link)
		for r, p := range [3]float64{x.P.X, x.P.Y, x.P.Z} {
			s.poses[k][r] = [4]float64{x.R[r][0], x.R[r][1], x.R[r][2], p}
		}
	}
	var J [6 * DOF]float64
	var M [DOF * DOF]float64
	multibody.Jacobian(d, s.q[:], tool, multibody.Mixed, J[:])
	multibody.CRBA(d, s.q[:], M[:])
	for i := range s.J {
		copy(s.J[i][:], J[i*DOF:])
	}
	for i := range s.M {
		copy(s.M[i][:], M[i*DOF:])
	}
	multibody.RNEA(d, s.q[:], s.v[:], s.a[:], s.force[:])
	multibody.ABA(d, s.q[:], s.v[:], s.tau[:], s.accel[:])
}

// near compares relative to the largest element.
func near(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	scale, worst := 1.0, 0.0
	for i := range want {
		scale = math.Max(scale, math.Abs(want[i]))
		worst = math.Max(worst, math.Abs(got[i]-want[i]))
	}
	if !(worst <= tolerance*scale) {
		t.Fatalf("%s differs from the general algorithm by %.3g", what, worst)
	}
}

func (s *state) compare(t *testing.T, want *state) {
	t.Helper()
	for k := range s.poses {
		for r := range s.poses[k] {
			near(t, "FK, "+Links[k], s.poses[k][r][:], want.poses[k][r][:], 1e-12)
		}
	}
	for r := range s.J {
		near(t, "Jacobian", s.J[r][:], want.J[r][:], 1e-12)
	}
	for r := range s.M {
		near(t, "CRBA", s.M[r][:], want.M[r][:], 1e-10)
	}
	near(t, "RNEA", s.force[:], want.force[:], 1e-10)
	near(t, "ABA", s.accel[:], want.accel[:], 1e-8)
}

func TestAgainstGeneralAlgorithms(t *testing.T) {
	m, tool := load(t)
	d := multibody.NewData(m)
	random := rand.New(rand.NewPCG(1, 0))
	for range 100 {
		want := randomState(m, random)
		got := want
		want.general(d, tool)
		FK(&got.q, &got.poses)
		Jacobian(&got.q, &got.J)
		RNEA(&got.q, &got.v, &got.a, &got.force)
		ABA(&got.q, &got.v, &got.tau, &got.accel)
		CRBA(&got.q, &got.M)
		got.compare(t, &want)
	}
}

func BenchmarkRobot(b *testing.B) {
	m, tool := load(b)
	d := multibody.NewData(m)
	random := rand.New(rand.NewPCG(2, 0))
	var states [64]state
	for i := range states {
		states[i] = randomState(m, random)
	}
	var J [6 * DOF]float64
	var M [DOF * DOF]float64
	for _, c := range []struct {
		name string
		call func(s *state)
	}{
		{"FK/general", func(s *state) { multibody.FK(d, s.q[:]) }},
		{"FK/here", func(s *state) { FK(&s.q, &s.poses) }},
		{"Jacobian/general", func(s *state) { multibody.Jacobian(d, s.q[:], tool, multibody.Mixed, J[:]) }},
		{"Jacobian/here", func(s *state) { Jacobian(&s.q, &s.J) }},
		{"RNEA/general", func(s *state) { multibody.RNEA(d, s.q[:], s.v[:], s.a[:], s.force[:]) }},
		{"RNEA/here", func(s *state) { RNEA(&s.q, &s.v, &s.a, &s.force) }},
		{"ABA/general", func(s *state) { multibody.ABA(d, s.q[:], s.v[:], s.tau[:], s.accel[:]) }},
		{"ABA/here", func(s *state) { ABA(&s.q, &s.v, &s.tau, &s.accel) }},
		{"CRBA/general", func(s *state) { multibody.CRBA(d, s.q[:], M[:]) }},
		{"CRBA/here", func(s *state) { CRBA(&s.q, &s.M) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				c.call(&states[i%len(states)])
			}
		})
	}
}
`

// batchTestText is the test of the functions for eight states.
const batchTestText = `
func TestBatchAgainstGeneralAlgorithms(t *testing.T) {
	m, tool := load(t)
	d := multibody.NewData(m)
	random := rand.New(rand.NewPCG(3, 0))
	var b Batch
	var x lanes
	for round := range 20 {
		var want [Lanes]state
		for i := range want {
			want[i] = randomState(m, random)
			if round == 0 && i == 3 {
				want[i].q[Coordinates-1] = 3e5 // many turns
			}
			want[i].general(d, tool)
			x.put(i, &want[i])
		}
		b.FK(&x.q, &x.poses)
		b.Jacobian(&x.q, &x.J)
		b.RNEA(&x.q, &x.v, &x.a, &x.force)
		b.ABA(&x.q, &x.v, &x.tau, &x.accel)
		b.CRBA(&x.q, &x.M)
		for i := range want {
			got := want[i]
			x.take(i, &got)
			got.compare(t, &want[i])
		}
	}
}

// lanes is the arguments and results of all functions for eight states.
type lanes struct {
	q                       [Coordinates][Lanes]float64
	v, a, tau, force, accel [DOF][Lanes]float64
	poses                   [Joints][3][4][Lanes]float64
	J                       [6][DOF][Lanes]float64
	M                       [DOF][DOF][Lanes]float64
}

func (x *lanes) put(i int, s *state) {
	for k := range s.q {
		x.q[k][i] = s.q[k]
	}
	for k := range s.v {
		x.v[k][i], x.a[k][i], x.tau[k][i] = s.v[k], s.a[k], s.tau[k]
	}
}

func (x *lanes) take(i int, s *state) {
	for k := range s.force {
		s.force[k], s.accel[k] = x.force[k][i], x.accel[k][i]
		for j := range s.M[k] {
			s.M[k][j] = x.M[k][j][i]
		}
		for r := range s.J {
			s.J[r][k] = x.J[r][k][i]
		}
	}
	for k := range s.poses {
		for r := range s.poses[k] {
			for j := range s.poses[k][r] {
				s.poses[k][r][j] = x.poses[k][r][j][i]
			}
		}
	}
}

func BenchmarkBatch(b *testing.B) {
	m, _ := load(b)
	random := rand.New(rand.NewPCG(2, 0))
	var batch Batch
	var sets [8]lanes
	for i := range sets {
		for k := range Lanes {
			s := randomState(m, random)
			sets[i].put(k, &s)
		}
	}
	for _, c := range []struct {
		name string
		call func(x *lanes)
	}{
		{"FK", func(x *lanes) { batch.FK(&x.q, &x.poses) }},
		{"Jacobian", func(x *lanes) { batch.Jacobian(&x.q, &x.J) }},
		{"RNEA", func(x *lanes) { batch.RNEA(&x.q, &x.v, &x.a, &x.force) }},
		{"ABA", func(x *lanes) { batch.ABA(&x.q, &x.v, &x.tau, &x.accel) }},
		{"CRBA", func(x *lanes) { batch.CRBA(&x.q, &x.M) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				c.call(&sets[i%len(sets)])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/Lanes, "ns/state")
		})
	}
}
`

// slopesTestText is the test of the derivatives.
const slopesTestText = `
// slopes is the derivatives by q, by v, and by a or tau.
type slopes struct{ q, v, x [DOF]Vector }

func (s *slopes) compare(t *testing.T, what string, q, v, x *[DOF * DOF]float64) {
	t.Helper()
	for r := range DOF {
		near(t, what+" by q", s.q[r][:], q[r*DOF:(r+1)*DOF], 1e-7)
		near(t, what+" by v", s.v[r][:], v[r*DOF:(r+1)*DOF], 1e-7)
		near(t, what+" by a or tau", s.x[r][:], x[r*DOF:(r+1)*DOF], 1e-8)
	}
}

func TestDerivativesAgainstGeneralAlgorithms(t *testing.T) {
	m, _ := load(t)
	d := multibody.NewData(m)
	random := rand.New(rand.NewPCG(4, 0))
	var got slopes
	var dq, dv, x [DOF * DOF]float64
	for range 50 {
		s := randomState(m, random)
		multibody.RNEADerivatives(d, s.q[:], s.v[:], s.a[:], dq[:], dv[:], x[:])
		RNEADerivatives(&s.q, &s.v, &s.a, &got.q, &got.v, &got.x)
		got.compare(t, "RNEA", &dq, &dv, &x)
		multibody.ABADerivatives(d, s.q[:], s.v[:], s.tau[:], s.accel[:], dq[:], dv[:], x[:])
		ABADerivatives(&s.q, &s.v, &s.tau, &s.accel, &got.q, &got.v, &got.x)
		got.compare(t, "ABA", &dq, &dv, &x)
	}
}

func BenchmarkDerivatives(b *testing.B) {
	m, _ := load(b)
	d := multibody.NewData(m)
	s := randomState(m, rand.New(rand.NewPCG(2, 0)))
	var got slopes
	var dq, dv, x [DOF * DOF]float64
	for _, c := range []struct {
		name string
		call func()
	}{
		{"RNEA/general", func() { multibody.RNEADerivatives(d, s.q[:], s.v[:], s.a[:], dq[:], dv[:], x[:]) }},
		{"RNEA/here", func() { RNEADerivatives(&s.q, &s.v, &s.a, &got.q, &got.v, &got.x) }},
		{"ABA/general", func() { multibody.ABADerivatives(d, s.q[:], s.v[:], s.tau[:], s.accel[:], dq[:], dv[:], x[:]) }},
		{"ABA/here", func() { ABADerivatives(&s.q, &s.v, &s.tau, &s.accel, &got.q, &got.v, &got.x) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				c.call()
			}
		})
	}
}
`
