package planning_test

import (
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

// TestStrategiesConform samples a plane with a narrow passage: all points are free and within the limits, a seed repeats, and those strategies that
// look for obstacles or passages find more than their share of them.
func TestStrategiesConform(t *testing.T) {
	s := slider(disc, 4, box("below", 1.5, 0, 2.5, 1.8), box("above", 1.5, 2.2, 2.5, 4))
	plane := joints(s)
	v := must(planning.NewVerifier(exact.New(s), plane, resolution))
	for name, c := range map[string]struct {
		planning.Strategy
		passage, border float64 // least parts of the samples in the passage, and at most 0.3 m from an obstacle; everywhere has 2 and 16 %
	}{
		"everywhere": {planning.WholeSpace{Sampler: &space.Uniform{}}, 0.005, 0.05},
		"gaussian":   {&planning.Gaussian{Sigma: 0.2}, 0.08, 0.6},
		"bridge":     {&planning.Bridge{Sigma: 0.3}, 0.3, 0.3},
	} {
		t.Run(name, func(t *testing.T) {
			p := make([]float64, 2)
			for _, seed := range []uint64{0, 5} {
				var first [][2]float64
				samples, passage, border := 0.0, 0.0, 0.0
				c.Reset(seed)
				for range 20_000 {
					if !c.Next(v, p) {
						continue
					}
					first = append(first, [2]float64(p))
					if plane.Outside(p) >= 0 || !v.Free(p) {
						t.Fatalf("%v is not free", p)
					}
					samples++
					inside := p[0] > 1.4 && p[0] < 2.6
					if inside {
						passage++
					}
					if inside || p[0] > 1.1 && p[0] < 2.9 {
						border++
					}
				}
				if passage/samples < c.passage || border/samples < c.border {
					t.Errorf("of %g samples %g are in the passage and %g near obstacles, want parts of %g and %g", samples, passage, border, c.passage, c.border)
				}
				c.Reset(seed)
				for _, want := range first {
					for !c.Next(v, p) {
					}
					if [2]float64(p) != want {
						t.Fatalf("seed %d gives %v after %v", seed, p, want)
					}
				}
			}
			testkit.NoAllocs(t, 100, func() { c.Next(v, p) })
		})
	}
}
