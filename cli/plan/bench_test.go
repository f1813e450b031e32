package plan_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/planning"
)

// output is what programs read from `sinew plan bench --json`.
type output struct {
	Robot, Planner, Engine, Note string
	Problems                     []struct {
		Set        string
		Index      int
		Planner    string
		Solved     bool
		Invalid    string
		Failure    string
		PlanUS     float64 `json:"plan_us"`
		SimplifyUS float64 `json:"simplify_us"`
		Length     float64
		Waypoints  int
		Samples    int
		Checked    int
		Vertices   int
		Edges      int
		Verified   bool
		Path       [][]float64
	}
	Summary struct {
		Solved, N, Invalid, Verified int
		PlanUS                       struct{ P50, P95 *float64 } `json:"plan_us"`
		TotalUS                      struct{ P50, P95 *float64 } `json:"total_us"`
		LengthP50                    *float64                    `json:"length_p50"`
	}
}

func run(t *testing.T, args ...string) output {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := cli.Execute(append([]string{"plan", "bench", "--json"}, args...), &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	var o output
	if err := json.Unmarshal(stdout.Bytes(), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestBenchReportsPathsAndInvalidProblems(t *testing.T) {
	example := func(file string) string { return "../../examples/plan/" + file }
	for _, engine := range []string{"spheres", "exact"} {
		o := run(t, example("shelf.json"), "--robot", example("arm.urdf"), "--srdf", example("arm.srdf"), "--engine", engine)
		if o.Robot != "arm" || o.Planner != "rrt-connect-near" || o.Engine != engine || o.Note != "" || len(o.Problems) != 3 {
			t.Fatalf("result %+v", o)
		}
		if s := o.Summary; s.Solved != 2 || s.N != 2 || s.Invalid != 1 || s.Verified != 2 || s.PlanUS.P50 == nil || s.LengthP50 == nil {
			t.Errorf("summary %+v", s)
		}
		for _, p := range o.Problems[:2] {
			length := 0.0
			for i := 1; i < len(p.Path); i++ {
				sum := 0.0
				for k := range p.Path[i] {
					d := p.Path[i][k] - p.Path[i-1][k]
					sum += d * d
				}
				length += math.Sqrt(sum)
			}
			testkit.Near(t, "length", p.Length, length, 1e-12)
			if !p.Solved || !p.Verified || p.Waypoints != len(p.Path) || p.Set != "shelf" || p.PlanUS <= 0 {
				t.Errorf("problem %+v", p)
			}
		}
		if first := o.Problems[0].Path[0]; !slices.Equal(first, []float64{0.35, 0.5, 1.3, -0.2}) {
			t.Errorf("the path starts at %v", first)
		}
		if p := o.Problems[2]; p.Solved || !strings.Contains(p.Invalid, "goal is in collision: forearm and divider overlap by 65 mm") {
			t.Errorf("problem in the shelf: %+v", p)
		}
	}
	if o := run(t, example("shelf.json"), "--robot", example("arm.urdf")); !strings.Contains(o.Note, "pairs of links are not checked, found by 10000 samples") {
		t.Errorf("note %q", o.Note)
	}
}

func TestBenchReportsTimedMotions(t *testing.T) {
	var stdout, stderr bytes.Buffer
	args := []string{"plan", "bench", "../../examples/plan/shelf.json", "--robot", "../../examples/plan/arm.urdf", "--srdf", "../../examples/plan/arm.srdf", "--timed", "2,10,500"}
	if code := cli.Execute(args, &stdout, &stderr); code != 0 || !strings.Contains(stdout.String(), "timed motions: 2 free, ") {
		t.Errorf("exit code %d: %s%s", code, stdout.String(), stderr.String())
	}
	stdout.Reset()
	var o struct {
		Problems []struct {
			Motion *struct{ US, Duration, Stops float64 }
		}
		Summary struct{ Motion struct{ Free, Proved int } }
	}
	if code := cli.Execute(append(args, "--json"), &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	} else if err := json.Unmarshal(stdout.Bytes(), &o); err != nil {
		t.Fatal(err)
	}
	if o.Summary.Motion.Free != 2 || o.Problems[2].Motion != nil {
		t.Errorf("summary %+v", o.Summary.Motion)
	}
	for _, p := range o.Problems[:2] {
		if m := p.Motion; m == nil || !(m.Duration > 0.5 && m.Duration <= m.Stops) || m.US <= 0 {
			t.Errorf("motion %+v", m)
		}
	}
}

// TestBenchRunsEveryPlanner solves the example with all planners and all optimizers.
func TestBenchRunsEveryPlanner(t *testing.T) {
	example := func(name string) string { return "../../examples/plan/" + name }
	for _, k := range planning.Kinds() {
		o := run(t, example("shelf.json"), "--robot", example("arm.urdf"), "--srdf", example("arm.srdf"), "--planner", k.Name, "--limit", "60s")
		if s := o.Summary; o.Planner != k.Name || s.Solved != 2 || s.N != 2 || s.Verified != 2 {
			t.Errorf("%s: summary %+v", k.Name, s)
		}
	}
	for _, k := range planning.Optimizers() {
		o := run(t, example("shelf.json"), "--robot", example("arm.urdf"), "--srdf", example("arm.srdf"), "--optimizer", k.Name)
		if s := o.Summary; s.Solved != 2 || s.Verified != 2 {
			t.Errorf("%s: summary %+v", k.Name, s)
		}
	}
	o := run(t, example("shelf.json"), "--robot", example("arm.urdf"), "--srdf", example("arm.srdf"), "--planner", "rrt", "--limit", "1ns")
	if s := o.Summary; s.Solved != 0 || s.N != 2 || !strings.Contains(o.Problems[0].Failure, "stopped before a path was found") {
		t.Errorf("without time: %+v", o)
	}
}

// TestBenchRunsScenariosByAllPlanners solves a scenario by the planner that it names, and by all, and reports how far each searched.
func TestBenchRunsScenariosByAllPlanners(t *testing.T) {
	const gate = "../../examples/plan/gate/gate.xml"
	if o := run(t, gate, gate); o.Planner != "rrt-con-con" || o.Robot != "cart" || len(o.Problems) != 2 || o.Problems[0].Set != "gate" || o.Problems[0].Planner != "rrt-con-con" {
		t.Errorf("%+v", o)
	}
	o := run(t, gate, "--planner", "all", "--limit", "1m")
	if o.Planner != "all" || len(o.Problems) != len(planning.Kinds()) {
		t.Fatalf("%d problems by %s", len(o.Problems), o.Planner)
	}
	for i, k := range planning.Kinds() {
		p := o.Problems[i]
		if p.Planner != k.Name || !p.Solved || !p.Verified || p.Checked == 0 || (p.Samples > 0) != (p.Vertices > 0) || p.Vertices > 0 && p.Edges < 1 {
			t.Errorf("%s: %+v", k.Name, p)
		}
	}
	var stdout, stderr bytes.Buffer
	if code := cli.Execute([]string{"plan", "bench", gate, "--planner", "all"}, &stdout, &stderr); code != 0 || !strings.Contains(stdout.String(), "\ngate                 lazy-prm-star            1/1 ") {
		t.Errorf("exit code %d: %s%s", code, stdout.String(), stderr.String())
	}
}

// TestBenchSolvesPanda solves two sets of MotionBenchMaker: each valid problem has a verified path.
func TestBenchSolvesPanda(t *testing.T) {
	robot := testkit.SharedData(t, "planning", "robots", "panda.json")
	problems := testkit.SharedData(t, "planning", "panda")
	o := run(t, filepath.Join(problems, "box.json"), filepath.Join(problems, "table_pick.json"), "--robot", robot)
	if s := o.Summary; o.Engine != "spheres" || s.N != 100 || s.Solved != 100 || s.Verified != 100 || *s.LengthP50 > 4.9 {
		t.Errorf("engine %s, summary %+v", o.Engine, s)
	}
}

func TestBenchRefusesBadInput(t *testing.T) {
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	arm, shelf, gate := "../../examples/plan/arm.urdf", "../../examples/plan/shelf.json", "../../examples/plan/gate/gate.xml"
	odds := t.TempDir()
	kin := write("slide.xml", `<rlkin/>`)
	for _, file := range []string{"cart.xml", "gate.sg.xml", "gate.wrl"} {
		text, err := os.ReadFile("../../examples/plan/gate/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(odds, file), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(gate)
	if err != nil {
		t.Fatal(err)
	}
	odd := filepath.Join(odds, "odd.xml")
	if err := os.WriteFile(odd, bytes.ReplaceAll(text, []byte("rrtConCon"), []byte("xY")), 0o600); err != nil {
		t.Fatal(err)
	}
	bare := write("bare.urdf", `<robot name="bare"><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>`)
	mesh := write("mesh.urdf", `<robot name="m"><link name="a"><collision><geometry><mesh filename="a.stl"/></geometry></collision></link></robot>`)
	pairs := write("wrong.srdf", `<robot name="arm"><disable_collisions link1="base" link2="sholder"/></robot>`)
	other := write("other.json", `{"set": "x", "joints": ["tum"], "problems": [{"index": 0, "start": [0], "goal": [1]}]}`)
	for _, c := range []struct{ name, args, want string }{
		{"no robot", shelf, `shelf.json has problems of a robot: name it by --robot FILE`},
		{"a scenario with a robot", gate + " --robot " + arm, "scenarios have robots of their own: leave --robot out"},
		{"no scenario", kin, "slide.xml is no scenario: want <rlplan>"},
		{"pairs without a robot", gate + " --srdf " + pairs, "--robot names, which is missing"},
		{"unknown planner of a scenario", odd, "odd.xml: the scenario asks for the planner x-y, which does not exist"},
		{"missing file", "none.json --robot " + arm, "none.json: no such file"},
		{"robot without geometry", shelf + " --robot " + bare, "none of its links has a shape"},
		{"robot of meshes", shelf + " --robot " + mesh, "read the mesh a.stl: "},
		{"pair of an unknown link", shelf + " --robot " + arm + " --srdf " + pairs, `names the link "sholder", which it does not have`},
		{"unknown joint", other + " --robot " + arm, `plan with joint "tum": no robot of the scene has it; did you mean "turn"`},
		{"not JSON", arm + " --robot " + arm, "line 1: "},
		{"unknown engine", shelf + " --engine fast --robot " + arm, "want spheres or exact"},
		{"unknown planner", shelf + " --planner rrt-conect --robot " + arm, `--planner rrt-conect: there is no such planner; did you mean "rrt-connect"?`},
		{"limits of motions", shelf + " --timed 1,2 --robot " + arm, "--timed 1,2: want the velocity, acceleration and jerk"},
		{"unknown optimizer", shelf + " --optimizer splin --robot " + arm, `there is no such optimizer; did you mean "spline"?`},
		{"no time", shelf + " --limit 0s --robot " + arm, "--limit 0s: want a time above 0"},
		{"no repetition", shelf + " --repeat 0 --robot " + arm, "want at least 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := cli.Execute(append([]string{"plan", "bench"}, strings.Fields(c.args)...), &stdout, &stderr)
			if code != 1 || !strings.Contains(stderr.String(), c.want) || stdout.Len() > 0 {
				t.Errorf("exit code %d, stderr %q; want %q", code, stderr.String(), c.want)
			}
		})
	}
}
