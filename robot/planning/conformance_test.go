package planning_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

// counting is an engine that remembers what it was asked.
type counting struct {
	scene.Engine
	asked        map[[2]float64]bool
	repeated     int // configurations asked again
	row, longest int // of them, asked in turn: the last ones, and the most
}

func (c *counting) Collide(q []float64) (scene.Pair, bool, error) {
	at := [2]float64{math.Round(q[0] * 1e9), math.Round(q[1] * 1e9)}
	if c.asked[at] {
		c.repeated++
		c.row++
		c.longest = max(c.longest, c.row)
	} else {
		c.row = 0
	}
	c.asked[at] = true
	return c.Engine.Collide(q)
}

const resolution = 1.0 / 32

// TestPlannersConform is the suite that every planner passes.
func TestPlannersConform(t *testing.T) {
	for _, kind := range planning.Kinds() {
		t.Run(kind.Name, func(t *testing.T) {
			t.Run("solves mazes that have a solution, and no others", func(t *testing.T) { solveMazes(t, kind) })
			t.Run("refuses bad ends", func(t *testing.T) { refuseBadEnds(t, kind) })
			t.Run("repeats a seed without allocations", func(t *testing.T) { repeatSeed(t, kind) })
			t.Run("stops with the best so far", func(t *testing.T) { stop(t, kind) })
			t.Run("counts the sample that ends a search", func(t *testing.T) { countLast(t, kind) })
		})
	}
}

// solveMazes compares planners with an exhaustive search of the cells. Solutions are verified eight times as finely, with a ball smaller by what a
// coarse check may miss at a corner. No planner checks an edge twice: where edges cross, they may ask for the same configuration,
// but hardly ever, and not for three in turn.
func solveMazes(t *testing.T, kind planning.Kind) {
	r := testkit.Rand(t)
	solved, unsolved := 0, 0
	for solved < 6 || unsolved < 2 {
		m := newMaze(r, 5, 0.35)
		s := m.scene(disc)
		start, goal := r.IntN(25), r.IntN(25)
		steps := m.steps(start, goal)
		if start == goal || steps >= 0 && solved == 6 || steps < 0 && unsolved == 2 {
			continue
		}
		engine := &counting{Engine: exact.New(s), asked: map[[2]float64]bool{}}
		p, err := kind.New(engine, joints(s), resolution, 0)
		if err != nil {
			t.Fatal(err)
		}
		c := p.Common()
		improve(p, 1000)
		c.Seed, c.Sampler = r.Uint64(), &space.Uniform{} // Halton repeats directions
		if steps < 0 {
			unsolved++
			c.Iterations = 1500
			if _, err := p.Plan(m.center(start), m.center(goal)); !errors.Is(err, planning.ErrNoPath) {
				t.Errorf("a maze without a solution: %v", err)
			}
			continue
		}
		solved++
		path, err := p.Plan(m.center(start), m.center(goal))
		if err != nil {
			t.Errorf("seed %d, from %d to %d in %d steps: %v", c.Seed, start, goal, steps, err)
			continue
		}
		if n := engine.repeated; (n > len(engine.asked)/200 || engine.longest > 2) && kind.Name != "portfolio" { // its planners do not know of one another
			t.Errorf("seed %d from %v to %v: %d of %d configurations are asked more than once, %d of them in turn", c.Seed, m.center(start), m.center(goal), n, len(engine.asked), engine.longest)
		}
		small := m.scene(disc - 0.002)
		fine := must(planning.NewVerifier(exact.New(small), joints(small), resolution/8))
		if !fine.Path(path) {
			t.Errorf("seed %d: the path from %d to %d collides", c.Seed, start, goal)
		}
		if !slices.Equal(path.At(0), m.center(start)) || !slices.Equal(path.At(path.Len()-1), m.center(goal)) {
			t.Errorf("the path leads from %v to %v", path.At(0), path.At(path.Len()-1))
		}
	}
}

// improve limits the samples after the first path, if p improves paths.
func improve(p planning.Planner, samples int) (improves bool) {
	switch p := p.(type) {
	case *planning.PRM:
		p.Improve = min(p.Improve, samples)
		return p.Improve > 0
	case *planning.RRTStar:
		p.Improve = samples
		return true
	case *planning.EIT:
		p.Improve = samples
		return true
	case *planning.AORRTC:
		p.Improve = samples
		return true
	}
	return false
}

// TestOptimalPlannersConvergeToTheShortestLength compares planners that improve their paths with the closed form of the way round a wall, by the mean of five
// seeds: a single one may be far off.
func TestOptimalPlannersConvergeToTheShortestLength(t *testing.T) {
	s, start, goal := wall()
	optimal := 0
	for _, kind := range planning.Kinds() {
		p := must(kind.New(exact.New(s), joints(s), resolution, 0))
		if !improve(p, 1) {
			continue
		}
		optimal++
		last := math.Inf(1)
		for _, samples := range []int{100, 1000, 4000} {
			const seeds = 5
			mean := 0.0
			for seed := range uint64(seeds) {
				p := must(kind.New(exact.New(s), joints(s), resolution, 0))
				improve(p, samples)
				p.Common().Seed = seed
				l := must(p.Plan(start, goal)).Length(joints(s))
				if l < round()-0.01 {
					t.Errorf("%s: length %g, the shortest is %g", kind.Name, l, round())
				}
				mean += l / seeds
			}
			if mean > last {
				t.Errorf("%s: mean length %g after %d samples, %g after fewer", kind.Name, mean, samples, last)
			}
			last = mean
		}
		if last > 1.02*round() {
			t.Errorf("%s: mean length %g, the shortest is %g", kind.Name, last, round())
		}
	}
	if optimal < 3 {
		t.Errorf("%d planners improve their paths", optimal)
	}
}

func refuseBadEnds(t *testing.T, kind planning.Kind) {
	s := slider(disc, 3, box("block", 1, 1, 2, 2))
	p := must(kind.New(exact.New(s), joints(s), resolution, 100))
	free := []float64{0.5, 0.5}
	var limit *planning.LimitError
	if _, err := p.Plan([]float64{0.5, 3.1}, free); !errors.As(err, &limit) || limit.End != "start" || limit.Joint != "y" || limit.Value != 3.1 || limit.Upper != 3 {
		t.Errorf("start beyond a limit: %v", err)
	}
	if _, err := p.Plan(free, []float64{math.NaN(), 0}); !errors.As(err, &limit) || limit.End != "goal" || limit.Joint != "x" {
		t.Errorf("goal of NaN: %v", err)
	}
	var collision *planning.CollisionError
	if _, err := p.Plan(free, []float64{0.95, 1.5}); !errors.As(err, &collision) || collision.End != "goal" ||
		!strings.Contains(err.Error(), "the goal is in collision: ball and block overlap by 50 mm") {
		t.Errorf("goal in collision: %v", err)
	}
	if path, err := p.Plan(free, free); err != nil || path.Length(joints(s)) != 0 {
		t.Errorf("no way to go: %v", err)
	}
}

// wall returns a scene whose ball has to go round a wall.
func wall() (s *scene.Scene, start, goal []float64) {
	return slider(disc, 4, box("wall", 1.9, 0, 2.1, 3)), []float64{1, 1}, []float64{3, 1}
}

func repeatSeed(t *testing.T, kind planning.Kind) {
	s, start, goal := wall()
	p := must(kind.New(exact.New(s), joints(s), resolution, 3000))
	c := p.Common()
	improve(p, 300)
	paths := map[uint64][]float64{}
	for _, seed := range []uint64{7, 8, 7, 8} {
		c.Seed = seed
		var flat []float64
		path, err := p.Plan(start, goal)
		if err != nil {
			t.Fatal(err)
		}
		for i := range path.Len() {
			flat = append(flat, path.At(i)...)
		}
		if last := paths[seed]; last != nil && !slices.Equal(last, flat) {
			t.Errorf("seed %d gives two paths", seed)
		}
		paths[seed] = flat
	}
	if slices.Equal(paths[7], paths[8]) {
		t.Error("two seeds give the same path")
	}
	testkit.NoAllocs(t, 3, func() {
		if _, err := p.Plan(start, goal); err != nil {
			t.Fatal(err)
		}
	})
}

// stop stops plans after each number of questions up to 20. Whatever path is returned is free, begins at the start and is marked unless it is a solution.
func stop(t *testing.T, kind planning.Kind) {
	s, start, goal := wall()
	v := must(planning.NewVerifier(exact.New(s), joints(s), resolution))
	p := must(kind.New(exact.New(s), joints(s), resolution, 3000))
	for limit := range 20 {
		asked := 0
		p.Common().Stop = func() bool { asked++; return asked > limit }
		path, err := p.Plan(start, goal)
		if err != nil && !errors.Is(err, planning.ErrStopped) {
			t.Fatalf("stopped at question %d: %v", limit, err)
		}
		if limit == 0 && (err == nil || path == nil) {
			t.Errorf("stopped at once: path %v, %v", path, err)
		}
		if path == nil {
			continue
		}
		if !slices.Equal(path.At(0), start) || !v.Path(path) {
			t.Errorf("stopped at question %d: the path begins at %v", limit, path.At(0))
		}
		if reached := slices.Equal(path.At(path.Len()-1), goal); reached != (err == nil) {
			t.Errorf("stopped at question %d: path to the goal %t, %v", limit, reached, err)
		}
	}
}

// countLast plans again with as many samples as a plan has needed: they suffice. With one less a tree does not reach the goal; roadmaps are searched for each batch.
func countLast(t *testing.T, kind planning.Kind) {
	s := slider(disc, 4, box("post", 1.9, 0.9, 2.1, 1.1)) // a few samples lead around it
	start, goal := []float64{1, 1}, []float64{3, 1}
	p := must(kind.New(exact.New(s), joints(s), resolution, 3000))
	c := p.Common()
	improve(p, 0)
	for c.Seed = range uint64(30) {
		c.Iterations = planning.DefaultIterations
		must(p.Plan(start, goal))
		n := c.Samples
		if p.(planning.Grower).Vertices() == 0 {
			t.Errorf("seed %d: nothing to draw after %d samples", c.Seed, n)
		}
		c.Iterations = n
		if _, err := p.Plan(start, goal); n == 0 || err != nil || c.Samples != n {
			t.Errorf("seed %d: %d samples, then %d with no more: %v", c.Seed, n, c.Samples, err)
		}
		switch p.(type) {
		case *planning.PRM, *planning.EIT, *planning.Portfolio:
			continue
		}
		if c.Iterations = n - 1; n > 0 {
			if _, err := p.Plan(start, goal); !errors.Is(err, planning.ErrNoPath) || c.Samples != n-1 {
				t.Errorf("seed %d: with %d samples of %d: %v", c.Seed, c.Samples, n, err)
			}
		}
	}
}
