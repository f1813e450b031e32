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
)

// solution is what programs read from `sinew plan --json`.
type solution struct {
	File, Robot, Planner, Engine, Failure string
	Resolution, Length                    float64
	Joints, Notes                         []string
	Start, Goal                           []float64
	Solved, Verified                      bool
	Waypoints                             int
	Path                                  [][]float64
	Motion                                *struct {
		Failure, Report string
		Duration        float64
		Proved          bool
		Times           []float64
		Positions       [][]float64
		Velocities      [][]float64
	}
}

// solve runs the verb.
func solve(t *testing.T, code int, args ...string) solution {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if got := cli.Execute(append([]string{"plan", "--json"}, args...), &stdout, &stderr); got != code {
		t.Fatalf("exit code %d, want %d: %s", got, code, stderr.String())
	}
	var s solution
	if err := json.Unmarshal(stdout.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestScenarioIsSolvedAroundTheWall(t *testing.T) {
	picture := filepath.Join(t.TempDir(), "path.svg")
	s := solve(t, 0, "../../examples/plan/gate/gate.xml", "--plot", picture)
	if s.Planner != "rrt-con-con" || s.Robot != "cart" || s.Engine != "exact" || s.Resolution != 0.01 || !s.Verified || len(s.Joints) != 2 {
		t.Errorf("%+v", s)
	}
	// The box of 0.2 m passes above the end of the wall at (±0.05, 1): no way is shorter than over (±0.15, 1.1).
	if least := 2*math.Hypot(0.85, 1.1) + 0.3; s.Length < least || s.Length > 1.2*least {
		t.Errorf("length %g, the shortest way has %g", s.Length, least)
	}
	if drawn, err := os.ReadFile(picture); err != nil || !bytes.Contains(drawn, []byte("gate.xml, rrt-con-con")) {
		t.Errorf("picture: %v", err)
	}
	if tunnel := solve(t, 0, "../../examples/plan/gate/gate.xml", "--planner", "eet"); tunnel.Planner != "eet" || !tunnel.Verified {
		t.Errorf("%+v", tunnel)
	}
	if again := solve(t, 0, "../../examples/plan/gate/gate.xml", "--planner", "rrt-connect", "--seed", "3"); again.Planner != "rrt-connect" || again.Length == s.Length {
		t.Errorf("another planner and seed gave the same path")
	}
}

func TestGroupsOfAPublishedRobotMove(t *testing.T) {
	panda := testkit.SharedData(t, "models", "example-robot-data", "robots", "panda_description")
	s := solve(t, 0, filepath.Join(panda, "urdf", "panda.urdf"), "--srdf", filepath.Join(panda, "srdf", "panda.srdf"),
		"--start", "default", "--goal", "default", "--joints", "arm_and_hand")
	if len(s.Joints) != 8 || s.Joints[7] != "panda_finger_joint1" {
		t.Errorf("the joints are %v", s.Joints)
	}
}

func TestRobotMovesBetweenItsEnds(t *testing.T) {
	arm := "../../examples/plan/arm.urdf"
	s := solve(t, 0, arm, "--srdf", "../../examples/plan/arm.srdf", "--start", "turn=-1", "--goal", "1,0.5,0,0")
	if s.Engine != "spheres" || s.Planner != "rrt-connect-near" || !s.Verified || s.Waypoints != 2 || s.Goal[1] != 0.5 || len(s.Notes) != 0 {
		t.Errorf("%+v", s)
	}
	if s = solve(t, 0, arm, "--start", "turn=-1,raise=0.3", "--goal", "turn=1", "--joints", "turn"); len(s.Joints) != 1 || s.Start[0] != -1 || len(s.Notes) != 1 {
		t.Errorf("%+v", s)
	}
	// groups and states as MoveIt's setup assistant writes them
	srdf := []string{arm, "--srdf", "../../examples/plan/arm.srdf", "--start", "left"}
	if s = solve(t, 0, append(srdf, "--goal", "turn=1,raise=0.5,bend=1", "--joints", "shoulder,roll")...); !slices.Equal(s.Joints, []string{"raise", "turn", "roll"}) ||
		!slices.Equal(s.Start, []float64{0.5, -1, 0}) || !s.Verified {
		t.Errorf("a group and a joint: %+v", s)
	}
	if s = solve(t, 0, append(srdf, "--goal", "turn=1,raise=0.5,bend=1", "--joints", "arm")...); len(s.Joints) != 4 || !s.Verified {
		t.Errorf("a chain: %+v", s)
	}
	// the wall of the example of package planning
	s = solve(t, 0, arm, "--srdf", "../../examples/plan/arm.srdf", "--scene", "../../examples/plan/wall.scene", "--start", "-0.6,1,0.5,0", "--goal", "0.6,1,0.5,0")
	if !s.Verified || s.Waypoints < 3 || s.Length > 3.5 {
		t.Errorf("around the wall: %+v", s)
	}
	direct := s.Length
	s = solve(t, 0, arm, "--srdf", "../../examples/plan/arm.srdf", "--scene", "../../examples/plan/wall.scene", "--start", "-0.6,1,0.5,0", "--goal", "0.6,1,0.5,0", "--clearance", "0.05")
	if !s.Verified || s.Length <= direct {
		t.Errorf("far around the wall %+v, near it %g", s, direct)
	}
	s = solve(t, 1, arm, "--srdf", "../../examples/plan/arm.srdf", "--scene", "../../examples/plan/wall.scene", "--start", "-0.6,1,0.5,0", "--goal", "0.6,1,0.5,0", "--clearance", "0.5")
	if s.Solved || !strings.Contains(s.Failure, "the start is in collision: ") {
		t.Errorf("nearer at the start than the clearance: %+v", s)
	}
	// the same wall as points
	s = solve(t, 0, arm, "--srdf", "../../examples/plan/arm.srdf", "--scene", "../../examples/plan/wall.pcd", "--point-radius", "0.025", "--start", "-0.6,1,0.5,0", "--goal", "0.6,1,0.5,0")
	if !s.Verified || s.Engine != "spheres" || s.Waypoints < 3 || s.Length > 3.5 || len(s.Notes) != 1 ||
		s.Notes[0] != "1146 points with a radius of 25 mm are obstacles; 2 more have no finite place and are dropped" {
		t.Errorf("around the points: %+v", s)
	}
	if s = solve(t, 1, arm, "--start", "turn=-1", "--goal", "turn=9"); s.Solved || !strings.Contains(s.Failure, "the goal is beyond a limit: turn is 9") {
		t.Errorf("%+v", s)
	}
}

// TestRobotsOfMeshesMove plans for robots whose links are meshes.
func TestRobotsWithoutCollisionGeometryArePlannedWithTheirVisuals(t *testing.T) {
	ends := []string{"--start=-0.19,0.14,-0.07,-1.49,-0.03,2.84,2.55,0.02", "--goal=0.24,0.19,-0.01,-1.36,-0.02,2.86,-0.76,0.02"}
	s := solve(t, 0, append(ends, "../../models/panda/panda.urdf", "--scene", "../../examples/plan/bookshelf.scene")...)
	if !s.Verified || s.Waypoints < 3 || !strings.Contains(strings.Join(s.Notes, "\n"), "panda has no collision geometry: its visuals are used instead") {
		t.Errorf("%+v", s)
	}
}

func TestPathsBecomeMotionsInTime(t *testing.T) {
	const example = "../../examples/plan/"
	picture := filepath.Join(t.TempDir(), "motion.svg")
	s := solve(t, 0, example+"arm.urdf", "--srdf", example+"arm.srdf", "--scene", example+"wall.scene", "--start", "-0.6,1,0.5,0", "--goal", "0.6,1,0.5,0",
		"--timed", example+"joint_limits.yaml", "--plot", picture)
	m := s.Motion
	if !s.Verified || m == nil || m.Failure != "" || s.Waypoints < 3 || len(m.Times) != len(m.Positions) || m.Times[len(m.Times)-1] != m.Duration {
		t.Fatalf("%+v", s)
	}
	if notes := strings.Join(s.Notes, "\n"); !strings.Contains(notes, "accelerations by 0.5, as") || !strings.Contains(notes, "states no jerk of roll: they reach their greatest acceleration in 0.1 s") {
		t.Errorf("notes %q", notes)
	}
	most := []float64{2, 2, 3, 3}            // rad/s, as the file states
	acceleration := []float64{5, 5, 7.5, 10} // rad/s², scaled by 0.5
	for k := range m.Times {
		for i, v := range m.Velocities[k] {
			if math.Abs(v) > most[i]+1e-9 {
				t.Errorf("joint %d moves at %g after %g s, its limit is %g", i, v, m.Times[k], most[i])
			}
			if k > 0 {
				if a := (v - m.Velocities[k-1][i]) / (m.Times[k] - m.Times[k-1]); math.Abs(a) > acceleration[i]+1e-6 {
					t.Errorf("joint %d accelerates by %g after %g s, its limit is %g", i, a, m.Times[k], acceleration[i])
				}
			}
		}
	}
	if first, last := m.Positions[0], m.Positions[len(m.Positions)-1]; math.Abs(first[0]+0.6)+math.Abs(last[0]-0.6) > 1e-9 {
		t.Errorf("the motion leads from %v to %v", first, last)
	}
	if drawn, err := os.ReadFile(picture); err != nil || !bytes.Contains(drawn, []byte("time")) {
		t.Errorf("picture: %v", err)
	}
}

func TestRobotsArePlannedWithTheSpheresOfXRDF(t *testing.T) {
	const example = "../../examples/plan/"
	spheres := filepath.Join(t.TempDir(), "arm.xrdf")
	var out, errs bytes.Buffer
	if code := cli.Execute([]string{"model", "spheres", example + "arm.urdf", "--tolerance", "0.02", "-o", spheres}, &out, &errs); code != 0 {
		t.Fatal(errs.String())
	}
	s := solve(t, 0, example+"arm.urdf", "--xrdf", spheres, "--scene", example+"wall.scene", "--start", "-0.6,1,0.5,0", "--goal", "0.6,1,0.5,0", "--timed", spheres)
	if m := s.Motion; !s.Verified || s.Engine != "spheres" || s.Waypoints < 3 || m == nil || m.Failure != "" {
		t.Errorf("%+v", s)
	}
	if code := cli.Execute([]string{"plan", example + "arm.urdf", "--xrdf", example + "arm.urdf", "--start", "turn=-0.6", "--goal", "turn=0.6"}, &out, &errs); code == 0 {
		t.Error("a URDF was read as XRDF")
	}
}

func TestRobotsOfMeshesMove(t *testing.T) {
	robots := testkit.SharedData(t, "models", "example-robot-data", "robots")
	s := solve(t, 0, filepath.Join(robots, "ur_description/urdf/ur5_robot.urdf"), "--start", "shoulder_lift_joint=-1.5,elbow_joint=1", "--goal", "shoulder_pan_joint=2,shoulder_lift_joint=-1,elbow_joint=-1")
	if s.Engine != "exact" || !s.Verified {
		t.Errorf("%+v", s)
	}
}

// TestRoboticsLibraryScenariosAreSolved runs the library's scenarios from their XML, with the planner that they name; in the maze, PRM takes 10 s.
func TestRoboticsLibraryScenariosAreSolved(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.SharedData(t, "rl", "rlplan"), "*.xml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		args := []string{file}
		if strings.HasSuffix(file, "maze_prm.mdl.sixDof.xml") {
			args = append(args, "--planner", "rrt-connect")
		}
		s := solve(t, 0, args...)
		if !s.Solved || !s.Verified || math.Abs(s.Resolution-math.Pi/180) > 1e-12 {
			t.Errorf("%s: %+v", filepath.Base(file), s)
		}
		if straight := strings.Contains(file, "puma"); (s.Waypoints == 2) != straight {
			t.Errorf("%s: %d waypoints", filepath.Base(file), s.Waypoints)
		}
	}
}

func TestPlanRefusesBadInput(t *testing.T) {
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "gate.xml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	arm, gate := "../../examples/plan/arm.urdf", "../../examples/plan/gate/gate.xml"
	scenario, err := os.ReadFile(gate)
	if err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs("../../examples/plan/gate")
	if err != nil {
		t.Fatal(err)
	}
	changed := func(from, to string) string {
		text := strings.NewReplacer(`href="`, `href="`+strings.Repeat("../", strings.Count(t.TempDir(), "/"))+here[1:]+"/").Replace(string(scenario))
		return write(strings.ReplaceAll(text, from, to))
	}
	for _, c := range []struct{ name, args, want string }{
		{"missing file", "none.xml", "none.xml: no such file"},
		{"no file", "benhc", "want one file, or the verb bench; did you mean"},
		{"robot without ends", arm, "is a robot: give --start and --goal"},
		{"scenario with ends", gate + " --start 1,2", "is a scenario and has its own robot, start and goal"},
		{"unknown planner", gate + " --planner rrt-conect", `there is no such planner; did you mean "rrt-connect"`},
		{"unknown planner in the file", changed("rrtConCon", "rrtFoo"), "the scenario asks for the planner rrt-foo, which does not exist; choose another one by --planner: rrt-connect-near, rrt-connect, "},
		{"start in the wall", changed("<start><q>-1</q>", "<start><q>0</q>"), "the start is in collision: box and room/wall overlap by 150 mm"},
		{"no time", gate + " --time 1ns", "no path was found within 1ns; give more time by --time"},
		{"limits of motions", gate + " --timed 1,2", "--timed 1,2: want the velocity, acceleration and jerk of each joint"},
		{"no limits of motions", gate + " --timed 1,0,2", "--timed 1,0,2: want the velocity, acceleration and jerk of each joint"},
		{"limits of another robot", gate + " --timed ../../examples/plan/joint_limits.yaml", `the robot has no joint "bend"`},
		{"missing limits", gate + " --timed none.yaml", "--timed none.yaml: "},
		{"unknown engine", gate + " --engine fast", "want spheres or exact"},
		{"engine of spheres", gate + " --engine spheres", `"box"`},
		{"unknown joint", arm + " --start tum=1 --goal turn=1", `--start: there is no joint "tum" with one coordinate; did you mean "turn"`},
		{"not a number", arm + " --start turn=a --goal turn=1", `--start: "turn=a": want joint=value`},
		{"too few values", arm + " --start 1,2 --goal turn=1", "--start has 2 values, the robot 4 joints"},
		{"state without SRDF", arm + " --start home --goal turn=1", "names of states need --srdf"},
		{"group that is none", arm + " --srdf ../../examples/plan/arm.srdf --start left --goal turn=1 --joints sholder",
			`--joints sholder: the robot has no joint and the SRDF file no group of that name; did you mean "shoulder"`},
		{"state that is none", arm + " --srdf ../../examples/plan/arm.srdf --start lft --goal turn=1", `the SRDF file has no state of that name; did you mean "left"`},
		{"missing scene", arm + " --scene none.scene --start turn=1 --goal turn=0", "--scene none.scene: open none.scene: no such file"},
		{"missing cloud", arm + " --scene none.pcd --start turn=1 --goal turn=0", "--scene none.pcd: "},
		{"points without a radius", arm + " --scene ../../examples/plan/wall.pcd --point-radius 0 --start turn=1 --goal turn=0", "--point-radius is 0: want a positive length"},
		{"clearance from nothing", arm + " --start turn=1 --goal turn=0 --clearance 0.01", "--clearance keeps away from the obstacles of --scene: add that"},
		{"clearance below zero", arm + " --scene ../../examples/plan/wall.scene --start turn=1 --goal turn=0 --clearance -1", "--clearance is -1: want a length from 0 to 1 m"},
		{"clearance on the page", arm + " --scene ../../examples/plan/wall.scene --console --clearance 0.01", "--clearance is not for the page of --console"},
		{"goal in a cloud", arm + " --srdf ../../examples/plan/arm.srdf --scene ../../examples/plan/wall.pcd --start turn=1 --goal 0,1.2,0,0", "the goal is in collision: "},
		{"scene of another frame", arm + " --scene ../../robot/scenario/testdata/scene_box.yaml --start turn=1 --goal turn=0", `its poses are in the frame "base_link": want "base"`},
		{"goal twice", arm + " --start turn=1 --goal turn=0 --goal-pose 0.3,0.3,0.5", "--goal-pose 0.3,0.3,0.5 and --goal turn=0: want one of them"},
		{"half a pose", arm + " --start turn=1 --goal-pose 0.3,0.3", "--goal-pose 0.3,0.3: want x,y,z in m, or x,y,z,roll,pitch,yaw"},
		{"pose out of reach", arm + " --start turn=1 --goal-pose 3,0,0.5", "the target is out of reach by 2.2"},
		{"size without a pose", arm + " --start turn=1 --goal turn=0 --goal-size 1,1,1", "--goal-size 1,1,1: want a --goal-pose"},
		{"size below zero", arm + " --start turn=1 --goal-pose 0.3,0.3,0.5 --goal-size 1,1,-1", "--goal-size 1,1,-1: want how far"},
		{"unknown tool", arm + " --start turn=1 --goal-pose 0.3,0.3,0.5 --tool hnd", `--tool hnd: the robot has no link "hnd"; did you mean "hand"`},
		{"tool without a use", arm + " --start turn=1 --goal turn=0 --tool hand", "--tool hand: it is the tool of --goal-pose, --keep or --carry"},
		{"an object that is not there", arm + " --start turn=1 --goal turn=0 --tool hand --scene ../../examples/plan/wall.scene --carry wal", `--carry wal: move object "wal": there is no object of that name; did you mean`},
		{"tool somewhere", arm + " --start turn=1 --goal-pose 0.3,0.3,0.5 --tool hand:1", "--tool 1: want x,y,z"},
		{"line to nowhere", arm + " --start turn=1 --goal turn=0 --line", "--line: want a --goal-pose"},
		{"line by a planner", arm + " --start 0,0.5,1,0 --goal-pose 0.5,0,0.4 --line --planner rrt", "--planner rrt: a line needs no planner"},
		{"line out of reach", arm + " --start 0,0.5,1,0 --goal-pose 3,0,0.4 --line", "move a tool along a line: it ends at 0."},
		{"line with a constraint", arm + " --start 0,0.5,1,0 --goal-pose 0.5,0,0.4 --line --keep upright", "leave --keep upright out"},
		{"unknown constraint", arm + " --start turn=1 --goal turn=0 --keep uprigth", `--keep uprigth: "uprigth": want upright, orientation, plane:x`},
		{"plane without an axis", arm + " --start turn=1 --goal turn=0 --keep plane", `"plane": want upright`},
		{"two planes", arm + " --start turn=1 --goal turn=0 --keep plane:x,line:y", "want at most one of upright and orientation, and at most one plane or line"},
		{"goal outside the constraint", arm + " --start 0,0.5,1,0 --goal 0,0.6,1,0 --keep plane:z", "the goal does not satisfy the constraint on hand: it is off by"},
		{"constraint and planner", arm + " --start 0,0.5,1,0 --goal 1,0.5,1,0 --keep plane:z --planner prm", "--planner prm: want one with two trees for --keep"},
		{"constraint and optimizer", arm + " --start 0,0.5,1,0 --goal 1,0.5,1,0 --keep plane:z --optimizer spline", "--optimizer spline: with --keep only shortcut"},
		{"tool of a scenario", gate + " --goal-pose 1,2,3", "leave --srdf, --xrdf, --scene, --joints, --start, --goal and the flags of its tool out"},
		{"tool on the page", arm + " --console --goal-pose 0.3,0.3,0.5", "where the tool is dragged: leave --tool"},
		{"picture", gate + " --plot path.jpg", "--plot path.jpg: want a file that ends in .svg or .png"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := cli.Execute(append([]string{"plan"}, strings.Fields(c.args)...), &stdout, &stderr)
			if code != 1 || !strings.Contains(stderr.String(), c.want) {
				t.Errorf("exit code %d, stderr %q; want %q", code, stderr.String(), c.want)
			}
		})
	}
}

// An SRDF file that has groups alone lists no pairs that may touch: they are found as without the file.
func TestSRDFWithGroupsAloneAllowsNeighboursToTouch(t *testing.T) {
	s := solve(t, 0, "../../models/panda/panda.urdf", "--srdf", "../../examples/arm/panda.srdf", "--joints", "arm",
		"--start", "panda_joint4=-2,panda_joint6=2", "--goal", "panda_joint1=0.5,panda_joint4=-2,panda_joint6=2")
	if !s.Solved || !strings.Contains(strings.Join(s.Notes, "\n"), "found by 10000 samples") {
		t.Errorf("%+v", s)
	}
}
