package planning_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

// round is the length of the shortest way of the disc round the wall of [wall]: two tangents of quarter circles about the wall's upper corners, and
// the edge between.
func round() float64 {
	// From (1, 1) to the circle of radius disc about (1.9, 3), along it until it runs in x, then 0.2 m, and the same mirrored.
	d := math.Hypot(0.9, 2)
	tangent := math.Sqrt(d*d - disc*disc)
	arc := math.Atan2(2, 0.9) + math.Asin(disc/d) // direction of the tangent: it turns to 0
	return 2*(tangent+disc*arc) + 0.2
}

// TestOptimizersConform is the suite that every optimizer passes: in mazes the path stays free and keeps its ends, never gets longer, repeats a seed,
// and is free whenever it is stopped.
func TestOptimizersConform(t *testing.T) {
	for _, kind := range planning.Optimizers() {
		t.Run(kind.Name, func(t *testing.T) {
			r := testkit.Rand(t)
			for range 12 {
				m := newMaze(r, 5, 0.35)
				start, goal := r.IntN(25), r.IntN(25)
				if start == goal || m.steps(start, goal) < 0 {
					continue
				}
				plane := joints(m.scene(disc))
				p := must(planning.NewConnect(exact.New(m.scene(disc)), plane, resolution, 0))
				p.Seed = r.Uint64()
				fine := must(planning.NewVerifier(exact.New(m.scene(disc-0.002)), plane, resolution/8))
				optimizer := kind.New(p.Verifier(), p.Seed)
				var last []float64
				for _, limit := range []int{math.MaxInt, math.MaxInt, 0, 1, 5} {
					path := must(p.Plan(m.center(start), m.center(goal)))
					long := path.Length(plane)
					asked := 0
					optimizer.StopWith(func() bool { asked++; return asked > limit })
					optimizer.Simplify(path)
					if short := path.Length(plane); short > long+1e-9 || !fine.Path(path) {
						t.Errorf("seed %d: length %g after %g, free %t", p.Seed, short, long, fine.Path(path))
					}
					if !slices.Equal(path.At(0), m.center(start)) || !slices.Equal(path.At(path.Len()-1), m.center(goal)) {
						t.Errorf("the path leads from %v to %v", path.At(0), path.At(path.Len()-1))
					}
					if limit < math.MaxInt {
						continue
					}
					var flat []float64
					for i := range path.Len() {
						flat = append(flat, path.At(i)...)
					}
					if last != nil && !slices.Equal(flat, last) {
						t.Error("a seed gives two paths")
					}
					last = flat
				}
			}
			s, start, goal := wall()
			p := must(planning.NewConnect(exact.New(s), joints(s), resolution, 0))
			optimizer := kind.New(p.Verifier(), 0)
			testkit.NoAllocs(t, 5, func() { optimizer.Simplify(must(p.Plan(start, goal))) })
		})
	}
}

// TestAdvancedComesNearTheShortestLength compares with the closed form of a way round a wall.
func TestAdvancedComesNearTheShortestLength(t *testing.T) {
	s, start, goal := wall()
	p := must(planning.NewConnect(exact.New(s), joints(s), resolution, 0))
	for seed := range uint64(10) {
		p.Seed = seed
		path := must(p.Plan(start, goal))
		planning.NewAdvanced(p.Verifier()).Simplify(path)
		if l := path.Length(joints(s)); l > 1.03*round() || l < round()-0.01 {
			t.Errorf("seed %d: length %g, the shortest is %g", seed, l, round())
		}
	}
}

// TestSplineRoundsCorners compares the sharpest corner before and after.
func TestSplineRoundsCorners(t *testing.T) {
	s, start, goal := wall()
	p := must(planning.NewConnect(exact.New(s), joints(s), resolution, 0))
	path := must(p.Plan(start, goal))
	planning.NewSimplifier(p.Verifier()).Simplify(path)
	before := sharpest(path)
	planning.NewSpline(p.Verifier()).Simplify(path)
	if after := sharpest(path); after > before/2 {
		t.Errorf("the sharpest corner turns by %g rad, by %g before", after, before)
	}
}

// sharpest returns the largest angle between two edges, rad.
func sharpest(p *planning.Path) (angle float64) {
	for i := 2; i < p.Len(); i++ {
		a, b, c := p.At(i-2), p.At(i-1), p.At(i)
		turn := math.Atan2(c[1]-b[1], c[0]-b[0]) - math.Atan2(b[1]-a[1], b[0]-a[0])
		angle = max(angle, math.Abs(math.Remainder(turn, 2*math.Pi)))
	}
	return angle
}
