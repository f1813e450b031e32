package planning_test

import (
	"slices"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/planningtest"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// TestRepairChecksLessThanANewPlan lets a ball appear in the way of the hand on solved paths, and compares how many configurations a repair and a new plan check. All
// paths must be free, and lead from start to goal.
func TestRepairChecksLessThanANewPlan(t *testing.T) {
	var shares []float64
	repaired, planned := 0, 0
	for _, set := range []string{"bookshelf_small", "bookshelf_thin", "cage"} {
		b := planningtest.New(t, "panda", set, 50_000)
		v := b.Planner.Verifier()
		simplifier := planning.NewSimplifier(v)
		for i := range b.Set.Problems {
			p, s := b.Problem(t, i)
			if !*p.Valid {
				continue
			}
			path, err := b.Planner.Plan(p.Start, p.Goal)
			if err != nil {
				continue
			}
			simplifier.Simplify(path)
			old := points(path)
			with := obstructed(t, b, s, old)
			if with == nil {
				continue
			}
			if err := v.Use(must(spheres.New(with))); err != nil {
				t.Fatal(err)
			}
			if !v.Free(p.Start) || !v.Free(p.Goal) {
				continue
			}
			b.Planner.Repair = true
			v.Checked = 0
			path, err = b.Planner.Plan(p.Start, p.Goal)
			b.Planner.Repair = false
			again := v.Checked
			if err == nil && (!v.Path(path) || !slices.Equal(path.At(0), p.Start) || !slices.Equal(path.At(path.Len()-1), p.Goal)) {
				t.Errorf("%s %d: the repaired path is not free or leads elsewhere", set, p.Index)
			}
			v.Checked = 0
			if _, other := b.Planner.Plan(p.Start, p.Goal); other != nil || err != nil {
				continue
			}
			repaired, planned = repaired+again, planned+v.Checked
			shares = append(shares, float64(again)/float64(v.Checked))
		}
	}
	slices.Sort(shares)
	t.Logf("%d paths: %d configurations checked by repairs, %d by new plans; share p50 %.2f, p95 %.2f", len(shares), repaired, planned, shares[len(shares)/2], shares[len(shares)*95/100])
	if len(shares) < 20 || shares[len(shares)/2] > 0.6 || repaired > planned*7/10 {
		t.Errorf("%d repairs check %.2f of a new plan", len(shares), shares[len(shares)/2])
	}
}

// points returns the points of a path.
func points(path *planning.Path) (list [][]float64) {
	for i := range path.Len() {
		list = append(list, slices.Clone(path.At(i)))
	}
	return list
}

// obstructed adds a ball where the hand is in the middle of a path; nil if the path has no points between its ends.
func obstructed(t *testing.T, b *planningtest.Bench, s *scene.Scene, path [][]float64) *scene.Scene {
	t.Helper()
	if len(path) < 3 {
		return nil
	}
	k := len(path) / 2
	middle := make([]float64, b.Space.Dim())
	b.Space.Interpolate(path[k-1], path[k], 0.5, middle)
	at := b.Pose(t, "panda_hand", middle).P
	return must(s.Add(scene.Object{Name: "ball", Pose: spatial.Translation(at), Parts: []geometry.Part{{Shape: must(geometry.NewSphere(0.03))}}}))
}

func TestRepairFollowsMovedEnds(t *testing.T) {
	s, start, goal := wall()
	p := must(planning.NewConnect(exact.New(s), joints(s), resolution, 3000))
	path := must(p.Plan(start, goal))
	before := points(path)
	p.Repair = true
	p.Verifier().Checked = 0
	// Nothing has changed: the same path, without a sample.
	path = must(p.Plan(start, goal))
	if p.Samples != 0 || !p.Verifier().Path(path) {
		t.Errorf("%d samples for a path that is still free", p.Samples)
	}
	// The robot has moved on along its path, and the goal beside it.
	on := make([]float64, 2)
	joints(s).Interpolate(before[0], before[1], 0.5, on)
	aside := []float64{goal[0], goal[1] + 0.2}
	path = must(p.Plan(on, aside))
	if p.Samples != 0 || !p.Verifier().Path(path) || !slices.Equal(path.At(0), on) || !slices.Equal(path.At(path.Len()-1), aside) {
		t.Errorf("%d samples from a point of the path to a goal beside it: %v", p.Samples, points(path))
	}
	if long := path.Length(joints(s)); long > length(joints(s), before)+0.3 {
		t.Errorf("the repaired path has the length %g", long)
	}
	// A bad goal keeps the path for the next plan.
	if _, err := p.Plan(start, []float64{2, 1}); err == nil {
		t.Error("a goal in the wall")
	}
	if must(p.Plan(start, goal)); p.Samples != 0 {
		t.Errorf("%d samples after a goal that was refused", p.Samples)
	}
	testkit.NoAllocs(t, 5, func() {
		must(p.Plan(on, aside))
		must(p.Plan(start, goal))
	})
}

func length(s space.Space, path [][]float64) (sum float64) {
	for i := 1; i < len(path); i++ {
		sum += s.Distance(path[i-1], path[i])
	}
	return sum
}
