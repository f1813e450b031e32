package ik_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// TestNearestFindsTheNearestSolution compares with all solutions, all turns and a dense sweep of the redundancy.
func TestNearestFindsTheNearestSolution(t *testing.T) {
	for _, r := range arms {
		m, a := arm(t, r.name)
		fk := poses(t, m)
		rng := rand.New(rand.NewPCG(7, 7))
		lower, upper := make([]float64, m.NQ()), make([]float64, m.NQ())
		m.PositionLimits(lower, upper)
		q, q0, got := make([]float64, m.NQ()), make([]float64, m.NQ()), make([]float64, m.NQ())
		worse, rounds := 0, 60
		for range rounds {
			m.Random(rng, q)
			m.Random(rng, q0)
			target := fk(q)
			if err := a.Nearest(target, q0, got); err != nil {
				t.Fatalf("%s: %v: %v", r.name, q, err)
			}
			if miss := distance(fk(got), target); !(miss < 1e-10) {
				t.Fatalf("%s: %v misses by %g", r.name, got, miss)
			}
			for i := range got {
				if got[i] < lower[i] || got[i] > upper[i] {
					t.Fatalf("%s: %v out of limits", r.name, got)
				}
			}
			best := bruteForce(a, target, q0, lower, upper)
			if cost := squared(got, q0); cost > best*1.001+1e-9 {
				worse++
				if r.class.Axes() == 6 {
					t.Errorf("%s: nearest costs %g, brute force %g", r.name, cost, best)
				}
			}
		}
		if worse > rounds/10 {
			t.Errorf("%s: in %d of %d cases brute force found a nearer one", r.name, worse, rounds)
		}
	}
}

func squared(a, b []float64) (sum float64) {
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return sum
}

func bruteForce(a *ik.Analytic, target spatial.Pose, q0, lower, upper []float64) float64 {
	best, steps := math.Inf(1), 1
	if a.Class().Axes() == 7 {
		steps = 2000
	}
	for k := range steps {
		solutions, err := a.Solve(target, -math.Pi+2*math.Pi*float64(k)/float64(steps))
		if err != nil {
			continue
		}
		for _, s := range solutions {
			cost := 0.0
			for i := range q0 {
				least := math.Inf(1)
				for turn := -2.0; turn <= 2; turn++ {
					if x := s.Q[i] + turn*2*math.Pi; x >= lower[i] && x <= upper[i] {
						least = math.Min(least, (x-q0[i])*(x-q0[i]))
					}
				}
				cost += least
			}
			best = math.Min(best, cost)
		}
	}
	return best
}

// TestNearestFollowsAPathWithoutJumps moves along a path: the arm follows without jumps.
func TestNearestFollowsAPathWithoutJumps(t *testing.T) {
	for _, r := range arms {
		m, a := arm(t, r.name)
		fk := poses(t, m)
		q := make([]float64, m.NQ())
		lower, upper := make([]float64, m.NQ()), make([]float64, m.NQ())
		m.PositionLimits(lower, upper)
		for i := range q {
			q[i] = lower[i] + 0.6*(upper[i]-lower[i])
		}
		switch r.name {
		case "ur5": // away from axis 1
			copy(q, []float64{0.5, -1.2, 1.5, -1.8, -1.5, 0.3})
		case "iiwa14": // not stretched
			copy(q, []float64{0.5, 0.6, 0.2, -1.5, 0.1, 0.8, 0.3})
		}
		start := fk(q)
		branch := a.Branch(q)
		before := append([]float64(nil), q...)
		for k := range 200 {
			target := start
			target.P = target.P.Add(spatial.Vec3{X: 0.03, Z: -0.03}.Scale(math.Sin(float64(k) / 30)))
			if err := a.Nearest(target, q, q); err != nil {
				t.Fatalf("%s: step %d: %v", r.name, k, err)
			}
			for i := range q {
				if math.Abs(q[i]-before[i]) > 0.05 {
					t.Fatalf("%s: step %d: joint %d jumps from %g to %g", r.name, k, i+1, before[i], q[i])
				}
			}
			copy(before, q)
		}
		if got := a.Branch(q); got != branch {
			t.Errorf("%s: branch %v became %v", r.name, branch, got)
		}
	}
}

// TestNearestKeepsTheTurnsOfTheSeed takes the turn that is nearest, as far as the limits go.
func TestNearestKeepsTheTurnsOfTheSeed(t *testing.T) {
	m, a := arm(t, "ur5")
	q := []float64{5, -4.5, 1.2, 6, -5.5, -4}
	got := make([]float64, 6)
	if err := a.Nearest(poses(t, m)(q), q, got); err != nil {
		t.Fatal(err)
	}
	if d := squared(got, q); d > 1e-16 {
		t.Errorf("got %v, want %v", got, q)
	}
}

func TestCenteredStaysFarthestFromTheLimits(t *testing.T) {
	for _, r := range arms {
		m, a := arm(t, r.name)
		fk := poses(t, m)
		rng := rand.New(rand.NewPCG(8, 8))
		lower, upper := make([]float64, m.NQ()), make([]float64, m.NQ())
		m.PositionLimits(lower, upper)
		spare := func(q []float64) float64 {
			least := 1.0
			for i := range q {
				least = math.Min(least, 2*math.Min(q[i]-lower[i], upper[i]-q[i])/(upper[i]-lower[i]))
			}
			return least
		}
		q, got := make([]float64, m.NQ()), make([]float64, m.NQ())
		for range 50 {
			m.Random(rng, q)
			target := fk(q)
			if err := a.Centered(target, got); err != nil {
				t.Fatalf("%s: %v: %v", r.name, q, err)
			}
			if miss := distance(fk(got), target); !(miss < 1e-10) {
				t.Fatalf("%s: %v misses by %g", r.name, got, miss)
			}
			if spare(got) < spare(q)-1e-9 {
				t.Errorf("%s: %v spares %g, %v had %g", r.name, got, spare(got), q, spare(q))
			}
		}
	}
}

func BenchmarkAnalytic(b *testing.B) {
	for _, r := range arms {
		m, a := arm(b, r.name)
		q := make([]float64, m.NQ())
		lower, upper := make([]float64, m.NQ()), make([]float64, m.NQ())
		m.PositionLimits(lower, upper)
		for i := range q {
			q[i] = lower[i] + 0.6*(upper[i]-lower[i])
		}
		fk := poses(b, m)
		target := fk(q)
		redundancy := a.Redundancy(q)
		b.Run("solve/"+r.name, func(b *testing.B) {
			for b.Loop() {
				_, _ = a.Solve(target, redundancy)
			}
		})
		near := append([]float64(nil), q...)
		for i := range near {
			near[i] += 0.01
		}
		got := make([]float64, m.NQ())
		b.Run("nearest/"+r.name, func(b *testing.B) {
			for b.Loop() {
				_ = a.Nearest(target, near, got)
			}
		})
		b.Run("centered/"+r.name, func(b *testing.B) {
			for b.Loop() {
				_ = a.Centered(target, got)
			}
		})
	}
}
