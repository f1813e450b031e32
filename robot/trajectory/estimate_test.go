package trajectory

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// TestEstimatorAgreesWithRoundedMotions compares estimates with plans, of polylines with long and with ever shorter edges.
func TestEstimatorAgreesWithRoundedMotions(t *testing.T) {
	r := testkit.Rand(t)
	for _, c := range []struct{ edge, least, most float64 }{
		{edge: 3, least: 1 - 1e-9, most: 1 + 1e-9}, // no corner needs to be passed slowly
		{edge: 1, least: 0.8, most: 1.05},
		{edge: 0.1, least: 0.5, most: 1.6},
	} {
		least, most := math.Inf(1), 0.0
		for range 300 {
			points := repeat(0, 7)
			for range 7 * (2 + r.IntN(5)) {
				points = append(points, points[len(points)-7]+c.edge*r.NormFloat64())
			}
			limits := randomLimits(r, 7)
			m := NewRounded(7, len(points)/7)
			if err := m.Plan(points, limits, repeat(math.Inf(1), len(points)/7)); err != nil {
				t.Fatal(err)
			}
			ratio := NewEstimator(limits).Duration(points) / m.Duration()
			least, most = min(least, ratio), max(most, ratio)
		}
		t.Logf("edges of %g rad: estimated %.3f to %.3f of the duration", c.edge, least, most)
		if least < c.least || most > c.most {
			t.Errorf("edges of %g rad: estimated %.3f to %.3f of the duration, want %g to %g", c.edge, least, most, c.least, c.most)
		}
	}
}

func TestEstimatorTakesWhatRoundedTakes(t *testing.T) {
	e := NewEstimator(panda)
	for _, c := range []struct {
		name   string
		points []float64
	}{
		{"no point", nil},
		{"one point", repeat(1, 7)},
		{"the same point twice", repeat(1, 14)},
	} {
		if d := e.Duration(c.points); d != 0 {
			t.Errorf("%s: %g s, want 0", c.name, d)
		}
	}
	line := append(repeat(0, 7), repeat(1, 7)...)
	testkit.Near(t, "a point twice on the way", e.Duration(append(line, repeat(1, 7)...)), e.Duration(line), 0)
	points := walk(testkit.Rand(t), 7, 6)
	testkit.NoAllocs(t, 1000, func() { e.Duration(points) })
}
