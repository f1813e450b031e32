package program

import (
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// edit applies an edit, and returns the lines that differ as "old => new".
func edit(t *testing.T, text string, e Edit) (out string, differ []string) {
	t.Helper()
	b, err := e.Apply([]byte(text), "test.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	old, now := strings.Split(text, "\n"), strings.Split(string(b), "\n")
	if len(old) != len(now) {
		t.Fatalf("the text has %d lines, had %d:\n%s", len(now), len(old), b)
	}
	for i := range old {
		if old[i] != now[i] {
			differ = append(differ, old[i]+" => "+now[i])
		}
	}
	return string(b), differ
}

func TestEditChangesTheNumbersOfOnePointOnly(t *testing.T) {
	b, err := os.ReadFile("../../examples/arm/square.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	p := parse(t, text)
	k := 4 // moveL: {xyz: [100 mm, -100 mm, 0]} in a frame that is turned by 180°
	pose := p.Moves[k].Pose.Pose
	if _, differ := edit(t, text, Edit{Move: k, Pose: pose}); len(differ) != 0 {
		t.Errorf("an edit to the same place changes %q", differ)
	}
	pose.P = pose.P.Add(spatial.Vec3{X: 0.0123, Z: 0.05})
	out, differ := edit(t, text, Edit{Move: k, Pose: pose})
	if len(differ) != 1 || differ[0] != "  - moveL: {xyz: [100 mm, -100 mm, 0]} =>   - moveL: {xyz: [112.3 mm, -100 mm, -0.05]}" {
		t.Errorf("%q", differ)
	}
	if got := parse(t, out).Moves[k].Pose.P; got.Sub(pose.P).Norm() > 1e-6 {
		t.Errorf("the new text has the target at %v, want %v", got, pose.P)
	}
}

func TestEditTurnsAPoseAndMovesPointsOfArcsJointsAndWaypoints(t *testing.T) {
	text := `# ünits before a number count as characters
moves:
  - moveJ: [0, '-45 deg', 1.5]   # by joints
  - {moveL: {xyz: [0.1, 0, 0], rpy: [180 deg, 0, 0]}} # ö
  - moveC: {via: [0.2, 0.1, 0], xyz: [0.3, 0, 0]}
  - movePath: [[0, 0, 0], [1, "0.5", 30 deg]]
  - moveJ: {b: 10 deg}
  - dwell: 1
`
	turned := spatial.Pose{R: spatial.RPY(-179*degree, 0, 0.5), P: spatial.Vec3{X: 0.1}}
	joints := []JointValue{{Name: "a", Position: 0.25}, {Name: "b", Position: -30 * degree}, {Name: "c", Position: 1.5}}
	for _, x := range []struct {
		edit Edit
		want string
	}{
		{Edit{Move: 0, Joints: joints}, "  - moveJ: [0.25, '-30 deg', 1.5]   # by joints"},
		{Edit{Move: 1, Pose: turned}, "  - {moveL: {xyz: [0.1, 0, 0], rpy: [181 deg, 0, 0.5]}} # ö"},
		{Edit{Move: 2, Pose: turned, Via: true}, "  - moveC: {via: [0.1, 0, 0], xyz: [0.3, 0, 0]}"},
		{Edit{Move: 2, Pose: turned}, "  - moveC: {via: [0.2, 0.1, 0], xyz: [0.1, 0, 0]}"},
		{Edit{Move: 3, Point: 1, Joints: joints}, `  - movePath: [[0, 0, 0], [0.25, "-0.5236", 85.944 deg]]`},
		{Edit{Move: 4, Joints: joints}, "  - moveJ: {b: -30 deg}"},
	} {
		_, differ := edit(t, text, x.edit)
		if len(differ) != 1 || !strings.HasSuffix(differ[0], " => "+x.want) {
			t.Errorf("%+v: %q, want %q", x.edit, differ, x.want)
		}
	}
	_, err := Edit{Move: 5}.Apply([]byte(text), "test.yaml", nil)
	if err == nil || !strings.Contains(err.Error(), "test.yaml:8:5: edit the dwell (move 6): it goes nowhere") {
		t.Error(err)
	}
}

func TestEditRejectsWhatTheTextDoesNotState(t *testing.T) {
	files := fstest.MapFS{"plan.json": {Data: []byte(`{"joints": ["a"], "path": [[0], [1]]}`)}}
	for text, want := range map[string]string{
		"moves:\n  - movePath: plan.json\n":       "its waypoints are those of the file plan.json",
		"moves:\n  - movePath: [[0], [1]]\n":      "it has 2 waypoints, not 8",
		"moves:\n  - moveJ: [0, 1]\n":             "it has 2 positions, the robot 1 joints",
		"moves:\n  - moveJ: {b: 1}\n":             `the robot has no joint "b"`,
		"moves:\n  - moveL: {xyz: [0, 0]}\n":      "xyz wants a list of three numbers",
		"moves:\n  - set: {a: 1}\n":               "it goes nowhere",
		"moves:\n  - moveJ: ready\n":              `it goes to the state "ready" of the SRDF file: give positions or a pose in its place`,
		"moves:\n  - moveJ: [\"\\x30\"]\n":        "written in a way that cannot be edited here",
		"moves:\n  - moveL: {xyz: [0, 0, 0]}\nx:": "",
	} {
		_, err := Edit{Point: 7, Joints: []JointValue{{Name: "a", Position: 2}}}.Apply([]byte(text), "test.yaml", files)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	if nearTurn(-math.Pi, 3) != math.Pi {
		t.Error("the nearest turn to 3 rad of -π is π")
	}
}
