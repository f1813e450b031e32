package trajectory

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// An axis that drifts towards its limit and has to wait for a slow one would swing beyond it; planned within limits, it does not.
func TestPlanWithinKeepsAxesThatTurnBackWithinLimits(t *testing.T) {
	limits := Limits{Velocity: 2, Acceleration: 5, Jerk: 50}
	start := func() *Online {
		g := NewOnline(2)
		g.Input.Axes[0] = Axis{Start: State{Position: 0.8, Velocity: 1.2}, Target: State{Position: 0.9}, Limits: limits}
		g.Input.Axes[1] = Axis{Target: State{Position: 3}, Limits: Limits{Velocity: 0.5, Acceleration: 5, Jerk: 50}}
		return g
	}
	lower, upper := []float64{-1, math.Inf(-1)}, []float64{1.05, math.Inf(1)}
	plain := start()
	if _, err := plain.Step(0); err != nil {
		t.Fatal(err)
	}
	g := start()
	if err := g.PlanWithin(lower, upper); err != nil {
		t.Fatal(err)
	}
	before, _ := plain.Trajectory()
	after, _ := g.Trajectory()
	if a, b := before.Axis(0).Extrema().Max, after.Axis(0).Extrema().Max; !(b <= 1.05+beyond) && !(b < a) {
		t.Errorf("axis 1 reaches %.4f, without limits %.4f", b, a)
	}
	if g.Input.Axes[1].Sync != InTime {
		t.Error("an axis within its limits no longer waits for the others")
	}
	testkit.NoAllocs(t, 100, func() {
		g.Input.MinDuration += 1e-3
		if err := g.PlanWithin(lower, upper); err != nil {
			t.Fatal(err)
		}
	})
}
