package ik_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// poses computes the pose of the tool.
func poses(t testing.TB, m *multibody.Model) func(q []float64) spatial.Pose {
	d, tool := multibody.NewData(m), link(t, m, "tool")
	return func(q []float64) spatial.Pose {
		multibody.FK(d, q)
		return d.Pose(tool)
	}
}

func TestAnalyticNamesSingularities(t *testing.T) {
	for _, c := range []struct {
		arm   string
		q     []float64
		names func(ik.Singularity) bool
	}{
		{"kr6", []float64{0.3, -1, 0.7, 0.4, 0, 0.2}, ik.Singularity.Wrist},
		{"kr6", []float64{0.3, -1, math.Atan2(0.035, 0.42), 0.4, 0.5, 0.2}, ik.Singularity.Elbow},
		{"puma560", []float64{0.3, -1, 1.2, 0.4, 0, 0.2}, ik.Singularity.Wrist},
		{"ur5", []float64{0.3, -1, 1, 0.4, 0, 0.2}, ik.Singularity.Wrist},
		{"ur5", []float64{0.3, -1, 0, 0.4, 0.5, 0.2}, ik.Singularity.Elbow},
		{"iiwa14", []float64{0.3, 0, 0.5, 1, 0.4, 0.6, 0.2}, ik.Singularity.Shoulder},
		{"iiwa14", []float64{0.3, 0.5, 0.5, 1, 0.4, 0, 0.2}, ik.Singularity.Wrist},
		{"iiwa14", []float64{0.3, 0.5, 0.5, 0, 0.4, 0.6, 0.2}, ik.Singularity.Elbow},
		{"iiwa14", []float64{0, 0, 0, 0, 0, 0, 0}, ik.Singularity.Elbow},
		{"panda", []float64{0.3, 0, 0.5, -1, 0.4, 0.6, 0.2}, ik.Singularity.Shoulder},
	} {
		m, a := arm(t, c.arm)
		fk := poses(t, m)
		target := fk(c.q)
		solutions, err := a.Solve(target, a.Redundancy(c.q))
		if err != nil {
			t.Errorf("%s %v: %v", c.arm, c.q, err)
		}
		q := make([]float64, m.NQ())
		named := false
		for i := range solutions {
			a.Configuration(&solutions[i], q)
			named = named || c.names(solutions[i].Singular)
			if miss := distance(fk(q), target); !(miss < 1e-10) {
				t.Errorf("%s %v: %v misses by %g", c.arm, c.q, solutions[i], miss)
			}
		}
		if !named {
			t.Errorf("%s %v: singularity not reported: %v", c.arm, c.q, solutions)
		}
		// Joints that do not matter stay where they were.
		if err := a.Nearest(target, c.q, q); err != nil {
			t.Errorf("%s %v: %v", c.arm, c.q, err)
		}
		for i := range q {
			if math.Abs(q[i]-c.q[i]) > 1e-5 {
				t.Errorf("%s: nearest to %v is %v", c.arm, c.q, q)
				break
			}
		}
	}
}

func TestAnalyticSolvesWithTheWristAboveTheShoulder(t *testing.T) {
	m, a := arm(t, "kr6")
	fk := poses(t, m)
	// The wrist above axis 1: by symmetry of the two bars q2, q3 exist; take a target there and any orientation.
	target := spatial.Pose{R: spatial.RPY(0.3, 0.2, 0.1), P: spatial.Vec3{Z: 1.1}}
	target.P = target.P.Add(target.R.MulVec(spatial.Vec3{X: 0.08}))
	solutions, err := a.Solve(target, 0)
	if err != nil {
		t.Fatal(err)
	}
	q := make([]float64, 6)
	for i := range solutions {
		a.Configuration(&solutions[i], q)
		if miss := distance(fk(q), target); miss > 1e-10 || !solutions[i].Singular.Shoulder() {
			t.Errorf("%v misses by %g", solutions[i], miss)
		}
	}
}

func TestAnalyticReportsTargetsOutOfReach(t *testing.T) {
	var failure *ik.Failure
	for _, c := range []struct {
		arm  string
		q    []float64
		pull spatial.Vec3 // by which the stretched arm is pulled
	}{
		{"kr6", []float64{0, 0, math.Atan2(0.035, 0.42), 0.4, 0.5, 0.2}, spatial.Vec3{X: 1e-3}},
		{"iiwa14", []float64{0, 0, 0, 0, 0, 0.5, 0}, spatial.Vec3{Z: 1e-3}},
		{"iiwa14", []float64{0, 0, 0, 0, 0, 0.5, 0}, spatial.Vec3{Z: 100}},
	} {
		m, a := arm(t, c.arm)
		target := poses(t, m)(c.q)
		target.P = target.P.Add(c.pull)
		_, err := a.Solve(target, 0)
		if !errors.As(err, &failure) || failure.Reason != ik.OutOfReach {
			t.Errorf("%s: got %v, want out of reach", c.arm, err)
			continue
		}
		if want := c.pull.Norm(); math.Abs(failure.By-want) > 0.02*want {
			t.Errorf("%s: out of reach by %g, want %g", c.arm, failure.By, want)
		}
		if err := a.Nearest(target, c.q, make([]float64, m.NQ())); !errors.As(err, &failure) || failure.Reason != ik.OutOfReach {
			t.Errorf("%s: nearest: got %v, want out of reach", c.arm, err)
		}
	}
}

func TestAnalyticLimitNamesJoint(t *testing.T) {
	m, a := arm(t, "panda")
	var failure *ik.Failure
	q := []float64{0.1, 0.2, 0.3, -1, 0.5, 2, 3.1} // joint 7 beyond 2.8973
	_, err := a.Solve(poses(t, m)(q), q[6])
	if !errors.As(err, &failure) || failure.Reason != ik.JointLimit || failure.Joint != "joint7" || math.Abs(failure.By-0.2027) > 1e-9 {
		t.Fatalf("got %v", err)
	}
}

func TestAnalyticRejectsTargetsThatAreNotFinite(t *testing.T) {
	for _, r := range arms {
		m, a := arm(t, r.name)
		q := make([]float64, m.NQ())
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			target := spatial.IdentityPose()
			target.P.Y = bad
			if s, err := a.Solve(target, 0); !errors.Is(err, ik.ErrNotFinite) {
				t.Errorf("%s: %v, %v", r.name, s, err)
			}
			if err := a.Nearest(target, q, q); !errors.Is(err, ik.ErrNotFinite) {
				t.Errorf("%s: nearest: %v", r.name, err)
			}
			if err := a.Centered(target, q); !errors.Is(err, ik.ErrNotFinite) {
				t.Errorf("%s: centered: %v", r.name, err)
			}
			target = spatial.IdentityPose()
			target.R[1][2] = bad
			if s, err := a.Solve(target, 0); !errors.Is(err, ik.ErrNotFinite) {
				t.Errorf("%s: %v, %v", r.name, s, err)
			}
		}
	}
}

// TestAnalyticSolvesRoundedAndCalibratedArms solves arms whose files have angles of few digits, and calibrated ones.
func TestAnalyticSolvesRoundedAndCalibratedArms(t *testing.T) {
	for _, r := range arms {
		rng := rand.New(rand.NewPCG(4, 4))
		tree := rowTree(r.name, r.rows, r.tool)
		for i := range tree.Joints {
			p := &tree.Joints[i].Placement
			p.R = p.R.Mul(spatial.Exp(randomVec(rng, 3e-5)))
			p.P = p.P.Add(randomVec(rng, 3e-5))
		}
		m, a := compile(t, tree)
		fk := poses(t, m)
		q, found := make([]float64, m.NQ()), make([]float64, m.NQ())
		lost := 0
		for range 300 {
			m.Random(rng, q)
			target := fk(q)
			solutions, err := a.Solve(target, a.Redundancy(q))
			nearest := math.Inf(1)
			if err != nil {
				lost++
				continue
			}
			for i := range solutions {
				a.Configuration(&solutions[i], found)
				if miss := distance(fk(found), target); !(miss < 1e-10) {
					t.Fatalf("%s: %v misses by %g", r.name, solutions[i], miss)
				}
				gap := 0.0
				for j := range q {
					gap = math.Max(gap, math.Abs(math.Remainder(q[j]-found[j], 2*math.Pi)))
				}
				nearest = math.Min(nearest, gap)
			}
			if nearest > 1e-7 && a.Class() != ik.SwivelElbow { // whose swivel angle is defined to a milliradian only
				lost++
			}
		}
		if lost > 12 {
			t.Errorf("%s: lost %d of 300", r.name, lost)
		}
	}
}

func TestNewAnalyticNamesWhatFitsNoClass(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	lines := randomLines(rng, ik.SphericalWrist)
	lines[5].p = lines[5].p.Add(lines[5].h.Cross(lines[4].h).Unit().Scale(0.02))
	m, err := multibody.NewModel(lineTree(rng, lines))
	if err != nil {
		t.Fatal(err)
	}
	_, err = ik.NewAnalytic(m, link(t, m, "tool"))
	if err == nil || !strings.Contains(err.Error(), `"joint4", "joint5" and "joint6" do not meet in a point, they miss it by 0.0`) ||
		!strings.Contains(err.Error(), `"joint2" and "joint4" are not parallel`) {
		t.Errorf("got %v", err)
	}
	_, err = ik.NewAnalytic(m, link(t, m, "link5"))
	if err == nil || !strings.Contains(err.Error(), "6 or 7 joints") {
		t.Errorf("got %v", err)
	}
}

func TestAnalyticAllocatesNothing(t *testing.T) {
	for _, r := range arms {
		m, a := arm(t, r.name)
		q, far := make([]float64, m.NQ()), make([]float64, m.NQ())
		lower, upper := make([]float64, m.NQ()), make([]float64, m.NQ())
		m.PositionLimits(lower, upper)
		for i := range q {
			q[i] = lower[i] + 0.6*(upper[i]-lower[i])
		}
		target := poses(t, m)(q)
		bad := target
		bad.P.X += 10
		work := func() {
			_, _ = a.Solve(target, a.Redundancy(q))
			_, _ = a.Solve(bad, 0)
			_ = a.Nearest(target, q, far)
			_ = a.Centered(target, far)
			_ = a.Branch(q)
		}
		work()
		least := uint64(math.MaxUint64)
		for range 3 { // the runtime itself may allocate now and then
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range 100 {
				work()
			}
			runtime.ReadMemStats(&after)
			least = min(least, after.Mallocs-before.Mallocs)
		}
		if least != 0 {
			t.Errorf("%s: %d allocations in 100 rounds", r.name, least)
		}
	}
}
