package program

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// The test cases of the Pilz industrial motion planner, as numbers: github.com/moveit/moveit2 at 8fcb5d2, folder
// moveit_planners/pilz_industrial_motion_planner/test (BSD licence): test_data/frankaemika_panda/testdata_sequence.xml and the unit tests of its
// generators for PTP, LIN and CIRC, of its blender and of its list of commands. Theirs have trapezoids of speed, ours bounded jerk: where numbers
// are compared, the jerk is so large here that it does not matter.

// pilzPoint is a pose of panda_link8 with the joints that reach it.
type pilzPoint struct {
	joints []float64
	xyz    [3]float64
}

var (
	pilzZero  = []float64{0, -0.785, 0, -2.356, 0, 1.571, 0.785}
	pilzQuat  = spatial.Quat{X: 0.924138, Y: -0.382057}
	pilzPoses = map[string]pilzPoint{
		"P1": {[]float64{-0.022096, -0.753529, 0.007612, -1.716165, 0.0063464, 0.962660, 0.771123}, [3]float64{0.2, 0, 0.8}},
		"P2": {[]float64{-0.061035, -0.301221, 0.410282, -1.665777, 0.120602, 1.389535, 1.138547}, [3]float64{0.4, 0.2, 0.7}},
		"P3": {[]float64{0.0875228, -0.540765, 0.770139, -1.990062, 0.366596, 1.582282, 1.560837}, [3]float64{0.2, 0.4, 0.6}},
		"P4": {[]float64{0.164988, -0.805223, 0.304894, -2.020563, 0.230321, 1.247100, 1.238191}, [3]float64{0.2, 0.2, 0.7}},
	}
)

// pilzPanda returns the arm at one of their poses.
func pilzPanda(t *testing.T, at []float64) arm {
	a := readArm(t, "panda/panda.urdf", "panda_link8", at, "panda_finger_joint1=0.02")
	for i := range a.Limits {
		a.Limits[i].Jerk = 500
	}
	return a
}

// pilzProgram writes moves between their poses: P1 stands for xyz and rpy of that pose.
func pilzProgram(moves string) string {
	roll, pitch, yaw := pilzQuat.Mat3().RPY()
	for name, p := range pilzPoses {
		moves = strings.ReplaceAll(moves, "{"+name+"}", fmt.Sprintf("{xyz: [%v, %v, %v], rpy: [%v, %v, %v]}", p.xyz[0], p.xyz[1], p.xyz[2], roll, pitch, yaw))
		moves = strings.ReplaceAll(moves, "<"+name+">", fmt.Sprintf("xyz: [%v, %v, %v], rpy: [%v, %v, %v]", p.xyz[0], p.xyz[1], p.xyz[2], roll, pitch, yaw))
	}
	return "tools: {tip: {link: panda_link8}}\nmoves:\n" + moves
}

func TestPilzPosesAreReachedByTheirJoints(t *testing.T) {
	a := pilzPanda(t, pilzZero)
	for name, p := range pilzPoses {
		x := a.pose(p.joints)
		if off, turned := x.P.Sub(spatial.Vec3{X: p.xyz[0], Y: p.xyz[1], Z: p.xyz[2]}).Norm(), x.R.T().Mul(pilzQuat.Mat3()).Log().Norm(); off > 1e-4 || turned > 1e-3 {
			t.Errorf("%s: their joints are %g m and %g rad away from their pose", name, off, turned)
		}
	}
}

// testScalingFactor: three joints move by 1.5, 2 and 3 rad at 1 rad/s, accelerating with 0.5 and braking with 1 rad/s². We have one limit for both, so that
// their first 3 s are those of a motion with 0.5 rad/s² here, their last 1.5 s those of one with 1 rad/s².
func TestPilzPTPScalingCase(t *testing.T) {
	a := ur5(t)
	a.home = []float64{0, 0, 0.1, 0, 0, 0}
	for i := range a.Limits {
		a.Limits[i] = trajectory.Limits{Velocity: 2, Acceleration: 1, Jerk: 1e6}
	}
	const moves = "tools: {tip: {link: tool0}}\nmoves:\n  - moveJ: [1.5, 0, 2.1, 0, 0, 3]\n    speed: 50 %\n    acceleration: "
	up, down := compile(t, a, moves+"50 %\n"), compile(t, a, moves+"100 %\n")
	for _, x := range []struct {
		m        *Motion
		time     float64
		position [3]float64
		velocity [3]float64
	}{
		{up, 1, [3]float64{0.125, 1.0/6 + 0.1, 0.25}, [3]float64{0.25, 1.0 / 3, 0.5}},
		{up, 2, [3]float64{0.5, 2.0/3 + 0.1, 1}, [3]float64{0.5, 2.0 / 3, 1}},
		{up, 3, [3]float64{1, 4.0/3 + 0.1, 2}, [3]float64{0.5, 2.0 / 3, 1}},
		{down, 4 - 4.5, [3]float64{2.875 / 2, 5.75/3 + 0.1, 2.875}, [3]float64{0.25, 1.0 / 3, 0.5}},
		{down, 0, [3]float64{1.5, 2.1, 3}, [3]float64{}},
	} {
		at := x.time * reserve
		if x.m == down {
			at += x.m.Duration()
		}
		s := make([]trajectory.State, 6)
		x.m.At(at, s)
		for k, joint := range []int{0, 2, 5} {
			testkit.Near(t, fmt.Sprintf("joint %d at %g s", joint+1, x.time), s[joint].Position, x.position[k], 1e-5)
			testkit.Near(t, fmt.Sprintf("its velocity at %g s", x.time), s[joint].Velocity*reserve, x.velocity[k], 1e-5)
		}
		for _, joint := range []int{1, 3, 4} {
			testkit.Near(t, "a joint that rests", s[joint].Position, 0, 0)
		}
	}
	testkit.Near(t, "duration", (up.Duration()+down.Duration())/2/reserve, 4.5, 1e-3)
}

// lin2, lin3 and lin4: at a tenth of 1 m/s and a twentieth of 2.25 m/s², a trapezoid takes L/v + v/a.
func TestPilzLINCases(t *testing.T) {
	for _, x := range []struct {
		from, to string
		length   float64
	}{{"P1", "P2", 0.3}, {"P2", "P3", 0.3}, {"P2", "P4", 0.2}} {
		a := pilzPanda(t, pilzPoses[x.from].joints)
		m := compile(t, a, pilzProgram("  - moveL: {"+x.from+"}\n  - dwell: 0\n  - moveL: {"+x.to+"}\n    speed: 0.1\n    acceleration: 0.1125\n    jerk: 50\n"))
		p := m.Parts[2]
		testkit.Near(t, "length", p.Length, x.length, 1e-9)
		if best := x.length/0.1 + 0.1/0.1125; p.End-p.Start < best || p.End-p.Start > reserve*best+0.03 { // the jerk takes three times A/J = 10 ms
			t.Errorf("%s to %s: %g s, a trapezoid takes %g s", x.from, x.to, p.End-p.Start, best)
		}
		checkStraight(t, a, m, p, pilzPoses[x.from], pilzPoses[x.to])
	}
}

// checkStraight requires that the tool is on the line from one pose to another, with the orientation that both have.
func checkStraight(t *testing.T, a arm, m *Motion, p Part, from, to pilzPoint) {
	t.Helper()
	start, end := vec(from), vec(to)
	off := 0.0
	track(a, m, p.Start, p.End, func(_ float64, _ []trajectory.State, x spatial.Pose) {
		along := x.P.Sub(start).Dot(end.Sub(start).Unit())
		off = max(off, x.P.Sub(start).Sub(end.Sub(start).Unit().Scale(along)).Norm(), x.R.T().Mul(pilzQuat.Mat3()).Log().Norm())
	})
	if off > 1e-5 {
		t.Errorf("off the line by %g", off)
	}
}

func vec(p pilzPoint) spatial.Vec3 { return spatial.Vec3{X: p.xyz[0], Y: p.xyz[1], Z: p.xyz[2]} }

// circ3_interim and circ1_center_2: the circle through P1, P2 and P3, and that about P2 from P3 to P1, whose via point lies on the far side of its center.
func TestPilzCIRCCases(t *testing.T) {
	a := pilzPanda(t, pilzPoses["P1"].joints)
	m := compile(t, a, pilzProgram("  - moveL: {P1}\n  - moveC: {via: [0.4, 0.2, 0.7], <P3>}\n  - moveC: {via: [0.1, 0.2, 0.7], <P1>}\n"))
	for k, x := range []struct {
		center spatial.Vec3
		radius float64
		angle  float64
	}{
		{spatial.Vec3{X: 0.175, Y: 0.2, Z: 0.7}, 0.225, 2 * math.Asin(math.Sqrt(0.05)/0.225)},
		{vec(pilzPoses["P2"]), 0.3, 2 * math.Asin(math.Sqrt(0.05)/0.3)},
	} {
		p := m.Parts[k+1]
		testkit.Near(t, "length", p.Length, x.radius*x.angle, 1e-9)
		off := 0.0
		track(a, m, p.Start, p.End, func(_ float64, _ []trajectory.State, pose spatial.Pose) {
			off = max(off, math.Abs(pose.P.Sub(x.center).Norm()-x.radius), pose.R.T().Mul(pilzQuat.Mat3()).Log().Norm())
		})
		if off > 1e-5 {
			t.Errorf("off the circle by %g", off)
		}
	}
}

// colinearInterim and samePointsWithInterim are refused; colinearCenterAndInterim and interimLarger180Degree go three quarters of a circle of 0.2 m.
func TestPilzCIRCSpecialCases(t *testing.T) {
	at := func(x, y float64) spatial.Vec3 { return spatial.Vec3{X: 0.3 + x, Y: y, Z: 0.5} }
	for _, x := range []struct {
		name            string
		start, via, end spatial.Vec3
		length          float64 // 0: refused
	}{
		{"colinearInterim", at(-0.1, 0), at(0, 0), at(0.1, 0), 0},
		{"samePointsWithInterim", at(0, 0), at(1e-8, 1e-8), at(-1e-8, -1e-8), 0},
		{"colinearCenterAndInterim", at(-0.2, 0), at(0.2, 0), at(0, -0.2), 0.3 * math.Pi},
		{"interimLarger180Degree", at(-0.2, 0), at(0.14142136, -0.14142136), at(0, -0.2), 0.3 * math.Pi},
	} {
		path := trajectory.NewToolPath(spatial.Pose{R: spatial.IdentityPose().R, P: x.start})
		err := path.ArcTo(x.via, spatial.Pose{R: spatial.IdentityPose().R, P: x.end})
		if (err == nil) != (x.length > 0) {
			t.Errorf("%s: error %v", x.name, err)
		}
		if err != nil || x.length == 0 {
			continue
		}
		_, length := path.Domain()
		testkit.Near(t, x.name, length, x.length, 1e-7)
		for k := range 101 {
			testkit.Near(t, x.name, path.Pose(length*float64(k)/100).P.Sub(at(0, 0)).Norm(), 0.2, 1e-7)
		}
	}
}

// The sequences of lines: a blend of 0.149 m between lines of 0.3 m fits, one of 0.21 m does not fit into the second line of 0.2 m
// (testTraj2InsideBlendRadius), nor one of 1.1 times the first line (testTraj1InsideBlendRadius). A motion there and back may blend
// (testOverlappingBlendTrajectories). Blends of one move must leave something of it (blendingRadiusOverlapping), and may together take more than half.
func TestPilzBlendCases(t *testing.T) {
	a := pilzPanda(t, pilzPoses["P1"].joints)
	begin := "  - moveL: {P1}\n"
	lines := func(second string, radius float64) string {
		return pilzProgram(begin + fmt.Sprintf("  - moveL: {P2}\n    blend: %g\n  - moveL: {%s}\n", radius, second))
	}
	m := compile(t, a, lines("P3", 0.149))
	checkLimits(t, m)
	corner, off := vec(pilzPoses["P2"]), 0.0
	track(a, m, 0, m.Duration(), func(_ float64, _ []trajectory.State, x spatial.Pose) {
		if away := x.P.Sub(corner); away.Norm() > 0.1491 {
			first, second := corner.Sub(vec(pilzPoses["P1"])).Unit(), vec(pilzPoses["P3"]).Sub(corner).Unit()
			off = max(off, math.Min(away.Cross(first).Norm(), away.Cross(second).Norm()))
		}
	})
	if off > 1e-5 {
		t.Errorf("off the lines by %g m outside of the sphere", off)
	}
	const where = "test.yaml:4:5: moveL (move 2): its blend of "
	wantError(t, a, lines("P4", 0.21), where+"0.21 m does not fit into the move after it, which is 0.2 m long")
	wantError(t, a, lines("P3", 0.33), where+"0.33 m does not fit into the move itself, which is 0.3 m long")
	compile(t, a, lines("P1", 0.149))

	three := func(first, second float64) string {
		return pilzProgram(begin + fmt.Sprintf("  - moveL: {P2}\n    blend: %g\n  - moveL: {P3}\n    blend: %g\n  - moveL: {P4}\n", first, second))
	}
	m = compile(t, a, three(0.19, 0.1))
	checkLimits(t, m)
	first, off := corner.Sub(vec(pilzPoses["P1"])).Unit(), 0.0
	track(a, m, 0, m.Parts[1].End, func(_ float64, _ []trajectory.State, x spatial.Pose) {
		if away := x.P.Sub(corner); away.Norm() > 0.16 && away.Norm() < 0.185 {
			off = max(off, away.Cross(first).Norm())
		}
	})
	if off < 1e-5 {
		t.Errorf("off the line by %g m inside of the sphere", off)
	}
	wantError(t, a, three(0.2, 0.1), "test.yaml:6:5: moveL (move 3): its blend of 0.1 m does not fit into the move itself, which is 0.3 m long and loses 0.2 m to the blend at its other end")
}

// blendingRadiusNegative and lastBlendingRadiusNonZero.
func TestPilzBlendsThatAreNoBlendsAreRefused(t *testing.T) {
	for moves, want := range map[string]string{
		"  - moveL: {P2}\n    blend: -0.3\n  - moveL: {P3}\n":                                `blend is "-0.3": wants at least 0`,
		"  - moveL: {P2}\n  - moveL: {P3}\n    blend: 0.03\n":                                `test.yaml:5:12: blend is "0.03", but no move follows: leave it out`,
		"  - moveL: {P2}\n    blend: 0.03\n  - set: {a: 1}\n  - dwell: 1\n  - moveL: {P3}\n": `test.yaml:4:12: blend is "0.03", but a dwell follows: leave it out`,
	} {
		if _, err := Parse([]byte(pilzProgram(moves)), "test.yaml", nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got the error %v, want %s", err, want)
		}
	}
}

// ComplexSequence: seven commands of all kinds with blends of 0.1 m, in which the arm stops nowhere, passes each corner within 0.1 m, and keeps its limits.
func TestPilzComplexSequence(t *testing.T) {
	a := pilzPanda(t, pilzZero)
	const blend = "\n    blend: 0.1\n"
	const slow = "    speed: 0.1\n    acceleration: 0.225\n    jerk: 10\n"
	m := compile(t, a, pilzProgram("  - moveJ: {P1}\n    acceleration: 20 %"+blend+
		"  - moveC: {via: [0.4, 0.2, 0.7], <P3>}"+blend+slow+
		"  - moveJ: {P2}\n    acceleration: 20 %"+blend+
		"  - moveL: {P3}"+blend+slow+
		"  - moveC: {via: [0.1, 0.2, 0.7], <P1>}"+blend+slow+
		"  - moveL: {P2}"+blend+slow+
		"  - moveJ: {P3}\n    acceleration: 20 %\n"))
	checkLimits(t, m)
	if len(m.Stops()) != 2 {
		t.Errorf("it stops at %v", m.Stops())
	}
	for k, name := range []string{"P1", "P3", "P2", "P3", "P1", "P2"} {
		near := math.Inf(1)
		track(a, m, m.Parts[k].Start, m.Parts[k+1].End, func(_ float64, _ []trajectory.State, x spatial.Pose) {
			near = min(near, x.P.Sub(vec(pilzPoses[name])).Norm())
		})
		if near > 0.1 || near < 1e-3 {
			t.Errorf("corner %d at %s is passed at %g m", k+1, name, near)
		}
	}
	s := make([]trajectory.State, 7)
	m.At(m.Duration(), s)
	var q []float64
	for _, x := range s {
		q = append(q, x.Position)
	}
	testkit.Near(t, "distance from the end", a.pose(q).P.Sub(vec(pilzPoses["P3"])).Norm(), 0, 1e-6)
}
