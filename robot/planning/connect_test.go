package planning_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/planningtest"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

func TestPlansAreFreeByTheExactEngine(t *testing.T) {
	for _, c := range []struct{ robot, set string }{{"panda", "table_pick"}, {"panda", "bookshelf_small"}, {"ur5", "table_under_pick"}} {
		b := planningtest.New(t, c.robot, c.set, 20_000)
		simplifier := planning.NewSimplifier(b.Planner.Verifier())
		for i := range min(20, len(b.Set.Problems)) {
			p, s := b.Problem(t, i)
			if !*p.Valid {
				continue
			}
			path, err := b.Planner.Plan(p.Start, p.Goal)
			if err != nil {
				t.Errorf("%s %s %d: %v", c.robot, c.set, p.Index, err)
				continue
			}
			long := path.Length(b.Space)
			simplifier.Simplify(path)
			v, err := planning.NewVerifier(exact.New(s), b.Space, 1.0/32)
			if err != nil {
				t.Fatal(err)
			}
			if !v.Path(path) {
				t.Errorf("%s %s %d: the exact engine finds a collision on the path", c.robot, c.set, p.Index)
			}
			if !slices.Equal(path.At(0), p.Start) || !slices.Equal(path.At(path.Len()-1), p.Goal) {
				t.Errorf("%s %s %d: the path leads from %v to %v", c.robot, c.set, p.Index, path.At(0), path.At(path.Len()-1))
			}
			if short := path.Length(b.Space); short > long+1e-9 || short < b.Space.Distance(p.Start, p.Goal)-1e-9 {
				t.Errorf("%s %s %d: length %g after simplification, %g before it", c.robot, c.set, p.Index, short, long)
			}
		}
	}
}

// TestSamplesNearNodesLeadOutOfPockets compares samples near nodes with those from everywhere, on goals in shelves: with three seeds together they need fewer than 0.7 of the samples.
func TestSamplesNearNodesLeadOutOfPockets(t *testing.T) {
	b := planningtest.New(t, "fetch", "bookshelf_small", 20_000)
	var samples [2]int
	for _, seed := range []uint64{0, 1, 2} {
		b.Planner.Seed, b.Planner.Iterations = seed, 20_000
		for i := 0; i < len(b.Set.Problems); i += 5 {
			if p, _ := b.Problem(t, i); *p.Valid {
				for k, near := range []bool{false, true} {
					b.Planner.Near = near
					if _, err := b.Planner.Plan(p.Start, p.Goal); err != nil && !errors.Is(err, planning.ErrNoPath) {
						t.Fatal(err)
					}
					samples[k] += b.Planner.Samples
				}
			}
		}
	}
	if float64(samples[1]) > 0.7*float64(samples[0]) {
		t.Errorf("%d samples near nodes, %d from everywhere", samples[1], samples[0])
	}
}

func TestSecondPlanAllocatesNothing(t *testing.T) {
	b := planningtest.New(t, "panda", "bookshelf_small", 20_000)
	simplifier := planning.NewSimplifier(b.Planner.Verifier())
	p, _ := b.Problem(t, 0)
	testkit.NoAllocs(t, 20, func() {
		path, err := b.Planner.Plan(p.Start, p.Goal)
		if err != nil {
			t.Fatal(err)
		}
		simplifier.Simplify(path)
	})
}

func TestSameSeedGivesTheSamePath(t *testing.T) {
	b := planningtest.New(t, "panda", "bookshelf_small", 20_000)
	paths := map[uint64][]float64{}
	for _, seed := range []uint64{0, 1, 0, 1} {
		p, _ := b.Problem(t, 1)
		b.Planner.Seed = seed
		path, err := b.Planner.Plan(p.Start, p.Goal)
		if err != nil {
			t.Fatal(err)
		}
		var flat []float64
		for i := range path.Len() {
			flat = append(flat, path.At(i)...)
		}
		if last := paths[seed]; last != nil && !slices.Equal(last, flat) {
			t.Errorf("seed %d gives two paths", seed)
		}
		paths[seed] = flat
	}
	if slices.Equal(paths[0], paths[1]) {
		t.Error("seeds 0 and 1 give the same path")
	}
}

func TestPlanRefusesBadEnds(t *testing.T) {
	b := planningtest.New(t, "panda", "table_pick", 100)
	p, _ := b.Problem(t, 0)
	outside, nan := slices.Clone(p.Start), slices.Clone(p.Goal)
	outside[1], nan[3] = 2.5, math.NaN()
	var limit *planning.LimitError
	if _, err := b.Planner.Plan(outside, p.Goal); !errors.As(err, &limit) || limit.End != "start" || limit.Joint != "panda_joint2" {
		t.Errorf("start beyond a limit: %v", err)
	}
	if _, err := b.Planner.Plan(p.Start, nan); !errors.As(err, &limit) || limit.End != "goal" || limit.Joint != "panda_joint4" {
		t.Errorf("goal of NaN: %v", err)
	}
	hit := slices.Clone(p.Goal)
	for hit[1] = b.Space.Lower[1]; b.Planner.Verifier().Free(hit) && hit[1] < b.Space.Upper[1]; hit[1] += 0.05 {
	}
	var collision *planning.CollisionError
	if _, err := b.Planner.Plan(p.Start, hit); !errors.As(err, &collision) || collision.End != "goal" || len(collision.Contacts) == 0 {
		t.Fatalf("goal in collision: %v", err)
	} else if pair := collision.Contacts[0].Pair; !strings.Contains(err.Error(), pair.String()) || collision.Contacts[0].Distance > 0 {
		t.Errorf("error %v", err)
	}
}

func TestPlanEndsWhenItIsStoppedOrItsMemoryIsFull(t *testing.T) {
	b := planningtest.New(t, "panda", "bookshelf_small", 2)
	p, _ := b.Problem(t, 0)
	if _, err := b.Planner.Plan(p.Start, p.Goal); !errors.Is(err, planning.ErrNoPath) {
		t.Errorf("trees of 2 nodes: %v", err)
	}
	b = planningtest.New(t, "panda", "bookshelf_small", 20_000)
	p, _ = b.Problem(t, 0)
	asked := 0
	b.Planner.Stop = func() bool { asked++; return asked == 5 }
	if _, err := b.Planner.Plan(p.Start, p.Goal); !errors.Is(err, planning.ErrStopped) || b.Planner.Samples != 4 {
		t.Errorf("stopped at the fifth question: %v after %d samples", err, b.Planner.Samples)
	}
	b.Planner.Stop, b.Planner.Iterations = nil, 3
	if _, err := b.Planner.Plan(p.Start, p.Goal); !errors.Is(err, planning.ErrNoPath) {
		t.Errorf("three samples: %v", err)
	}
}

// TestPlanReachesOneOfSeveralGoals plans to sets of goals of which some are not free.
func TestPlanReachesOneOfSeveralGoals(t *testing.T) {
	b := planningtest.New(t, "panda", "bookshelf_small", 20_000)
	p, _ := b.Problem(t, 0)
	var goals [][]float64
	var hit []float64
	r := testkit.Rand(t)
	for len(goals) < 10 || hit == nil {
		q := make([]float64, b.Space.Dim())
		for i := range q {
			q[i] = r.Float64()
		}
		b.Space.Scale(q)
		if b.Planner.Verifier().Free(q) {
			goals = append(goals, q)
		} else {
			hit = q
		}
	}
	outside := slices.Clone(p.Goal)
	outside[0] = 10
	for _, set := range [][][]float64{{p.Goal}, {hit, p.Goal}, {outside, hit, goals[0]}, goals} {
		path, err := b.Planner.PlanToAny(p.Start, set...)
		if err != nil {
			t.Fatal(err)
		}
		end := path.At(path.Len() - 1)
		if !slices.Equal(path.At(0), p.Start) || !slices.ContainsFunc(set, func(g []float64) bool { return slices.Equal(g, end) }) || slices.Equal(end, hit) {
			t.Errorf("the path leads from %v to %v", path.At(0), end)
		}
		if !b.Planner.Verifier().Path(path) {
			t.Error("the path is not free")
		}
	}
	var collision *planning.CollisionError
	if _, err := b.Planner.PlanToAny(p.Start, hit, outside); !errors.As(err, &collision) || collision.End != "goal" {
		t.Errorf("no goal is free: %v", err)
	}
	testkit.NoAllocs(t, 20, func() {
		if _, err := b.Planner.PlanToAny(p.Start, goals...); err != nil {
			t.Fatal(err)
		}
	})
}
