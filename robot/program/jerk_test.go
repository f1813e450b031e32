package program

import (
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
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

func TestContinuityOfTheJerkIsRefusedWhereItCannotBeHad(t *testing.T) {
	const head = "tools: {hand: {link: panda_hand}}\nmoves:\n"
	for text, want := range map[string]string{
		"  - moveL: {xyz: [0.45, 0.15, 0.45], rpy: [180 deg, 0, 0]}\n    continuity: jerk\n":                                                   "test.yaml:3:5: moveL (move 1): continuity is jerk, but the joints follow",
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
