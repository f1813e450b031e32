package trajectory

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// The derivatives of a smooth law are those of its path coordinate, and its jerk is bounded by the jump of the acceleration.
func TestSmoothLawBoundsTheJerk(t *testing.T) {
	path := NewToolPath(at(0, 0, 0))
	path.LineTo(at(1, 0, 0))
	const speed, acceleration, window = 0.5, 2, 0.1
	m, err := FollowTool(path, ToolLimits{Speed: speed, Acceleration: acceleration}, PathOptions{})
	if err != nil {
		t.Fatal(err)
	}
	l := m.Smooth(window)
	first, _, _, _ := l.Law(0)
	last, _, _, _ := l.Law(l.Duration())
	testkit.Near(t, "start", first, 0, 1e-15)
	testkit.Near(t, "end", last, 1, 1e-12)
	const h = 1e-5
	for k := range 1000 {
		x := l.Duration() * float64(k) / 1000
		_, v, a, j := l.Law(x)
		if v > speed+1e-12 || math.Abs(a) > acceleration+1e-9 || math.Abs(j) > acceleration/window*(1+1e-6) {
			t.Fatalf("at %g s: speed %g, acceleration %g, jerk %g", x, v, a, j)
		}
		before, v0, a0, _ := l.Law(x - h)
		after, v1, a1, _ := l.Law(x + h)
		testkit.Near(t, "speed", (after-before)/(2*h), v, 1e-8)
		testkit.Near(t, "acceleration", (v1-v0)/(2*h), a, 1e-3)
		testkit.Near(t, "jerk", (a1-a0)/(2*h), j, 0.2)
	}
	// Averaged over one window the trapezoid would be the double-S profile, whose duration is known in closed form.
	profile, err := Move(State{}, State{Position: 1}, Limits{Velocity: speed, Acceleration: acceleration, Jerk: acceleration / window})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Near(t, "duration", l.Duration(), profile.Duration()+window/8, 2e-3*l.Duration()+0.02)
}
