package trajectory

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkPlan7 is one update of seven axes between random states, all arriving together.
func BenchmarkPlan7(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	inputs := make([]Input, 1024)
	for k := range inputs {
		inputs[k] = Input{Axes: make([]Axis, 7)}
		for i := range inputs[k].Axes {
			x := &inputs[k].Axes[i]
			x.Limits = Limits{Velocity: 1 + 9*r.Float64(), Acceleration: 1 + 9*r.Float64(), Jerk: 1 + 9*r.Float64()}
			for ok := false; !ok; {
				x.Start = state(4*r.NormFloat64(), 0.8*r.NormFloat64(), 0.8*r.NormFloat64())
				x.Target = state(4*r.NormFloat64(), 0.8*r.NormFloat64(), 0.8*r.NormFloat64())
				l := x.Limits.bounds()
				ok = x.check() == nil && l.viable(x.Start.Velocity, x.Start.Acceleration)
			}
		}
	}
	planner, motion := NewPlanner(7), NewTrajectory(7)
	b.ReportAllocs()
	for k := 0; b.Loop(); k++ {
		if err := planner.Plan(&inputs[k%len(inputs)], motion); err != nil {
			b.Fatal(err)
		}
	}
}
