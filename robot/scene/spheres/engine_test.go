package spheres

import (
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/scenetest"
)

// paths returns what engines can use on this processor, plain Go among it.
func paths() map[string]*kernels {
	all := map[string]*kernels{"plain Go": nil}
	maps.Copy(all, levels())
	return all
}

func TestEngineConforms(t *testing.T) {
	for name, k := range paths() {
		t.Run(name, func(t *testing.T) {
			scenetest.Run(t, func(s *scene.Scene) (scene.Engine, error) {
				e, err := newEngine(s, k)
				if err == nil && (e.block != nil) != (k != nil) {
					t.Error("the engine takes the other path")
				}
				return e, err
			})
		})
	}
}

// TestBlocksAgreeWithConfigurations compares blocks of real robots among real obstacles with plain Go, a configuration at a time.
func TestBlocksAgreeWithConfigurations(t *testing.T) {
	if len(levels()) == 0 {
		t.Skip("SKIPPED: this processor has no kernels")
	}
	for level, k := range levels() {
		t.Run(level, func(t *testing.T) { blocksAgree(t, k) })
	}
}

func blocksAgree(t *testing.T, k *kernels) {
	r := testkit.Rand(t)
	for _, name := range []string{"panda", "ur5", "fetch"} {
		robot := readShared(t, scenario.ReadRobot, "robots", name+".json")
		base, err := scene.New(robot.Scene)
		if err != nil {
			t.Fatal(err)
		}
		hits, lines := 0, 0
		for _, set := range []string{"bookshelf_small", "bookshelf_tall", "bookshelf_thin", "box", "cage", "table_pick", "table_under_pick"} {
			problems := readShared(t, scenario.ReadProblems, name, set+".json").Problems
			for range 4 {
				s, err := base.Add(problems[r.IntN(len(problems))].Objects...)
				if err != nil {
					t.Fatal(err)
				}
				fast, err := newEngine(s, k)
				if err != nil {
					t.Fatal(err)
				}
				plain, err := newEngine(s, nil)
				if err != nil {
					t.Fatal(err)
				}
				if fast.block == nil {
					t.Fatalf("%s: the kernels do not serve it", name)
				}
				for range 100 {
					from, step, points := randomLine(r, s)
					if compare(t, fast, plain, from, step, points) {
						hits++
					}
					lines++
				}
			}
		}
		t.Logf("%s: %d of %d lines hit", name, hits, lines)
		if hits < lines/10 || hits > lines*9/10 {
			t.Errorf("%s: %d of %d lines hit: the sample is one-sided", name, hits, lines)
		}
	}
}

// TestLinesTakeNoMoreBlocksThanTheirPoints divides lines of any number of points: each point is in a part, and no lane more is checked than the last block needs.
func TestLinesTakeNoMoreBlocksThanTheirPoints(t *testing.T) {
	for _, lanes := range []int{8, 16} {
		for points := range 300 {
			end, total := 0, 0
			for part := range parts(points, lanes) {
				first, last, blocks := split(points, part, lanes)
				if first != end || blocks < 1 || blocks > 2 || last-first > blocks*lanes {
					t.Errorf("part %d of %d points has those from %d to %d in %d blocks of %d after the one that ends at %d", part, points, first, last, blocks, lanes, end)
				}
				end, total = last, total+blocks
			}
			if least := (points + lanes - 1) / lanes; end != points || total != least {
				t.Errorf("%d points: the parts end at %d and have %d blocks of %d, want %d", points, end, total, lanes, least)
			}
		}
	}
}

// randomLine returns a line in the limits: short, long, or a single configuration.
func randomLine(r *rand.Rand, s *scene.Scene) (from, step []float64, points int) {
	for _, m := range s.Models() {
		a, b := make([]float64, m.Model.NQ()), make([]float64, m.Model.NQ())
		m.Model.Random(r, a)
		m.Model.Random(r, b)
		from, step = append(from, a...), append(step, b...)
	}
	length := []float64{0, 0.05, 0.2, 1}[r.IntN(4)]
	for i := range step {
		step[i] = length * (step[i] - from[i])
	}
	return from, step, 1 + r.IntN(40)
}

// compare checks a line by both engines, which may disagree only as near to contact as the suite allows. It reports whether the line hits.
func compare(t *testing.T, fast, plain *Engine, from, step []float64, points int) bool {
	t.Helper()
	got, err := fast.CollideAlong(from, step, points, points)
	if err != nil {
		t.Fatal(err)
	}
	least := math.Inf(1) // least distance of all points, needed only where the engines disagree
	hit, err := plain.CollideAlong(from, step, points, points)
	if err != nil {
		t.Fatal(err)
	}
	if got != hit {
		q := make([]float64, len(from))
		for k := 1; k <= points; k++ {
			for i := range q {
				q[i] = from[i] + float64(k)/float64(points)*step[i]
			}
			c, err := plain.Distance(q)
			if err != nil {
				t.Fatal(err)
			}
			least = min(least, c.Distance)
		}
		if math.Abs(least) > scenetest.Contact {
			t.Errorf("line from %v by %v, %d points: hit %t, want %t; the least distance is %g", from, step, points, got, hit, least)
		}
	}
	return hit
}

func readShared[T any](t testing.TB, parse func([]byte) (T, error), path ...string) T {
	t.Helper()
	text, err := os.ReadFile(testkit.SharedData(t, append([]string{"planning"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	v, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
