package program

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// The rules of the Pilz industrial motion planner for its commands, read in its sources (github.com/moveit/moveit2 at 8fcb5d2, folder
// moveit_planners/pilz_industrial_motion_planner/src), as properties of our motions; pilz_cases_test.go has its own test cases. Where ours differ:
//
//   - PTP gives all joints the strictest limits of any of them; a moveJ gives each its own, and is never slower.
//   - Where a line or an arc asks for more than a joint can do, theirs fails, ours is slower.
//   - Their speed of rotation on a line comes from the ratio of the two greatest speeds; ours has limits of its own.
//   - Their acceleration and deceleration have two limits; ours one.
//   - Spheres of blends may not overlap in theirs, measured from corner to corner; in ours they may not along the path, which on arcs leaves more room.
//   - Their blend is a weighted mean of both motions in time; ours is a quintic of the path. Both stay in the sphere.
//   - CIRC takes an interim point or the center; moveC takes the point.

// track calls f for times of a motion with the tool's pose.
func track(a arm, m *Motion, from, to float64, f func(t float64, s []trajectory.State, tool spatial.Pose)) {
	s, q := make([]trajectory.State, m.Axes()), make([]float64, m.Axes())
	const steps = 400
	for k := range steps + 1 {
		t := from + (to-from)*float64(k)/steps
		m.At(t, s)
		for i := range q {
			q[i] = s[i].Position
		}
		f(t, s, a.pose(q))
	}
}

// PTP: all axes start and end at the same time, and the slowest one determines the duration: it uses its limits.
func TestPilzPTPMovesAllAxesInPhaseAtTheLimitOfOne(t *testing.T) {
	a := panda(t)
	m := compile(t, a, "tools: {hand: {link: panda_hand}}\nmoves:\n  - moveJ: [1, -0.2, 0.3, -1.5, -0.5, 2, 0.1]\n")
	goal := []float64{1, -0.2, 0.3, -1.5, -0.5, 2, 0.1}
	fastest := 0.0
	track(a, m, 0, m.Duration(), func(_ float64, s []trajectory.State, _ spatial.Pose) {
		part := (s[0].Position - a.home[0]) / (goal[0] - a.home[0])
		for i, x := range s {
			testkit.Near(t, "part of the way", (x.Position-a.home[i])/(goal[i]-a.home[i]), part, 1e-9)
			fastest = max(fastest, math.Abs(x.Acceleration)/m.Limits[i].Acceleration)
		}
	})
	if fastest < 0.98 {
		t.Errorf("no joint uses more than %.3f of its acceleration", fastest)
	}
}

// Single joint moves last at most 1 % longer than the optimum, which is known in closed form (Biagiotti and Melchiorri 2008, section 3.4).
func TestSingleJointMovesAreWithinOnePercentOfTheOptimum(t *testing.T) {
	a := panda(t)
	for _, d := range []float64{0.001, 0.01, 0.05, 0.2, 0.7, 1.5, 2.5} {
		text := "tools: {hand: {link: panda_hand}}\nmoves:\n  - moveJ: {panda_joint1: " + trim(d) + "}\n"
		m := compile(t, a, text)
		v, acc, j := m.Limits[0].Velocity, m.Limits[0].Acceleration, m.Limits[0].Jerk
		var best float64
		switch {
		case d <= 2*acc*acc*acc/(j*j): // the limit of acceleration is not reached
			best = 4 * math.Cbrt(d/(2*j))
		case d <= v*v/acc+v*acc/j: // that of velocity is not
			best = acc/j + math.Sqrt(acc*acc/(j*j)+4*d/acc)
		default:
			best = d/v + v/acc + acc/j
		}
		if m.Duration() > 1.01*best || m.Duration() < best {
			t.Errorf("%g rad: %g s, the optimum is %g s", d, m.Duration(), best)
		}
	}
}

func trim(x float64) string {
	return strings.TrimRight(strings.TrimRight(strconv.FormatFloat(x, 0x66, 4, 64), "0"), ".")
}

const corner = `
tools: {hand: {link: panda_hand}}
defaults: {moveL: {speed: 200 mm/s, acceleration: 2, jerk: 20}}
moves:
  - moveL: {xyz: [0.45, 0.1, 0.45], rpy: [180 deg, 0, 20 deg]}
  - moveL: {xyz: [0.6, 0.1, 0.45], rpy: [180 deg, 0, 0]}
    blend: BLEND
  - moveL: {xyz: [0.6, -0.1, 0.45]}
`

// LIN: the tool moves on a straight line, its orientation turns about one axis meanwhile, and its speed is trapezoidal: at most that asked for.
func TestPilzLINIsStraightAtTheSpeedAskedFor(t *testing.T) {
	a := panda(t)
	m := compile(t, a, strings.Replace(corner, "BLEND", "0", 1))
	p := m.Parts[1]
	from, to := spatial.Vec3{X: 0.45, Y: 0.1, Z: 0.45}, spatial.Vec3{X: 0.6, Y: 0.1, Z: 0.45}
	first, last := spatial.RPY(math.Pi, 0, math.Pi/9), spatial.RPY(math.Pi, 0, 0)
	worst, turned, fastest := 0.0, 0.0, 0.0
	var before spatial.Pose
	var past float64
	track(a, m, p.Start, p.End, func(now float64, _ []trajectory.State, x spatial.Pose) {
		along := x.P.Sub(from).Dot(to.Sub(from)) / 0.15 / 0.15
		worst = max(worst, x.P.Sub(from.Lerp(to, along)).Norm())
		half := first.Mul(spatial.Exp(first.T().Mul(last).Log().Scale(along)))
		turned = max(turned, x.R.T().Mul(half).Log().Norm())
		if past > 0 {
			fastest = max(fastest, x.P.Sub(before.P).Norm()/(now-past))
		}
		before, past = x, now
	})
	t.Logf("off the line by %.3g m and %.3g rad, at most %.4f m/s", worst, turned, fastest)
	if worst > 1e-6 || turned > 1e-5 || fastest > 0.2 || fastest < 0.19 {
		t.Errorf("off the line by %g m and %g rad, at most %g m/s", worst, turned, fastest)
	}
}

// CIRC: start, interim and goal lie on the circle, whose points all have the same distance from its center; three points on a line are an error.
func TestPilzCIRCIsRound(t *testing.T) {
	a := panda(t)
	const text = "tools: {hand: {link: panda_hand}}\nmoves:\n  - moveL: {xyz: [0.45, 0.1, 0.45], rpy: [180 deg, 0, 0]}\n  - moveC: {via: [0.55, 0, 0.45], xyz: [0.45, -0.1, 0.45]}\n"
	m := compile(t, a, text)
	p := m.Parts[1]
	worst, nearest := 0.0, math.Inf(1)
	track(a, m, p.Start, p.End, func(_ float64, _ []trajectory.State, x spatial.Pose) {
		worst = max(worst, math.Abs(x.P.Sub(spatial.Vec3{X: 0.45, Z: 0.45}).Norm()-0.1))
		nearest = min(nearest, x.P.Sub(spatial.Vec3{X: 0.55, Z: 0.45}).Norm())
	})
	if worst > 1e-6 || nearest > 1e-3 {
		t.Errorf("off the circle by %g m, %g m from the interim point", worst, nearest)
	}
	testkit.Near(t, "length", p.Length, math.Pi*0.1, 1e-9)
	wantError(t, a, strings.Replace(text, "0.55, 0, 0.45", "0.45, 0, 0.45", 1), "test.yaml:4:5: moveC (move 2): start, via and end are on one straight line")
}

// Blend: the tool does not stop at the goal; outside of the sphere around it nothing changes; spheres must not be larger than the moves have room for.
func TestPilzBlendStaysInItsSphereAndDoesNotStop(t *testing.T) {
	a := panda(t)
	m := compile(t, a, strings.Replace(corner, "BLEND", "40 mm", 1))
	goal := spatial.Vec3{X: 0.6, Y: 0.1, Z: 0.45}
	start, end := m.Parts[1].Start, m.Parts[2].End
	slowest, worst, passed := math.Inf(1), 0.0, math.Inf(1)
	var before spatial.Pose
	var past float64
	track(a, m, start, end, func(now float64, _ []trajectory.State, x spatial.Pose) {
		away := x.P.Sub(goal)
		passed = min(passed, away.Norm())
		if away.Norm() > 0.0401 {
			worst = max(worst, math.Min(math.Hypot(away.Y, away.Z), math.Hypot(away.X, away.Z)))
		} else if past > 0 {
			slowest = min(slowest, x.P.Sub(before.P).Norm()/(now-past))
		}
		before, past = x, now
	})
	t.Logf("%.3g m off the lines outside of the sphere, passes the goal at %.4f m, at least %.3f m/s", worst, passed, slowest)
	if worst > 1e-6 || passed > 0.04 || passed < 1e-3 || slowest < 0.05 {
		t.Errorf("%g m off the lines outside of the sphere, passes the goal at %g m, at least %g m/s", worst, passed, slowest)
	}
	wantError(t, a, strings.Replace(corner, "BLEND", "160 mm", 1), "test.yaml:6:5: moveL (move 2): its blend of 0.16 m does not fit into the move itself, which is 0.15 m long: blends take less than the whole of a move")
}

func wantError(t *testing.T, a arm, text, want string) {
	t.Helper()
	if _, err := Compile(parse(t, text), a.Robot, a.home); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got the error %v, want %s", err, want)
	}
}
