package program

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/robot/trajectory"
)

//go:embed testdata/ruckig.txt
var ruckigDurations string

// A moveJ of one joint, and one of several joints in phase, lasts at most 1 % longer than that of ruckig, the published generator of motions with
// bounded jerk; never shorter, since both keep the same limits.
func TestMoveJLastsAtMostOnePercentLongerThanRuckig(t *testing.T) {
	a := ur5(t)
	a.home = make([]float64, 6)
	count, slowest := 0, 0.0
	for line := range strings.Lines(ruckigDurations) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var f []float64
		for _, word := range strings.Fields(line) {
			x, err := strconv.ParseFloat(word, 64)
			if err != nil {
				t.Fatal(err)
			}
			f = append(f, x)
		}
		joints := int(f[0])
		goal := make([]float64, 6)
		for i := range a.Limits {
			a.Limits[i] = trajectory.Limits{Velocity: 1, Acceleration: 1, Jerk: 1}
		}
		for i := range joints {
			x := f[2+4*i:]
			goal[i], a.Limits[i] = x[0], trajectory.Limits{Velocity: x[1], Acceleration: x[2], Jerk: x[3]}
		}
		m := compile(t, a, fmt.Sprintf("tools: {tip: {link: tool0}}\nmoves:\n  - moveJ: %s\n", strings.Join(strings.Fields(fmt.Sprint(goal)), ", ")))
		ratio := m.Duration() / f[1]
		if ratio > 1.01 || ratio < 1-1e-9 {
			t.Errorf("%g s, ruckig %g s: %s", m.Duration(), f[1], line)
		}
		slowest = max(slowest, ratio)
		count++
	}
	t.Logf("%d motions, at most %.2f %% longer than those of ruckig", count, 100*(slowest-1))
	if count != 200 {
		t.Errorf("testdata/ruckig.txt has %d motions: want 200", count)
	}
}
