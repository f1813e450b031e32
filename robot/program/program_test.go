package program

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// arm is a robot for tests.
type arm struct {
	Robot
	home []float64
	tip  string
}

func panda(t testing.TB) arm {
	return readArm(t, "panda/panda.urdf", "panda_hand", []float64{0, -0.7854, 0, -2.3562, 0, 1.5708, 0.7854}, "panda_finger_joint1=0.02")
}

func ur5(t testing.TB) arm {
	return readArm(t, "ur5/ur5.urdf", "tool0", []float64{0, -1.2, 1.5, -1.87, -1.5708, 0})
}

func readArm(t testing.TB, file, tip string, home []float64, locked ...string) arm {
	t.Helper()
	robot, err := description.Read(os.DirFS("../../models"), file, description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := robot.Lock(locked...); err != nil {
		t.Fatal(err)
	}
	m, err := robot.Model()
	if err != nil {
		t.Fatal(err)
	}
	v := make([]float64, m.NV())
	m.VelocityLimits(v)
	a := arm{Robot{Model: m}, home, tip}
	for _, x := range v {
		a.Limits = append(a.Limits, trajectory.Limits{Velocity: x, Acceleration: 5, Jerk: 50})
	}
	return a
}

func parse(t testing.TB, text string) *Program {
	t.Helper()
	p, err := Parse([]byte(text), "test.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func compile(t testing.TB, a arm, text string) *Motion {
	t.Helper()
	m, err := Compile(parse(t, text), a.Robot, a.home)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// pose returns where the link at the tip is.
func (a *arm) pose(q []float64) spatial.Pose {
	d := multibody.NewData(a.Model)
	multibody.FK(d, q)
	link, err := a.Model.Link(a.tip)
	if err != nil {
		panic(err)
	}
	return d.Pose(link)
}

const square = `
program: square
tools: {hand: {link: panda_hand}}
defaults:
  moveL: {speed: 250 mm/s, acceleration: 2, jerk: 20, blend: 30 mm, tool: hand}
moves:
  - moveJ: {panda_joint4: -120 deg}
    speed: 50 %
    blend: 40 mm
  - moveL: {xyz: [0.45, 0.15, 0.45], rpy: [180 deg, 0, 0]}
  - moveL: {xyz: [0.6, 0.15, 0.45]}
  - moveL: {xyz: [0.6, -0.15, 0.45]}
  - moveL: {xyz: [0.45, -0.15, 0.45]}
  - moveL: {xyz: [0.45, 0.15, 0.45]}
    blend: 0
  - set: {valve: 1}
    before: 30 mm
  - dwell: 200 ms
  - moveC: {via: [0.525, 0.225, 0.45], xyz: [0.6, 0.15, 0.45]}
    tool: hand
    blend: 20 mm
  - moveJ: [0, -45 deg, 0, -135 deg, 0, 90 deg, 45 deg]
`

// checkLimits samples a motion and requires the limits of the joints, and continuous accelerations.
func checkLimits(t *testing.T, m *Motion) {
	t.Helper()
	const h = 1e-3
	s := make([]trajectory.State, m.Axes())
	before := make([]trajectory.State, m.Axes())
	j := make([]float64, m.Axes())
	for k := 0; float64(k)*h < m.Duration(); k++ {
		m.At(float64(k)*h, s)
		m.Jerk(float64(k)*h, j)
		for i, x := range s {
			l := m.Limits[i]
			if math.Abs(x.Velocity) > l.Velocity || math.Abs(x.Acceleration) > l.Acceleration || math.Abs(j[i]) > l.Jerk*(1+1e-6) {
				t.Fatalf("joint %d at %g s: velocity %g of %g, acceleration %g of %g, jerk %g of %g", i, float64(k)*h,
					x.Velocity, l.Velocity, x.Acceleration, l.Acceleration, j[i], l.Jerk)
			}
			if k > 0 && math.Abs(x.Acceleration-before[i].Acceleration) > 1.001*l.Jerk*h {
				t.Fatalf("joint %d at %g s: the acceleration jumps from %g to %g", i, float64(k)*h, before[i].Acceleration, x.Acceleration)
			}
			if k > 0 && math.Abs(x.Position-before[i].Position-h/2*(x.Velocity+before[i].Velocity)) > l.Jerk*h*h*h {
				t.Fatalf("joint %d at %g s: the position jumps", i, float64(k)*h)
			}
		}
		copy(before, s)
	}
}

func TestCompileKeepsAllLimits(t *testing.T) {
	m := compile(t, panda(t), square)
	checkLimits(t, m)
	if len(m.Stops()) != 4 || len(m.Parts) != 9 || len(m.Outputs) != 1 {
		t.Fatalf("stops %v, parts %v, outputs %v", m.Stops(), m.Parts, m.Outputs)
	}
	// The output changes 30 mm before the end of the square.
	a, s, q := panda(t), make([]trajectory.State, 7), make([]float64, 7)
	m.At(m.Outputs[0].Time, s)
	for i := range q {
		q[i] = s[i].Position
	}
	testkit.Near(t, "place of the change", a.pose(q).P.Sub(spatial.Vec3{X: 0.45, Y: 0.12, Z: 0.45}).Norm(), 0, 1e-6)
}

// The letter S in a frame with rounded corners, by another arm.
func TestCompileDrawsALetterByAnotherArm(t *testing.T) {
	a := ur5(t)
	p, err := Read(os.DirFS("../../examples/arm"), "letter.yaml")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Compile(p, a.Robot, a.home)
	if err != nil {
		t.Fatal(err)
	}
	checkLimits(t, m)
}

// A path of a planner is followed without stops, faster than line by line.
func TestCompileFollowsThePathOfAPlan(t *testing.T) {
	a := panda(t)
	folder := fstest.MapFS{"plan.json": {Data: []byte(`{"joints": ["panda_joint2", "panda_joint1"], "path": [[-0.7854, 0], [0, 0.5], [0.3, 1], [-0.2, 1.5]]}`)}}
	p, err := Parse([]byte("tools: {hand: {link: panda_hand}}\nmoves:\n  - movePath: plan.json\n    blend: 150 mm\n"), "test.yaml", folder)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Compile(p, a.Robot, a.home)
	if err != nil {
		t.Fatal(err)
	}
	checkLimits(t, m)
	s := make([]trajectory.State, 7)
	m.At(m.Duration(), s)
	testkit.Near(t, "joint 1", s[0].Position, 1.5, 1e-9)
	testkit.Near(t, "joint 2", s[1].Position, -0.2, 1e-9)
	if len(m.Stops()) != 2 {
		t.Errorf("it stops at %v", m.Stops())
	}
	// Each leg for itself, from rest to rest, takes longer together.
	apart := 0.0
	at := []float64{0, -0.7854}
	for _, to := range [][]float64{{0.5, 0}, {1, 0.3}, {1.5, -0.2}} {
		l := m.Limits[0]
		d := max(math.Abs(to[0]-at[0]), math.Abs(to[1]-at[1]))
		leg, err := trajectory.Move(trajectory.State{}, trajectory.State{Position: d}, l)
		if err != nil {
			t.Fatal(err)
		}
		apart, at = apart+leg.Duration(), to
	}
	if m.Duration() > 0.9*apart {
		t.Errorf("%g s, with stops at the waypoints %g s", m.Duration(), apart)
	}
}

func TestCompileRefusesWhatCannotBeExecuted(t *testing.T) {
	a := panda(t)
	const tools = "tools: {hand: {link: panda_hand}}\nmoves:\n"
	for moves, want := range map[string]string{
		"  - moveJ: [0, 0]\n":                      "test.yaml:3:5: moveJ (move 1): it has 2 positions: wants one for each of the 7 joints",
		"  - moveJ: {panda_joint8: 0}\n":           `test.yaml:3:5: moveJ (move 1): the robot has no joint "panda_joint8"; did you mean`,
		"  - moveJ: {panda_joint1: 200 deg}\n":     `test.yaml:3:5: moveJ (move 1): joint "panda_joint1" would be at 3.491, beyond its limits -2.897 to 2.897`,
		"  - moveJ: {panda_joint1: 20 mm}\n":       `test.yaml:3:5: moveJ (move 1): the position of joint "panda_joint1" is in mm, but the joint turns: wants an angle`,
		"  - moveJ: {xyz: [2, 0, 0]}\n":            "test.yaml:3:5: moveJ (move 1): the target cannot be reached: ",
		"  - moveL: {xyz: [0.9, 0, 0.4]}\n":        "test.yaml:3:5: moveL (move 1) at s = 0.",
		"  - movePath: [[0, 0, 0, -1, 0, 1, 0]]\n": `test.yaml:3:5: movePath (move 1): it begins with joint "panda_joint2" at 0, but the robot would be at -0.7854: put a moveJ`,
	} {
		wantError(t, a, tools+moves, want)
	}
	wantError(t, a, "tools: {hand: {link: panda_hnd}}\nmoves:\n  - moveJ: {panda_joint1: 0}\n", `test.yaml:3:5: moveJ (move 1): the robot has no link "panda_hnd"; did you mean "panda_hand"?`)
}

// Near the stretched arm a line is refused by the distance to the singularity.
func TestCompileRefusesSingularLines(t *testing.T) {
	a := ur5(t)
	a.home = []float64{0, -1.2, 1.5, -1.87, -0.003, 0} // the wrist is nearly straight
	up := a.pose(a.home).P                             // in the plane of the arm, so that the wrist stays as it is
	text := fmt.Sprintf("tools: {pen: {link: tool0}}\nmoves:\n  - moveL: {xyz: [%v, %v, %v]}\n", up.X, up.Y, up.Z+0.03)
	_, err := Compile(parse(t, text), a.Robot, a.home)
	if err == nil || !strings.Contains(err.Error(), "the arm comes near to a singularity: the least singular value of its Jacobian is 0.00") {
		t.Errorf("got the error %v", err)
	}
}

// A joint motion blends into a line within the radius about the corner, and is on the line after it.
func TestBlendsOfJointMovesIntoLinesHaveTheirRadius(t *testing.T) {
	a := panda(t)
	m := compile(t, a, square)
	p := m.Parts[1] // the line
	target := spatial.Vec3{X: 0.45, Y: 0.15, Z: 0.45}
	q := append([]float64(nil), a.home...)
	q[3] = -120 * math.Pi / 180
	corner := a.pose(q).P
	along := target.Sub(corner).Unit()
	outside, inside := 0.0, 0.0
	track(a, m, p.Start, p.End, func(_ float64, _ []trajectory.State, x spatial.Pose) {
		way := x.P.Sub(corner)
		off := way.Sub(along.Scale(way.Dot(along))).Norm()
		switch away := way.Norm(); {
		case x.P.Sub(target).Norm() < 0.0305: // in the next blend
		case away > 0.0401:
			outside = max(outside, off)
		case away > 0.03 && away < 0.0395:
			inside = max(inside, off)
		}
	})
	t.Logf("off the line by %.3g m outside of the radius, %.3g m inside", outside, inside)
	if outside > 1e-6 || inside < 1e-6 {
		t.Errorf("off the line by %g m outside of the radius, %g m inside", outside, inside)
	}

	// And a line blends into a joint motion, whose joints are on their straight line after it.
	p = m.Parts[8]
	corner = spatial.Vec3{X: 0.6, Y: 0.15, Z: 0.45}
	middle, end := make([]trajectory.State, 7), make([]trajectory.State, 7)
	m.At((p.Start+p.End)/2, middle)
	m.At(p.End, end)
	outside, inside = 0, 0
	track(a, m, p.Start, p.End, func(_ float64, s []trajectory.State, x spatial.Pose) {
		part := (end[0].Position - s[0].Position) / (end[0].Position - middle[0].Position)
		off := 0.0
		for i := range s {
			off = max(off, math.Abs(end[i].Position-part*(end[i].Position-middle[i].Position)-s[i].Position))
		}
		switch away := x.P.Sub(corner).Norm(); {
		case away > 0.0201:
			outside = max(outside, off)
		case away > 0.01 && away < 0.0195:
			inside = max(inside, off)
		}
	})
	t.Logf("off the line of the joints by %.3g rad outside of the radius, %.3g rad inside", outside, inside)
	if outside > 1e-9 || inside < 1e-6 {
		t.Errorf("off the line of the joints by %g rad outside of the radius, %g rad inside", outside, inside)
	}
}

// Speed and acceleration of the tool, also of one that stands off its link and turns, are within their limits by differences of its poses.
func TestCompileKeepsTheLimitsOfTheTool(t *testing.T) {
	a := panda(t)
	for i := range a.Limits { // so that those of the tool decide
		a.Limits[i].Acceleration, a.Limits[i].Jerk = 50, 5000
	}
	m := compile(t, a, `
tools: {long: {link: panda_hand, xyz: [0.1, 0, 0.2]}}
defaults: {moveL: {speed: 400 mm/s, acceleration: 1, jerk: 200, angular_speed: 2, angular_acceleration: 3, blend: 40 mm}}
moves:
  - moveL: {xyz: [0.5, 0.15, 0.35], rpy: [180 deg, 0, 0]}
  - moveL: {xyz: [0.6, 0, 0.4], rpy: [170 deg, 10 deg, 60 deg]}
  - moveL: {xyz: [0.45, -0.15, 0.3], rpy: [180 deg, 0, 0]}
`)
	offset := spatial.Translation(spatial.Vec3{X: 0.1, Z: 0.2})
	limits := trajectory.ToolLimits{Speed: 0.4, Acceleration: 1, AngularSpeed: 2, AngularAcceleration: 3}
	if err := trajectory.CheckTool(m, func(q []float64) spatial.Pose { return a.pose(q).Mul(offset) }, limits, 2e-3); err != nil {
		t.Error(err)
	}
}

// The derivatives of the tool along a section are those of its poses.
func TestSectionsDeriveThePoseOfTheTool(t *testing.T) {
	a := panda(t)
	p := parse(t, "tools: {long: {link: panda_hand, xyz: [0.1, 0, 0.2]}}\nmoves:\n  - moveL: {xyz: [0.5, 0.15, 0.35], rpy: [170 deg, 10 deg, 60 deg]}\n    blend: 20 mm\n  - moveJ: [0.5, 0, 0, -2, 0, 1.5, 0.8]\n")
	c, err := newCompiler(p, a.Robot, a.home)
	if err != nil {
		t.Fatal(err)
	}
	for k := range p.Moves {
		if err := c.move(k); err != nil {
			t.Fatal(err)
		}
	}
	s, _, err := c.join(c.legs, false)
	if err != nil {
		t.Fatal(err)
	}
	q := make([]float64, 7)
	pose := func(sigma float64) spatial.Pose {
		s.At(q, sigma, 0)
		return a.pose(q).Mul(spatial.Translation(spatial.Vec3{X: 0.1, Z: 0.2}))
	}
	const h = 1e-4
	for k := range 50 {
		x := s.length() * (float64(k) + 0.37) / 50
		before, at, after := pose(x-h), pose(x), pose(x+h)
		d1, d2 := s.Derivative(x, 1), s.Derivative(x, 2)
		testkit.Near(t, "first", after.P.Sub(before.P).Scale(0.5/h).Sub(d1.Linear).Norm(), 0, 1e-4)
		testkit.Near(t, "second", after.P.Add(before.P).Sub(at.P.Scale(2)).Scale(1/h/h).Sub(d2.Linear).Norm(), 0, 2e-2)
		testkit.Near(t, "angular", after.R.Mul(before.R.T()).Log().Scale(0.5/h).Sub(d1.Angular).Norm(), 0, 1e-4)
	}
}

// A movePath stops in a corner whose blend would leave the limit of a joint, and goes on: the move lasts from its first waypoint to its last one.
func TestCornersOfAPathStayWithinLimits(t *testing.T) {
	a := panda(t)
	lower, upper := make([]float64, a.Model.NQ()), make([]float64, a.Model.NQ())
	a.Model.PositionLimits(lower, upper)
	at := func(margin float64) *Program { // the joint comes to its place, and rests while the hand turns about its own axis
		corner, after := slices.Clone(a.home), slices.Clone(a.home)
		corner[1] = upper[1] - margin
		after[1], after[6] = corner[1], a.home[6]+2
		return &Program{Moves: []Move{{Kind: MovePath, Speed: 1, Acceleration: 1, Jerk: 1, Blend: 0.01, Tool: Tool{Link: a.tip, Pose: spatial.IdentityPose()}, Points: [][]float64{a.home, corner, after}}}}
	}
	for name, c := range map[string]struct {
		margin float64
		stops  int
	}{
		"far from the limit": {0.5, 2},
		"near the limit":     {1e-3, 3},
		"at the limit":       {0, 3},
	} {
		p := at(c.margin)
		m, err := Compile(p, a.Robot, a.home)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkLimits(t, m)
		states, most := make([]trajectory.State, m.Axes()), 0.0
		for k := range 10001 {
			m.At(m.Duration()*float64(k)/10000, states)
			most = max(most, states[1].Position)
		}
		if most > upper[1]+1e-9 {
			t.Errorf("%s: joint 2 comes to %v, beyond its limit %v", name, most, upper[1])
		}
		if len(m.Stops()) != c.stops {
			t.Errorf("%s: it stops at %v", name, m.Stops())
		}
		const length = 1.22 // m of the tool, and a tenth of the turn in rad
		if x := m.Parts[0]; len(m.Parts) != 1 || x.Start != 0 || x.End != m.Duration() || c.margin < 0.1 && math.Abs(x.Length-length) > 0.01 {
			t.Errorf("%s: its parts are %+v of %v s", name, m.Parts, m.Duration())
		}
	}
}
