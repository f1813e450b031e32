package program

import (
	"math"
	"os"
	"strings"
	"testing"

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
	a := panda(t)
	m := compile(t, a, square)
	checkLimits(t, m)
	t.Logf("%g s, %d pieces, parts %v, outputs %v, stops %v, %+v", m.Duration(), len(m.starts)-1, m.Parts, m.Outputs, m.Stops(), m.Report)
	if !strings.Contains(a.tip, "hand") {
		t.Fail()
	}
}
