package ik_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// TestAnalyticFindsAllSolutionsOfPublishedArms sweeps the published arms: the solutions for the pose of a random configuration contain it, all reach the
// pose, none leaves the limits.
func TestAnalyticFindsAllSolutionsOfPublishedArms(t *testing.T) {
	for _, r := range arms {
		t.Run(r.name, func(t *testing.T) {
			m, a := arm(t, r.name)
			if a.Class() != r.class {
				t.Fatalf("class %v, want %v", a.Class(), r.class)
			}
			sweep(t, m, a, 1, 3000)
		})
	}
}

// TestAnalyticFindsAllSolutionsOfRandomArms sweeps arms of random geometry, link frames and tool.
func TestAnalyticFindsAllSolutionsOfRandomArms(t *testing.T) {
	for class := range ik.OffsetWrist + 1 {
		t.Run(class.String(), func(t *testing.T) {
			for seed := range uint64(40) {
				rng := rand.New(rand.NewPCG(seed, uint64(class)))
				m, a := compile(t, lineTree(rng, randomLines(rng, class)))
				if a.Class() != class {
					t.Fatalf("seed %d: class %v, want %v", seed, a.Class(), class)
				}
				sweep(t, m, a, seed, 100)
			}
		})
	}
}

func sweep(t *testing.T, m *multibody.Model, a *ik.Analytic, seed uint64, n int) {
	t.Helper()
	sweepLink(t, m, a, link(t, m, "tool"), seed, n)
}

func sweepLink(t *testing.T, m *multibody.Model, a *ik.Analytic, tool int, seed uint64, n int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 5))
	d := multibody.NewData(m)
	lower, upper := make([]float64, m.NQ()), make([]float64, m.NQ())
	m.PositionLimits(lower, upper)
	q, found := make([]float64, m.NQ()), make([]float64, m.NQ())
	var counts [9]int
	lost, singular := 0, 0
	for range n {
		m.Random(rng, q)
		copy(found, q) // the fingers, if any
		multibody.FK(d, q)
		target := d.Pose(tool)
		solutions, err := a.Solve(target, a.Redundancy(q))
		if err != nil {
			t.Fatalf("seed %d: %v: %v", seed, q, err)
		}
		counts[len(solutions)]++
		nearest, odd := math.Inf(1), false
		for i := range solutions {
			s := &solutions[i]
			a.Configuration(s, found)
			multibody.FK(d, found)
			if miss := distance(d.Pose(tool), target); !(miss < 1e-10) {
				t.Fatalf("seed %d: %v: solution %v misses by %.3g", seed, q, *s, miss)
			}
			gap := 0.0
			for j := range found {
				if found[j] < lower[j] || found[j] > upper[j] {
					t.Fatalf("seed %d: %v: solution %v out of limits", seed, q, *s)
				}
				gap = math.Max(gap, math.Abs(math.Remainder(found[j]-q[j], 2*math.Pi)))
			}
			if gap < nearest {
				nearest, odd = gap, s.Singular != 0
			}
			for k := range i {
				if solutions[k].Branch == s.Branch {
					t.Fatalf("seed %d: %v: branch %d twice", seed, q, s.Branch)
				}
			}
		}
		if odd {
			singular++
		}
		if nearest > 1e-9 && !odd {
			lost++
			if nearest > 1e-6 {
				t.Fatalf("seed %d: %v: nearest solution is %.3g away", seed, q, nearest)
			}
		}
	}
	if lost > n/100+1 {
		t.Errorf("seed %d: %d of %d configurations not recovered to 1e-9", seed, lost, n)
	}
	t.Logf("number of solutions: %v, %d to less than 1e-9, %d singular", counts, lost, singular)
}

// distance returns the largest difference of positions (m) or directions.
func distance(a, b spatial.Pose) float64 {
	worst := a.P.Sub(b.P).Norm()
	r := a.R.Sub(b.R)
	for i := range r {
		for _, x := range r[i] {
			worst = math.Max(worst, math.Abs(x))
		}
	}
	return worst
}

// TestAgreesWithSolver compares with the iterative search: what it finds for six axes is one of all solutions.
func TestAgreesWithSolver(t *testing.T) {
	for _, r := range arms {
		if r.class.Axes() != 6 {
			continue
		}
		m, a := arm(t, r.name)
		solver, fk := ik.NewSolver(m), poses(t, m)
		rng := rand.New(rand.NewPCG(9, 9))
		q, q0, found, same := make([]float64, 6), make([]float64, 6), make([]float64, 6), 0
		const rounds = 50
		for range rounds {
			m.Random(rng, q)
			m.Random(rng, q0)
			target := fk(q)
			if err := solver.Solve(q0, []ik.Task{ik.Reach(link(t, m, "tool"), target)}, found); err != nil {
				continue
			}
			solutions, err := a.Solve(target, 0)
			if err != nil {
				t.Fatalf("%s: %v: %v", r.name, q, err)
			}
			nearest := math.Inf(1)
			for _, s := range solutions {
				gap := 0.0
				for i := range found {
					gap = math.Max(gap, math.Abs(math.Remainder(s.Q[i]-found[i], 2*math.Pi)))
				}
				nearest = math.Min(nearest, gap)
			}
			if nearest < 1e-4 {
				same++
			}
		}
		if same < rounds*9/10 {
			t.Errorf("%s: only %d of %d solutions of the search are among all", r.name, same, rounds)
		}
	}
}
