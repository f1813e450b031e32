package plan_test

import (
	"math"
	"strings"
	"testing"
)

const example = "../../examples/plan/"

// hand returns the place of the hand of the arm in examples/plan, from its base, and how far it is tilted from the vertical about its joints: all but the first
// turn about one axis.
func hand(q []float64) (x, y, z, tilt float64) {
	r := 0.42*math.Sin(q[1]) + 0.36*math.Sin(q[1]+q[2])
	return r * math.Cos(q[0]), r * math.Sin(q[0]), 0.36 + 0.42*math.Cos(q[1]) + 0.36*math.Cos(q[1]+q[2]), q[1] + q[2] + q[3]
}

func solveArm(t *testing.T, args ...string) solution {
	t.Helper()
	return solve(t, 0, append([]string{example + "arm.urdf", "--srdf", example + "arm.srdf"}, args...)...)
}

func TestGoalIsAPoseOrARegionOfTheTool(t *testing.T) {
	s := solveArm(t, "--start", "0,0.5,1,0", "--goal-pose", "0.3,0.3,0.5")
	x, y, z, _ := hand(s.Path[len(s.Path)-1])
	if off := math.Hypot(math.Hypot(x-0.3, y-0.3), z-0.5); !s.Verified || off > 1e-6 || len(s.Goal) != 4 {
		t.Errorf("the hand is %g m off its goal: %+v", off, s)
	}
	if note := s.Notes[0]; !strings.HasSuffix(note, "configurations of the joints bring hand to its goal") {
		t.Errorf("note %q", note)
	}
	s = solveArm(t, "--scene", example+"wall.scene", "--start", "-0.6,1,0.5,0", "--goal-pose", "0.5,0.4,0.4", "--goal-size", "0.05,0.04,0.03", "--planner", "aorrtc", "--time", "1s")
	x, y, z, _ = hand(s.Path[len(s.Path)-1])
	if !s.Verified || math.Abs(x-0.5) > 0.05+1e-6 || math.Abs(y-0.4) > 0.04+1e-6 || math.Abs(z-0.4) > 0.03+1e-6 {
		t.Errorf("the hand is at %g, %g, %g: %+v", x, y, z, s)
	}
	// A pose with its orientation, of a tool that sticks out: pitched by raise + bend + roll, turned by turn.
	s = solveArm(t, "--start", "0,0.5,1,0", "--goal-pose", "0.5,0,0.3,0,1.5707963267948966,0", "--tool", "hand:0,0,0.1")
	x, y, z, tilt := hand(s.Path[len(s.Path)-1])
	if off := math.Hypot(math.Hypot(x-0.4, y), z-0.3); !s.Verified || off > 1e-6 || math.Abs(tilt-math.Pi/2) > 1e-6 {
		t.Errorf("the hand is %g m off its goal and tilted by %g: %+v", off, tilt, s)
	}
}

// An arm keeps its posture where it can: the path ends at the same configuration with each planner and seed, from which the hand can go on.
func TestPathEndsAtTheNearestConfiguration(t *testing.T) {
	for _, planner := range []string{"rrt-connect", "rrt-connect-near", "rrt-con-con"} {
		for _, seed := range []string{"0", "1", "2", "3"} {
			s := solve(t, 0, "../../models/ur5e/ur5e.urdf", "--scene", "../../examples/arm/wall.scene", "--start", "shoulder_pan_joint=0.245169,shoulder_lift_joint=-1.385847,elbow_joint=2.005126,wrist_1_joint=-2.190076,wrist_2_joint=-1.570796,wrist_3_joint=-1.325627",
				"--goal-pose", "0.45,-0.25,0.15,3.14159,0,0", "--tool", "tool0:0,0,0.103", "--planner", planner, "--seed", seed)
			away := 0.0
			for i, q := range []float64{-0.77, -1.39, 2.01, -2.19, -1.57, -2.34} {
				away = max(away, math.Abs(s.Goal[i]-q))
			}
			if !s.Verified || away > 0.01 {
				t.Errorf("%s, seed %s: the path ends at %v", planner, seed, s.Goal)
			}
		}
	}
}

func TestToolGoesStraightToItsPose(t *testing.T) {
	s := solveArm(t, "--start", "0,0.5,1,0", "--goal-pose", "0.5,0,0.4", "--line", "--timed", "2,10,500")
	if s.Planner != "line" || !s.Verified || s.Motion == nil || s.Motion.Failure != "" {
		t.Fatalf("%+v", s)
	}
	x0, _, z0, tilt0 := hand(s.Start)
	length := math.Hypot(0.5-x0, 0.4-z0)
	for k, q := range s.Motion.Positions {
		x, y, z, tilt := hand(q)
		off := math.Abs((x-x0)*(0.4-z0)-(z-z0)*(0.5-x0)) / length
		if off > 1e-3 || math.Abs(y) > 1e-3 || math.Abs(tilt-tilt0) > 1e-2 {
			t.Errorf("%g m off the line and turned by %g after %g s", off, tilt-tilt0, s.Motion.Times[k])
		}
	}
	x, _, z, _ := hand(s.Motion.Positions[len(s.Motion.Positions)-1])
	if math.Hypot(x-0.5, z-0.4) > 1e-6 {
		t.Errorf("the hand ends at %g, %g", x, z)
	}
}

// TestToolKeepsWhatTheFlagStates measures the tool along timed motions around a wall, and along the edges of a path.
func TestToolKeepsWhatTheFlagStates(t *testing.T) {
	for keep, off := range map[string]func(q, start []float64) float64{
		"upright": func(q, start []float64) float64 {
			_, _, _, tilt := hand(q)
			_, _, _, before := hand(start)
			return math.Abs(tilt-before) / 10 // 0.01 rad and 1 mm
		},
		"plane:z": func(q, start []float64) float64 {
			_, _, z, _ := hand(q)
			_, _, before, _ := hand(start)
			return math.Abs(z - before)
		},
	} {
		s := solveArm(t, "--scene", example+"wall.scene", "--start", "-0.6,1,0.5,0", "--goal", "0.6,1,0.5,0", "--keep", keep, "--timed", "2,10,500")
		if !s.Verified || s.Waypoints < 3 || s.Motion == nil || !strings.Contains(s.Motion.Report, "hand keeps its constraint within 1 mm and 0.01 rad at all times") {
			t.Fatalf("%s: %+v", keep, s)
		}
		for k, q := range s.Motion.Positions {
			if x := off(q, s.Start); x > 1e-3 {
				t.Errorf("%s: %g off after %g s", keep, x, s.Motion.Times[k])
			}
		}
		for i := 1; i < len(s.Path); i++ {
			middle := make([]float64, len(s.Start))
			for k := range middle {
				middle[k] = (s.Path[i-1][k] + s.Path[i][k]) / 2
			}
			if x := off(middle, s.Start); x > 1e-3 {
				t.Errorf("%s: %g off on edge %d", keep, x, i)
			}
		}
	}
	s := solveArm(t, "--start", "0,0.5,1,0", "--goal-pose", "0.3,0.3,0.5", "--keep", "upright")
	x, y, z, tilt := hand(s.Path[len(s.Path)-1])
	if off := math.Hypot(math.Hypot(x-0.3, y-0.3), z-0.5); !s.Verified || off > 1e-6 || math.Abs(tilt-1.5) > 1e-2 {
		t.Errorf("the hand is %g m off its goal and tilted by %g: %+v", off, tilt, s)
	}
}
