package program

import (
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

const smoothMoves = `
tools: {hand: {link: panda_hand}}
defaults:
  moveJ: {CONTINUITY}
  movePath: {CONTINUITY}
moves:
  - moveJ: [0.6, -0.5, 0.1, -2, 0, 1.5, 0.7854]
    blend: 60 mm
  - moveJ: {panda_joint1: 0, panda_joint4: -1.6}
  - moveJ: [0.3, -0.5, 0.1, -1.6, 0, 1.5, 0.7854]
  - movePath:
      - [0.3, -0.5, 0.1, -1.6, 0, 1.5, 0.7854]
      - [0.5, -0.2, 0.1, -1.6, 0, 1.5, 0.7854]
      - [0.2, 0.1, 0.1, -1.6, 0, 1.5, 0.7854]
    blend: 50 mm
`

// jump returns the greatest jump of a jerk of a motion between two pieces, and at its ends, as a share of the limit.
func jump(m *Motion) (most float64) {
	for i, l := range m.Limits {
		before := 0.0
		for k := range m.starts[1:] {
			c := &m.pieces[k*m.axes+i]
			_, _, start := c.derivatives(0)
			most = max(most, math.Abs(start-before)/l.Jerk)
			_, _, before = c.derivatives(m.starts[k+1] - m.starts[k])
		}
		most = max(most, math.Abs(before)/l.Jerk)
	}
	return most
}

// The jerk of all joints is continuous where moves ask for it, over blends, corners of paths and stops, and jumps otherwise.
func TestJerkIsContinuousWhereAskedFor(t *testing.T) {
	a := panda(t)
	smooth := compile(t, a, strings.ReplaceAll(smoothMoves, "CONTINUITY", "continuity: jerk"))
	plain := compile(t, a, strings.ReplaceAll(smoothMoves, "CONTINUITY", "continuity: acceleration"))
	checkLimits(t, smooth)
	if got := jump(smooth); got > 1e-4 {
		t.Errorf("the jerk jumps by %g of its limit", got)
	}
	if got := jump(plain); got < 0.1 {
		t.Errorf("without continuity of the jerk it jumps by %g of its limit only", got)
	}
	end := func(m *Motion) []float64 {
		s, q := make([]trajectory.State, 7), make([]float64, 7)
		m.At(m.Duration(), s)
		for i := range s {
			q[i] = s[i].Position
		}
		return q
	}
	testkit.AllNear(t, "end", end(smooth), end(plain), 1e-9)
	t.Logf("%.3f s, and %.3f s with accelerations that are continuous only", smooth.Duration(), plain.Duration())
}

// swing returns the greatest change of a jerk within 1 ms, as a share of the limit.
func swing(m *Motion) (most float64) {
	before, now := make([]float64, m.Axes()), make([]float64, m.Axes())
	for t := 0.0; t < m.Duration(); t += 1e-3 {
		m.Jerk(t, now)
		for i, l := range m.Limits {
			most = max(most, math.Abs(now[i]-before[i])/l.Jerk)
		}
		before, now = now, before
	}
	return most
}

const smoothTool = `
tools: {hand: {link: panda_hand}}
defaults:
  moveJ: {CONTINUITY}
  moveL: {CONTINUITY, speed: 300 mm/s}
  moveC: {CONTINUITY}
moves:
  - moveJ: {xyz: [0.45, -0.15, 0.45], rpy: [180 deg, 0, 0]}
    blend: 20 mm
  - moveL: {xyz: [0.45, 0.15, 0.45], rpy: [180 deg, 0, 20 deg]}
    blend: 30 mm
  - moveL: {xyz: [0.6, 0.15, 0.45]}
  - moveC: {via: [0.65, 0.1, 0.45], xyz: [0.6, 0.05, 0.45]}
    blend: 10 mm
  - moveL: {xyz: [0.45, 0.05, 0.5]}
`

// Lines, arcs and their blends, also with moves of the joints, have continuous jerks where they ask for them. The tool stays on its path.
func TestJerkIsContinuousAlongTheToolsPath(t *testing.T) {
	a := panda(t)
	smooth := compile(t, a, strings.ReplaceAll(smoothTool, "CONTINUITY", "continuity: jerk"))
	plain := compile(t, a, strings.ReplaceAll(smoothTool, "CONTINUITY", "continuity: acceleration"))
	checkLimits(t, smooth)
	if got := jump(smooth); got > 1e-3 {
		t.Errorf("the jerk jumps by %g of its limit", got)
	}
	if got := jump(plain); got < 0.1 {
		t.Errorf("without continuity of the jerk it jumps by %g of its limit only", got)
	}
	if s, p := swing(smooth), swing(plain); s > 0.25 || p < 0.5 {
		t.Errorf("within 1 ms the jerk changes by %g of its limit, and by %g where it may jump", s, p)
	}
	// The same way, however fast: every place of the one is near to a place of the other.
	var way []spatial.Vec3
	const count = 4000
	for k := range count + 1 {
		way = append(way, toolAt(t, a, plain, plain.Duration()*float64(k)/count))
	}
	corner := spatial.Vec3{X: 0.45, Y: -0.15, Z: 0.45} // around it moves of joints and tool blend, by polynomials of their own
	off, last := 0.0, 0
	for k := range count + 1 {
		p := toolAt(t, a, smooth, smooth.Duration()*float64(k)/count)
		nearest := math.Inf(1)
		for i := max(last-200, 0); i < min(last+400, count); i++ {
			if d := distanceToSegment(p, way[i], way[i+1]); d < nearest {
				nearest, last = d, i
			}
		}
		if p.Sub(corner).Norm() > 0.021 {
			off = max(off, nearest)
		}
	}
	if off > 2e-5 {
		t.Errorf("the tool is up to %g m beside its path", off)
	}
	t.Logf("%.3f s, and %.3f s with accelerations that are continuous only; the jerk changes by %.2g and %.2g of its limit within 1 ms; %.2g m beside", smooth.Duration(), plain.Duration(), swing(smooth), swing(plain), off)
}

func toolAt(t *testing.T, a arm, m *Motion, time float64) spatial.Vec3 {
	t.Helper()
	states, q, d := make([]trajectory.State, 7), make([]float64, 7), multibody.NewData(a.Model)
	m.At(time, states)
	for i := range q {
		q[i] = states[i].Position
	}
	multibody.FK(d, q)
	link, err := a.Model.Link(a.tip)
	if err != nil {
		t.Fatal(err)
	}
	return d.Pose(link).P
}

func distanceToSegment(p, a, b spatial.Vec3) float64 {
	d := b.Sub(a)
	if n := d.Dot(d); n > 0 {
		return p.Sub(a.Add(d.Scale(min(1, max(0, p.Sub(a).Dot(d)/n))))).Norm()
	}
	return p.Sub(a).Norm()
}

func TestContinuityOfTheJerkIsRefusedWhereItCannotBeHad(t *testing.T) {
	const head = "tools: {hand: {link: panda_hand}}\nmoves:\n"
	for text, want := range map[string]string{
		"  - moveJ: {panda_joint1: 0.5}\n    continuity: jerk\n    blend: 10 mm\n  - moveL: {xyz: [0.45, 0.15, 0.45], rpy: [180 deg, 0, 0]}\n": "test.yaml:3:5: moveJ (move 1): continuity is jerk, but a blend joins it with the moveL of line 6",
	} {
		a := panda(t)
		if _, err := Compile(parse(t, head+text), a.Robot, a.home); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := Parse([]byte(head+"  - moveJ: {a: 0}\n    continuity: snap\n"), "test.yaml", nil); err == nil || !strings.Contains(err.Error(), "test.yaml:4:17: continuity is \"snap\": wants acceleration or jerk") {
		t.Errorf("got %v", err)
	}
}
