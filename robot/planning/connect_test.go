package planning_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
)

func read[T any](t testing.TB, parse func([]byte) (T, error), path string) T {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	v, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// bench is a robot with a set of problems and a planner for them.
type bench struct {
	base    *scene.Scene
	set     *scenario.Set
	space   *space.Joints
	planner *planning.Connect
}

func newBench(t testing.TB, robot, set string, nodes int) *bench {
	t.Helper()
	r := read(t, scenario.ReadRobot, testkit.SharedData(t, "planning", "robots", robot+".json"))
	b := &bench{set: read(t, scenario.ReadProblems, filepath.Join(testkit.SharedData(t, "planning", robot), set+".json"))}
	var err error
	if b.base, err = scene.New(r.Scene); err != nil {
		t.Fatal(err)
	}
	if b.space, err = space.NewJoints(b.base, b.set.Joints, nil); err != nil {
		t.Fatal(err)
	}
	if b.planner, err = planning.NewConnect(exact.New(b.base), b.space, 1.0/32, nodes); err != nil {
		t.Fatal(err)
	}
	return b
}

// problem prepares problem i and returns its scene.
func (b *bench) problem(t testing.TB, i int) (*scenario.Problem, *scene.Scene) {
	t.Helper()
	p := &b.set.Problems[i]
	s, err := b.base.Add(p.Objects...)
	if err != nil {
		t.Fatal(err)
	}
	e, err := spheres.New(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.planner.Verifier().Use(e); err != nil {
		t.Fatal(err)
	}
	return p, s
}

// TestPlansAreFreeByTheExactEngine solves problems of MotionBenchMaker with the sphere engine and verifies the simplified paths with the exact one.
func TestPlansAreFreeByTheExactEngine(t *testing.T) {
	for _, c := range []struct{ robot, set string }{{"panda", "table_pick"}, {"panda", "bookshelf_small"}, {"ur5", "table_under_pick"}} {
		b := newBench(t, c.robot, c.set, 20_000)
		simplifier := planning.NewSimplifier(b.planner.Verifier())
		for i := range min(20, len(b.set.Problems)) {
			p, s := b.problem(t, i)
			if !*p.Valid {
				continue
			}
			path, err := b.planner.Plan(p.Start, p.Goal)
			if err != nil {
				t.Errorf("%s %s %d: %v", c.robot, c.set, p.Index, err)
				continue
			}
			long := path.Length(b.space)
			simplifier.Simplify(path)
			v, err := planning.NewVerifier(exact.New(s), b.space, 1.0/32)
			if err != nil {
				t.Fatal(err)
			}
			if !v.Path(path) {
				t.Errorf("%s %s %d: the exact engine finds a collision on the path", c.robot, c.set, p.Index)
			}
			if !slices.Equal(path.At(0), p.Start) || !slices.Equal(path.At(path.Len()-1), p.Goal) {
				t.Errorf("%s %s %d: the path leads from %v to %v", c.robot, c.set, p.Index, path.At(0), path.At(path.Len()-1))
			}
			if short := path.Length(b.space); short > long+1e-9 || short < b.space.Distance(p.Start, p.Goal)-1e-9 {
				t.Errorf("%s %s %d: length %g after simplification, %g before it", c.robot, c.set, p.Index, short, long)
			}
		}
	}
}

func TestSecondPlanAllocatesNothing(t *testing.T) {
	b := newBench(t, "panda", "bookshelf_small", 20_000)
	simplifier := planning.NewSimplifier(b.planner.Verifier())
	p, _ := b.problem(t, 0)
	testkit.NoAllocs(t, 20, func() {
		path, err := b.planner.Plan(p.Start, p.Goal)
		if err != nil {
			t.Fatal(err)
		}
		simplifier.Simplify(path)
	})
}

func TestSameSeedGivesTheSamePath(t *testing.T) {
	b := newBench(t, "panda", "bookshelf_small", 20_000)
	paths := map[uint64][]float64{}
	for _, seed := range []uint64{0, 1, 0, 1} {
		p, _ := b.problem(t, 1)
		b.planner.Seed = seed
		path, err := b.planner.Plan(p.Start, p.Goal)
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
	b := newBench(t, "panda", "table_pick", 100)
	p, _ := b.problem(t, 0)
	outside, nan := slices.Clone(p.Start), slices.Clone(p.Goal)
	outside[1], nan[3] = 2.5, math.NaN()
	var limit *planning.LimitError
	if _, err := b.planner.Plan(outside, p.Goal); !errors.As(err, &limit) || limit.End != "start" || limit.Joint != "panda_joint2" {
		t.Errorf("start beyond a limit: %v", err)
	}
	if _, err := b.planner.Plan(p.Start, nan); !errors.As(err, &limit) || limit.End != "goal" || limit.Joint != "panda_joint4" {
		t.Errorf("goal of NaN: %v", err)
	}
	hit := slices.Clone(p.Goal)
	for hit[1] = b.space.Lower[1]; b.planner.Verifier().Free(hit) && hit[1] < b.space.Upper[1]; hit[1] += 0.05 {
	}
	var collision *planning.CollisionError
	if _, err := b.planner.Plan(p.Start, hit); !errors.As(err, &collision) || collision.End != "goal" || len(collision.Contacts) == 0 {
		t.Fatalf("goal in collision: %v", err)
	} else if pair := collision.Contacts[0].Pair; !strings.Contains(err.Error(), pair.String()) || collision.Contacts[0].Distance > 0 {
		t.Errorf("error %v", err)
	}
}

func TestPlanEndsWhenItIsStoppedOrItsMemoryIsFull(t *testing.T) {
	b := newBench(t, "panda", "bookshelf_small", 2)
	p, _ := b.problem(t, 0)
	if _, err := b.planner.Plan(p.Start, p.Goal); !errors.Is(err, planning.ErrNoPath) {
		t.Errorf("trees of 2 nodes: %v", err)
	}
	b = newBench(t, "panda", "bookshelf_small", 20_000)
	p, _ = b.problem(t, 0)
	asked := 0
	b.planner.Stop = func() bool { asked++; return asked == 5 }
	if _, err := b.planner.Plan(p.Start, p.Goal); !errors.Is(err, planning.ErrStopped) || b.planner.Samples != 4 {
		t.Errorf("stopped at the fifth question: %v after %d samples", err, b.planner.Samples)
	}
	b.planner.Stop, b.planner.Iterations = nil, 3
	if _, err := b.planner.Plan(p.Start, p.Goal); !errors.Is(err, planning.ErrNoPath) {
		t.Errorf("three samples: %v", err)
	}
}
