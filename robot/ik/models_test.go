package ik_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// subject is a robot and the links that are to reach poses which they have together in some configuration.
type subject struct {
	name  string
	model *multibody.Model
	tools []int
}

// subjects returns the published arms, and the robots of the reference data where they are present.
func subjects(t testing.TB) (all []subject) {
	for _, a := range arms {
		m, _ := arm(t, a.name)
		all = append(all, subject{a.name, m, []int{link(t, m, "tool")}})
	}
	data := filepath.Join("..", "..", "..", "shared", "data", "reference")
	if _, err := os.Stat(data); err != nil {
		t.Logf("SKIPPED: the robots in files: reference data not present: %v", err)
		return all
	}
	for _, f := range []struct {
		name     string
		floating bool
		tools    []string
	}{
		{"kinova", false, []string{"j2s6s200_end_effector"}},
		{"baxter", false, []string{"left_gripper"}},
		{"simple_humanoid", true, []string{"l_ankle", "r_ankle", "r_wrist"}},
	} {
		robot, err := description.Read(os.DirFS(data), f.name+".urdf", description.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var options []multibody.Option
		if f.floating {
			options = append(options, multibody.FloatingBase())
		}
		m, err := robot.Model(options...)
		if err != nil {
			t.Fatal(err)
		}
		s := subject{name: f.name, model: m}
		for _, tool := range f.tools {
			s.tools = append(s.tools, link(t, m, tool))
		}
		all = append(all, s)
	}
	return all
}

// problems draws poses that the tools have in random configurations, and where to start.
func (s *subject) problems(seed uint64, n int) (tasks [][]ik.Task, starts [][]float64) {
	d, rng := multibody.NewData(s.model), rand.New(rand.NewPCG(seed, 0))
	q := make([]float64, s.model.NQ())
	for range n {
		s.model.Random(rng, q)
		multibody.FK(d, q)
		var wanted []ik.Task
		for _, tool := range s.tools {
			wanted = append(wanted, ik.Reach(tool, d.Pose(tool)))
		}
		start := make([]float64, len(q))
		s.model.Random(rng, start)
		tasks, starts = append(tasks, wanted), append(starts, start)
	}
	return tasks, starts
}

// From random starts, at least 999 of 1000 poses within the limits are found.
func TestSolverFindsNearlyAllPosesFromRandomStarts(t *testing.T) {
	for _, r := range subjects(t) {
		const seed, n = 11, 1000
		solver, d := ik.NewSolver(r.model), multibody.NewData(r.model)
		lower, upper := make([]float64, r.model.NQ()), make([]float64, r.model.NQ())
		r.model.PositionLimits(lower, upper)
		tasks, starts := r.problems(seed, n)
		failed := 0
		begin := time.Now()
		for k, q := range starts {
			if err := solver.Solve(q, tasks[k], q); err != nil {
				failed++
				continue
			}
			multibody.FK(d, q)
			for _, task := range tasks[k] {
				got := d.Pose(task.Link)
				testkit.Near(t, r.name+": position", got.P.Sub(task.Target.P).Norm(), 0, solver.Linear*1.01)
				testkit.Near(t, r.name+": orientation", task.Target.R.Mul(got.R.T()).Log().Norm(), 0, solver.Angular*1.01)
			}
			for i := range q {
				if math.IsNaN(q[i]) || q[i] < lower[i]-1e-12 || q[i] > upper[i]+1e-12 {
					t.Fatalf("%s, seed %d, problem %d: coordinate %d is %v, outside of [%v, %v]", r.name, seed, k, i, q[i], lower[i], upper[i])
				}
			}
		}
		t.Logf("%s: %d of %d failed, %v each", r.name, failed, n, time.Since(begin)/n)
		if failed > n/1000 {
			t.Errorf("%s, seed %d: %d of %d targets not reached", r.name, seed, failed, n)
		}
	}
}

// A random pose of the arm from a random start, restarts included.
func BenchmarkSolve(b *testing.B) {
	for _, r := range subjects(b) {
		const n = 500
		tasks, starts := r.problems(11, n)
		q := make([]float64, r.model.NQ())
		for _, method := range []ik.Method{ik.LevenbergMarquardt, ik.DampedLeastSquares, ik.PseudoInverse} {
			b.Run(fmt.Sprintf("%v/%s", method, r.name), func(b *testing.B) {
				solver := ik.NewSolver(r.model)
				solver.Method = method
				k := 0
				for b.Loop() {
					_ = solver.Solve(starts[k%n], tasks[k%n], q)
					k++
				}
			})
		}
	}
}
