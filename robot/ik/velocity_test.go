package ik_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// A wish for the remaining freedom changes the joint velocities but not the motion of the tool.
func TestWishDoesNotMoveTheTool(t *testing.T) {
	m, _ := arm(t, "panda")
	tool, s := link(t, m, "tool"), ik.NewSolver(m)
	rng := rand.New(rand.NewPCG(31, 0))
	q, wish := make([]float64, m.NQ()), make([]float64, m.NV())
	plain, v := make([]float64, m.NV()), make([]float64, m.NV())
	twists := []spatial.Motion{{Linear: spatial.Vec3{X: 0.05}}}
	tasks := []ik.Task{ik.Reach(tool, spatial.IdentityPose())}
	changed := 0
	for range 200 {
		m.Random(rng, q)
		for i := range wish {
			wish[i] = rng.NormFloat64()
		}
		without := s.Velocity(q, tasks, twists, nil, 0.01, plain)
		with := s.Velocity(q, tasks, twists, wish, 0.01, v)
		testkit.Near(t, "what is missing", with, without, 1e-6)
		if squared(plain, v) > 1e-4 {
			changed++
		}
	}
	if changed < 150 {
		t.Errorf("the wish moved the joints in %d of 200 configurations", changed)
	}
	// Without tasks all freedom remains.
	s.Velocity(q, nil, nil, wish, 0.001, v)
	if squared(v, make([]float64, len(v))) == 0 {
		t.Error("without tasks nothing of the wish is granted")
	}
}

// Following a straight line cycle by cycle keeps the tool on it.
func TestVelocityKeepsTheToolOnALine(t *testing.T) {
	m, _ := arm(t, "panda")
	tool, s, pose := link(t, m, "tool"), ik.NewSolver(m), poses(t, m)
	q := []float64{0, -0.5, 0, -2, 0, 1.6, 0.7}
	v := make([]float64, m.NV())
	start := pose(q)
	tasks := []ik.Task{ik.Reach(tool, start)}
	twists := []spatial.Motion{{Linear: spatial.Vec3{Y: 0.1}}}
	const dt, cycles = 0.001, 1000
	for range cycles {
		s.Velocity(q, tasks, twists, nil, dt, v)
		for i := range v {
			v[i] *= dt
		}
		m.Integrate(q, v, q)
	}
	end := pose(q)
	want := start.P.Add(spatial.Vec3{Y: 0.1 * dt * cycles})
	testkit.Near(t, "position after 0.1 m", end.P.Sub(want).Norm(), 0, 1e-4)
	testkit.Near(t, "orientation", start.R.Mul(end.R.T()).Log().Norm(), 0, 1e-4)
}

func BenchmarkVelocity(b *testing.B) {
	for _, r := range subjects(b) {
		b.Run(r.name, func(b *testing.B) {
			tasks, starts := r.problems(11, 1)
			s, v := ik.NewSolver(r.model), make([]float64, r.model.NV())
			twists := make([]spatial.Motion, len(tasks[0]))
			for i := range twists {
				twists[i].Linear.X = 0.1
			}
			for b.Loop() {
				s.Velocity(starts[0], tasks[0], twists, nil, 0.001, v)
			}
		})
	}
}
