package plan

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

// libraryTest is a test of the Robotics Library: a plan, and at most how many vertices and edges it may need.
type libraryTest struct {
	Name, Planner, Kinematics, Scene, Unit string
	WorldTurn                              float64 `json:"world_turn"` // of the robot about z, deg
	Start, Goal                            []float64
	Duration                               float64 // s
	Vertices, Edges                        int
}

// scenario returns the test as a scenario of the library.
func (l *libraryTest) scenario() string {
	end := func(values []float64) (text string) {
		for _, x := range values {
			unit := ""
			if l.Unit != "" {
				unit = fmt.Sprintf(" unit=%q", l.Unit)
			}
			text += fmt.Sprintf("<q%s>%v</q>", unit, x)
		}
		return text
	}
	return fmt.Sprintf(`<rlplan><%[1]s><duration>%[2]v</duration><goal>%[3]s</goal><model>
<kinematics href=%[4]q><world><rotation><x>0</x><y>0</y><z>%[5]v</z></rotation><translation><x>0</x><y>0</y><z>0</z></translation></world></kinematics>
<model>0</model><scene href=%[6]q/></model><start>%[7]s</start><recursiveVerifier><delta unit="deg">1</delta></recursiveVerifier></%[1]s></rlplan>`,
		l.Planner, l.Duration, end(l.Goal), l.Kinematics, l.WorldTurn, l.Scene, end(l.Start))
}

// TestBenchMeetsTheExpectationsOfTheRoboticsLibrary plans what the library's own tests of PRM and EET plan. They expect a path, with at most 17 vertices
// of PRM, which are 15 samples and both ends, and 242 of EET on FCL, which are the start and the ends of what single samples grew. How long it takes is not tested.
func TestBenchMeetsTheExpectationsOfTheRoboticsLibrary(t *testing.T) {
	root := testkit.SharedData(t, "rl")
	text, err := os.ReadFile("testdata/roboticslibrary.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Tests []libraryTest }
	if err := json.Unmarshal(text, &file); err != nil || len(file.Tests) != 3 {
		t.Fatalf("%d tests, %v", len(file.Tests), err)
	}
	dir := t.TempDir()
	for _, folder := range []string{"rlkin", "rlmdl", "rlsg"} {
		if err := os.Symlink(filepath.Join(root, folder), filepath.Join(dir, folder)); err != nil {
			t.Skipf("SKIPPED: no links to the library's files: %v", err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "rlplan"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, l := range file.Tests {
		scenario := filepath.Join(dir, "rlplan", l.Name+".xml")
		if err := os.WriteFile(scenario, []byte(l.scenario()), 0o600); err != nil {
			t.Fatal(err)
		}
		b := &bench{optimizer: planning.Optimizers()[0], limit: time.Hour, repeat: 1}
		suites, err := b.read([]string{scenario})
		if err != nil {
			t.Fatal(err)
		}
		r, err := b.run(suites, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		p := &r.Problems[0]
		if r.Planner != l.Planner || p.Planner != l.Planner || !p.Solved || !p.Verified || p.Checked == 0 {
			t.Errorf("%s: %+v", l.Name, p)
		}
		vertices, edges := p.Vertices, p.Edges
		if l.Planner == "eet" {
			s := suites[0]
			planner, err := planning.NewEET(exact.New(s.scene), s.space, s.resolution, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := planner.Plan(s.problems[0].Start, s.problems[0].Goal); err != nil {
				t.Fatal(err)
			}
			vertices, edges = 1+planner.Grown, planner.Grown
		}
		if vertices > l.Vertices || edges > l.Edges {
			t.Errorf("%s: %d vertices and %d edges; the library expects at most %d and %d", l.Name, vertices, edges, l.Vertices, l.Edges)
		}
		t.Logf("%s: %d of %d vertices, %d samples, %d configurations checked", l.Name, vertices, l.Vertices, p.Samples, p.Checked)
	}
}
