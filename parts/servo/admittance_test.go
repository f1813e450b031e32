package servo

import (
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

func TestAdmittanceYieldsAsASpringAndReturns(t *testing.T) {
	a := &Admittance{
		N: block.NewConst(2), Mass: block.NewParam([]float64{1}), Damping: block.NewParam([]float64{20}),
		Stiffness: block.NewParam([]float64{100, 0}), Limit: block.NewParam([]float64{0.2, 0.3}),
	}
	r := newRig(t)
	r.add("a", a)
	var pressed, left []float64
	r.run(600, func(k int) {
		force := 0.0
		if k < 300 {
			force = 5
		}
		a.Force.Feed([]float64{force, force})
		a.Desired.Feed([]float64{1, 2})
		a.DesiredVelocity.Feed([]float64{0.5, 0})
		if k == 450 { // bad numbers leave everything where it is
			a.Force.Feed([]float64{math.NaN(), math.Inf(1)})
			a.Desired.Feed([]float64{math.NaN(), 2})
		}
	}, func(k int) {
		switch k {
		case 299:
			pressed = append(pressed, a.Position.Value()...)
		case 599:
			left = append(left, a.Position.Value()...)
		}
	})
	testkit.AllNear(t, "pressed: force/stiffness, and the limit of the axis that is guided by hand", pressed, []float64{1.05, 2.3}, 1e-6)
	testkit.AllNear(t, "left alone: back, and where it was left", left, []float64{1, 2.3}, 1e-6)
	testkit.AllNear(t, "velocity", a.Velocity.Value(), []float64{0.5, 0}, 1e-6)
	testkit.NoAllocs(t, 500, func() { _ = a.Step(clock.Tick{Dt: period}) })
	if got := buildError(t, &Admittance{N: block.NewConst(3), Mass: block.NewParam([]float64{1, 2})}); !strings.Contains(got, "mass has length 2") {
		t.Errorf("got %q", got)
	}
}
