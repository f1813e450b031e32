package ik_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

var methods = []ik.Method{ik.LevenbergMarquardt, ik.DampedLeastSquares, ik.PseudoInverse, ik.Transpose}

// Every method finds poses that random configurations have, within the limits.
func TestEveryMethodReachesReachableTargets(t *testing.T) {
	for _, r := range arms {
		m, _ := arm(t, r.name)
		tool := link(t, m, "tool")
		d := multibody.NewData(m)
		lower, upper := make([]float64, m.NQ()), make([]float64, m.NQ())
		m.PositionLimits(lower, upper)
		for _, method := range methods {
			n, seed := 300, uint64(3)
			s := ik.NewSolver(m)
			s.Method = method
			if method == ik.Transpose {
				n, s.Linear, s.Angular, s.Iterations = 10, 1e-4, 1e-4, 300
			}
			rng := rand.New(rand.NewPCG(seed, 0))
			wanted, q := make([]float64, m.NQ()), make([]float64, m.NQ())
			failed := 0
			begin := time.Now()
			for range n {
				m.Random(rng, wanted)
				multibody.FK(d, wanted)
				target := d.Pose(tool)
				m.Random(rng, q)
				if err := s.Solve(q, []ik.Task{ik.Reach(tool, target)}, q); err != nil {
					failed++
					continue
				}
				multibody.FK(d, q)
				got := d.Pose(tool)
				testkit.Near(t, "position", got.P.Sub(target.P).Norm(), 0, s.Linear)
				testkit.Near(t, "orientation", target.R.Mul(got.R.T()).Log().Norm(), 0, s.Angular)
				for i := range q {
					if q[i] < lower[i]-1e-12 || q[i] > upper[i]+1e-12 {
						t.Fatalf("%s, %v: coordinate %d is %v, outside of [%v, %v]", r.name, method, i, q[i], lower[i], upper[i])
					}
				}
			}
			if method == ik.Transpose && failed > 3 || method != ik.Transpose && failed*100 > n {
				t.Errorf("%s, %v, seed %d: %d of %d targets not reached", r.name, method, seed, failed, n)
			}
			t.Logf("%s, %v: %d of %d failed, %v each", r.name, method, failed, n, time.Since(begin)/time.Duration(n))
		}
	}
}

func TestFailuresNameTheirReason(t *testing.T) {
	m, _ := arm(t, arms[0].name)
	tool := link(t, m, "tool")
	d, s := multibody.NewData(m), ik.NewSolver(m)
	q := m.Neutral()
	var failure *ik.Failure

	far := ik.ReachPoint(tool, spatial.Vec3{X: 50})
	if err := s.Solve(q, []ik.Task{far}, q); !errors.As(err, &failure) || failure.Reason != ik.OutOfReach || failure.By < 40 {
		t.Errorf("50 m away: %v", err)
	}
	if !strings.Contains(failure.Error(), "out of reach by") {
		t.Errorf("%q does not say by how much", failure)
	}

	// A pose that only a forbidden turn of one joint has.
	tree := swing(math.Pi / 4)
	short, err := multibody.NewModel(tree)
	if err != nil {
		t.Fatal(err)
	}
	ss, hand := ik.NewSolver(short), link(t, short, "hand")
	one := short.Neutral()
	err = ss.Solve(one, []ik.Task{ik.ReachPoint(hand, spatial.Vec3{Y: 1})}, one)
	if !errors.As(err, &failure) || failure.Reason != ik.JointLimit || failure.Joint != "hinge" {
		t.Errorf("behind the limit: %v", err)
	} else {
		testkit.Near(t, "beyond the limit", failure.By, math.Pi/4, 1e-6)
	}
	testkit.Near(t, "the nearest configuration", one[0], math.Pi/4, 1e-6)

	err = ss.Solve(one, []ik.Task{ik.ReachPoint(hand, spatial.Vec3{X: 0.5})}, one)
	if !errors.As(err, &failure) || failure.Reason != ik.OutOfReach {
		t.Errorf("inside the circle: %v", err)
	}

	// Opposite to where the arm points, the gradient vanishes: one attempt is stuck, more are not.
	free, err := multibody.NewModel(swing(math.Inf(1)))
	if err != nil {
		t.Fatal(err)
	}
	fs := ik.NewSolver(free)
	back := []ik.Task{ik.ReachPoint(link(t, free, "hand"), spatial.Vec3{X: -1})}
	fs.Attempts = 1
	if err := fs.Solve([]float64{0}, back, one); !errors.As(err, &failure) || failure.Reason != ik.Singular {
		t.Errorf("opposite: %v", err)
	}
	fs.Attempts = 5
	if err := fs.Solve([]float64{0}, back, one); err != nil {
		t.Errorf("opposite, with more attempts: %v", err)
	}

	multibody.FK(d, q)
	s.Attempts, s.Iterations = 1, 1
	m.Random(rand.New(rand.NewPCG(1, 1)), q)
	multibody.FK(d, q)
	target := d.Pose(tool)
	if err := s.Solve(m.Neutral(), []ik.Task{ik.Reach(tool, target)}, q); !errors.As(err, &failure) || failure.Reason != ik.Iterations {
		t.Errorf("one iteration: %v", err)
	}
}

// swing returns one hinge about z that carries a hand 1 m away along x.
func swing(limit float64) multibody.Tree {
	j := multibody.Joint{Name: "hinge", Type: multibody.Revolute, Parent: "base", Child: "bar", Axis: spatial.Vec3{Z: 1}}
	if !math.IsInf(limit, 1) {
		limits := multibody.Unlimited()
		limits.Lower, limits.Upper = -limit, limit
		j.Limits = &limits
	}
	return multibody.Tree{
		Name:  "swing",
		Links: []multibody.Link{{Name: "base"}, {Name: "bar"}, {Name: "hand"}},
		Joints: []multibody.Joint{j, {Name: "grip", Type: multibody.Fixed, Parent: "bar", Child: "hand",
			Placement: spatial.Translation(spatial.Vec3{X: 1})}},
	}
}

func TestSolveRejectsTargetsThatAreNotFinite(t *testing.T) {
	m, _ := arm(t, arms[0].name)
	tool, s, q := link(t, m, "tool"), ik.NewSolver(m), m.Neutral()
	target := spatial.Translation(spatial.Vec3{X: math.NaN()})
	if err := s.Solve(q, []ik.Task{ik.Reach(tool, target)}, q); !errors.Is(err, ik.ErrNotFinite) {
		t.Errorf("NaN target: %v", err)
	}
	bad := m.Neutral()
	bad[0] = math.Inf(1)
	if err := s.Solve(bad, []ik.Task{ik.Reach(tool, spatial.IdentityPose())}, q); !errors.Is(err, ik.ErrNotFinite) {
		t.Errorf("infinite seed: %v", err)
	}
}

// A task of second priority uses the freedom that the first leaves, and takes nothing from it.
func TestSecondPriorityDoesNotDisturbTheFirst(t *testing.T) {
	m, _ := arm(t, "panda")
	tool, s, q := link(t, m, "tool"), ik.NewSolver(m), m.Neutral()
	d := multibody.NewData(m)
	wanted := m.Neutral()
	m.Random(rand.New(rand.NewPCG(5, 0)), wanted)
	multibody.FK(d, wanted)
	first := ik.ReachPoint(tool, d.Pose(tool).P)
	second := ik.Reach(tool, spatial.Pose{R: d.Pose(tool).R, P: spatial.Vec3{X: 9}}) // its position contradicts the first
	second.Priority = 1
	for _, method := range []ik.Method{ik.LevenbergMarquardt, ik.DampedLeastSquares, ik.PseudoInverse} {
		s.Method = method
		err := s.Solve(m.Neutral(), []ik.Task{second, first}, q)
		if err != nil {
			t.Errorf("%v: %v", method, err)
		}
		multibody.FK(d, q)
		testkit.Near(t, "the first task", d.Pose(tool).P.Sub(first.Target.P).Norm(), 0, 1e-6)
	}
}

// The joint velocities produce the twist of the tool, as far as their limits allow, without allocation.
func TestVelocityProducesTheTwist(t *testing.T) {
	m, _ := arm(t, "panda")
	tool, s := link(t, m, "tool"), ik.NewSolver(m)
	rng := rand.New(rand.NewPCG(6, 0))
	q, v, J := make([]float64, m.NQ()), make([]float64, m.NV()), make([]float64, 6*m.NV())
	limit := make([]float64, m.NV())
	m.VelocityLimits(limit)
	wish := make([]float64, m.NV())
	tasks, twists := []ik.Task{ik.Reach(tool, spatial.IdentityPose())}, make([]spatial.Motion, 1)
	exact := 0
	for range 500 {
		m.Random(rng, q)
		m.Difference(q, m.Neutral(), wish)
		twists[0] = spatial.Motion{Linear: spatial.Vec3{X: 0.1 * rng.NormFloat64(), Y: 0.1, Z: 0.1}, Angular: spatial.Vec3{Z: 0.1}}
		missing := s.Velocity(q, tasks, twists, wish, 0.001, v)
		multibody.Jacobian(multibody.NewData(m), q, tool, multibody.Mixed, J)
		sum := 0.0
		for r, want := range []float64{twists[0].Linear.X, 0.1, 0.1, 0, 0, 0.1} {
			for c := range v {
				want -= J[r*m.NV()+c] * v[c]
			}
			sum += want * want
		}
		testkit.Near(t, "what is missing", math.Sqrt(sum), missing, 1e-9)
		for i := range v {
			if math.Abs(v[i]) > limit[i]+1e-12 {
				t.Fatalf("joint %d moves with %v, limit %v", i, v[i], limit[i])
			}
		}
		if missing < 1e-6 {
			exact++
		}
	}
	if exact < 300 {
		t.Errorf("only %d of 500 velocities are exact", exact)
	}
	testkit.NoAllocs(t, 1000, func() { s.Velocity(q, tasks, twists, wish, 0.001, v) })
	q[0] = math.NaN()
	if x := s.Velocity(q, tasks, twists, wish, 0.001, v); !math.IsNaN(x) || v[0] != 0 {
		t.Errorf("NaN configuration: missing %v, velocity %v", x, v)
	}
}

func TestSolveAllocatesNothing(t *testing.T) {
	m, _ := arm(t, "panda")
	tool, s, q := link(t, m, "tool"), ik.NewSolver(m), m.Neutral()
	d := multibody.NewData(m)
	m.Random(rand.New(rand.NewPCG(2, 0)), q)
	multibody.FK(d, q)
	tasks := []ik.Task{ik.Reach(tool, d.Pose(tool))}
	neutral := m.Neutral()
	testkit.NoAllocs(t, 200, func() { _ = s.Solve(neutral, tasks, q) })
	tasks[0].Target.P.X = 50
	testkit.NoAllocs(t, 3, func() { _ = s.Solve(neutral, tasks, q) })
}
