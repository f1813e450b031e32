package planning

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/planning/space"
)

// TestInformedSamplesFillTheEllipse compares the area that samples cover with that of the ellipse, and its parts with each other: of a uniform sample a
// quarter lies in the ellipse of half the size.
func TestInformedSamplesFillTheEllipse(t *testing.T) {
	plane, err := space.NewAxes(space.Axis{Lower: -9, Upper: 9}, space.Axis{Lower: -9, Upper: 9})
	if err != nil {
		t.Fatal(err)
	}
	start, goal, length := []float64{1, 2}, []float64{4, -2}, 7.0
	in := newInformed(plane)
	in.begin(start, goal, 1)
	const n = 20_000
	inner, left, far := 0.0, 0.0, 0.0
	for range n {
		p := make([]float64, 2)
		if !in.next(start, goal, length, p, func() { t.Fatal("it samples the whole space") }) {
			t.Fatalf("%v is on no shorter path", p)
		}
		x, y := p[0]-2.5, p[1]
		along, across := (3*x-4*y)/5, (4*x+3*y)/5
		if math.Hypot(along/3.5, across/math.Sqrt(6)) < 0.5 {
			inner++
		}
		if across > 0 {
			left++
		}
		if along > 0 {
			far++
		}
	}
	testkit.Near(t, "inner part", inner/n, 0.25, 0.02)
	testkit.Near(t, "part to the left", left/n, 0.5, 0.02)
	testkit.Near(t, "part near the goal", far/n, 0.5, 0.02)
}
