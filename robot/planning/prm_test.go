package planning_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

// TestRoadmapIsCheckedAgainWhenObstaclesMove saves a roadmap and plans with it among other obstacles.
func TestRoadmapIsCheckedAgainWhenObstaclesMove(t *testing.T) {
	for _, name := range []string{"prm", "lazy-prm", "prm-star"} {
		t.Run(name, func(t *testing.T) {
			s, start, goal := wall()
			create := func() *planning.PRM {
				p := must(kind(t, name).New(exact.New(s), joints(s), resolution, 2000)).(*planning.PRM)
				improve(p, 500)
				return p
			}
			first := create()
			must(first.Plan(start, goal))
			fresh := first.Verifier().Checked
			var file bytes.Buffer
			if err := first.Save(&file); err != nil {
				t.Fatal(err)
			}
			text := file.String()

			second := create()
			second.Iterations = 0
			if err := second.Load(strings.NewReader(text)); err != nil {
				t.Fatal(err)
			}
			must(second.Plan(start, goal))
			if n := second.Verifier().Checked; n > fresh {
				t.Errorf("the loaded roadmap needs %d checks, a new one %d", n, fresh)
			}

			moved := slider(disc, 4, box("wall", 1.9, 1, 2.1, 4)) // the way above is closed, another is open
			third := create()
			if err := third.Load(strings.NewReader(text)); err != nil {
				t.Fatal(err)
			}
			if err := third.Verifier().Use(exact.New(moved)); err != nil {
				t.Fatal(err)
			}
			path := must(third.Plan([]float64{1, 2}, []float64{3, 2}))
			v := must(planning.NewVerifier(exact.New(moved), joints(moved), resolution))
			if !v.Path(path) {
				t.Error("a path of the loaded roadmap collides with the wall that moved")
			}
			// Back again, in the same planner.
			third.Forget()
			if err := third.Verifier().Use(exact.New(s)); err != nil {
				t.Fatal(err)
			}
			path = must(third.Plan(start, goal))
			if v := must(planning.NewVerifier(exact.New(s), joints(s), resolution)); !v.Path(path) {
				t.Error("a path of the forgotten roadmap collides")
			}
		})
	}
}

// kind returns a planner by its name.
func kind(t *testing.T, name string) planning.Kind {
	t.Helper()
	for _, k := range planning.Kinds() {
		if k.Name == name {
			return k
		}
	}
	t.Fatalf("no planner %q", name)
	return planning.Kind{}
}

func TestLoadRefusesWhatIsNoRoadmapOfTheSpace(t *testing.T) {
	s, _, _ := wall()
	p := must(planning.NewPRM(exact.New(s), joints(s), resolution, 3))
	for text, want := range map[string]string{
		``:                       "EOF",
		`{"values": ["x", "z"]}`: `its points have the values ["x" "z"], those of the space are ["x" "y"]`,
		`{"values": ["x", "y"], "points": [[1, 2], [3]]}`:                         "point 1 has 1 values, want 2",
		`{"values": ["x", "y"], "points": [[1, 9]]}`:                              "point 0 is outside the limits: y is 9",
		`{"values": ["x", "y"], "points": [[1, 2]], "edges": [[0, 1]]}`:           "edge 0 names point 1, there are 1",
		`{"values": ["x", "y"], "points": [[1, 2]], "edges": [[0, 0]]}`:           "edge 0 joins point 0 with itself",
		`{"values": ["x", "y"], "points": [[1, 2], [1, 2], [1, 2], [1, 2]]}`:      "it has 4 points, the planner has memory for 3",
		`{"values": ["x", "y"], "points": [[1, 2]], "edges": [[0, 1, 2], "two"]}`: "cannot unmarshal string",
	} {
		if err := p.Load(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func FuzzLoad(f *testing.F) {
	s, start, goal := wall()
	p := must(planning.NewPRM(exact.New(s), joints(s), resolution, 100))
	must(p.Plan(start, goal))
	var file bytes.Buffer
	if err := p.Save(&file); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add([]byte(`{"values": ["x", "y"], "points": [[1, 2], [3, 1]], "edges": [[0, 1], [1, 0]]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := p.Load(bytes.NewReader(text)); err != nil {
			return
		}
		p.Iterations = 10
		path, err := p.Plan(start, goal)
		if err == nil && !p.Verifier().Path(path) {
			t.Errorf("a path of the roadmap %s collides", text)
		}
		var again bytes.Buffer
		if err := p.Save(&again); err != nil {
			t.Error(err)
		}
	})
}
