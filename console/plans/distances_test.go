package plans_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/console/plans"
)

// The judge is geometry on paper: a rod of 40 mm across at y = 0 and z = 1 m, beside boxes.
func TestDistancesOfAPairAndOfTheNearestPairs(t *testing.T) {
	p, _, q := arm(t)
	ask := func(pair ...string) (*plans.DistancesReply, error) {
		return p.Distances(context.Background(), plans.DistancesRequest{System: q.System, Robot: q.Robot, Q: []float64{0, 0}, Pair: pair,
			Objects: []plans.Object{box("far", 0.2, 1, 1, 0.1), box("near", 0.2, -0.17, 1, 0.1), box("inside", 0.2, 0.06, 1, 0.1)}})
	}
	for name, want := range map[string]float64{"far": 0.93, "near": 0.1, "inside": -0.01} {
		r, err := ask("upper", name)
		if err != nil || len(r.Pairs) != 1 || math.Abs(r.Pairs[0].Distance-want) > 1e-9 {
			t.Errorf("upper and %s: %+v, %v, want %g", name, r, err, want)
		}
	}
	r, err := ask()
	if err != nil || len(r.Pairs) < 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	for i, c := range r.Pairs {
		if i > 0 && c.Distance < r.Pairs[i-1].Distance {
			t.Errorf("pair %d is nearer than the one before: %+v", i, r.Pairs)
		}
	}
	if c := r.Pairs[0]; c.A != "upper" && c.B != "upper" || c.A != "inside" && c.B != "inside" || math.Abs(c.Distance+0.01) > 1e-9 {
		t.Errorf("the nearest pair is %+v", c)
	}
	for _, bad := range []struct {
		pair []string
		want string
	}{{[]string{"upper"}, "two different"}, {[]string{"far", "far"}, "two different"}, {[]string{"far", "uper"}, "upper"}, {[]string{"base", "far"}, "base"}} {
		if r, err := ask(bad.pair...); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%q: %+v, %v, want an error with %q", bad.pair, r, err, bad.want)
		}
	}
}
