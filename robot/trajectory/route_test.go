package trajectory

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

func ExamplePlanThrough() {
	in := Input{Axes: make([]Axis, 2)}
	for i := range in.Axes {
		in.Axes[i].Limits = Limits{Velocity: 1, Acceleration: 2, Jerk: 10}
		in.Axes[i].Target.Position = 2
	}
	route, err := PlanThrough(&in, [][]float64{{0.5, 1}, {1.5, 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, start := route.Part(1)
	s := make([]State, 2)
	route.At(start, s)
	fmt.Printf("passes %.2f %.2f on the way, all in %.1f s\n", s[0].Position, s[1].Position, route.Duration())
	// Output: passes 0.50 1.00 on the way, all in 3.8 s
}

// The route passes its points within limits, and is faster than one that stops. Through points on a straight
// line it is as fast as without them.
func TestPlanThroughIsFasterThanStopping(t *testing.T) {
	r := testkit.Rand(t)
	sum, stops := 0.0, 0.0
	for range 15 {
		in := Input{Axes: make([]Axis, 1+r.IntN(7))}
		via := make([][]float64, 1+r.IntN(4))
		for k := range via {
			via[k] = make([]float64, len(in.Axes))
			for i := range via[k] {
				via[k][i] = r.NormFloat64()
			}
		}
		for i := range in.Axes {
			in.Axes[i].Limits = Limits{Velocity: 1 + r.Float64(), Acceleration: 1 + 3*r.Float64(), Jerk: 5 + 20*r.Float64()}
			in.Axes[i].Target.Position = r.NormFloat64()
		}
		begin := time.Now()
		route, err := PlanThrough(&in, via)
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(begin)
		stop := newSearch(&in, via)
		rest, err := stop.route()
		if err != nil {
			t.Fatal(err)
		}
		if route.Duration() > rest.Duration()*(1+1e-9) {
			t.Errorf("%v s, with stops %v s", route.Duration(), rest.Duration())
		}
		t.Logf("%d axes, %d points: %.3f s, with stops %.3f s, found in %v", len(in.Axes), len(via), route.Duration(), rest.Duration(), took)
		sum, stops = sum+route.Duration(), stops+rest.Duration()
		last := make([]State, len(in.Axes))
		state := make([]State, len(in.Axes))
		for i := range last {
			last[i] = in.Axes[i].Start
		}
		for k := range route.Parts() {
			part, start := route.Part(k)
			for i := range in.Axes {
				x := in.Axes[i]
				x.Start = last[i]
				if k < len(via) {
					x.Target = part.Axis(i).State(part.Duration())
					testkit.Near(t, "position of the point", x.Target.Position, via[k][i], 1e-9)
				}
				if err := verifyAxis(&x, part.Axis(i)); err != nil {
					t.Error(err)
				}
			}
			part.At(part.Duration(), last)
			route.At(start+part.Duration(), state)
			for i := range state {
				testkit.Near(t, "velocity of the route", state[i].Velocity, last[i].Velocity, 1e-9)
			}
		}
	}
	t.Logf("on average %.2f of the duration with stops", sum/stops)
}

func TestPlanThroughPointsOnALineIsAsFastAsAMove(t *testing.T) {
	in := Input{Axes: make([]Axis, 2)}
	for i := range in.Axes {
		in.Axes[i].Limits = Limits{Velocity: 1, Acceleration: 2, Jerk: 10}
		in.Axes[i].Target.Position = 4
	}
	route, err := PlanThrough(&in, [][]float64{{1, 1}, {2, 2}, {3, 3}})
	if err != nil {
		t.Fatal(err)
	}
	direct, err := Move(in.Axes[0].Start, in.Axes[0].Target, in.Axes[0].Limits)
	if err != nil {
		t.Fatal(err)
	}
	if excess := route.Duration()/direct.Duration() - 1; math.Abs(excess) > 0.01 {
		t.Errorf("%v s through points on a line, %v s without", route.Duration(), direct.Duration())
	}
}
