package control_test

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/control"
)

// lengths are those of a planar arm whose hand is a point: its task leaves joints-2 freedoms.
var lengths = []float64{0.4, 0.4, 0.3, 0.2}

// end returns the place of the end of a link, and its Jacobian: 2 × n.
func end(q []float64, links int) (x, y float64, j []float64) {
	n := len(q)
	j = make([]float64, 2*n)
	angle := 0.0
	for i := range links {
		angle += q[i]
		dx, dy := lengths[i]*math.Cos(angle), lengths[i]*math.Sin(angle)
		x, y = x+dx, y+dy
		for k := range i + 1 {
			j[k] -= dy
			j[n+k] += dx
		}
	}
	return x, y, j
}

// gradient returns the distance of the end of a link from a point, and its gradient.
func gradient(q []float64, links int, px, py float64) (d float64, g []float64) {
	x, y, j := end(q, links)
	d = math.Hypot(x-px, y-py)
	g = make([]float64, len(q))
	for i := range g {
		g[i] = ((x-px)*j[i] + (y-py)*j[len(q)+i]) / d
	}
	return d, g
}

func law(q []float64) *control.Avoidance {
	a := control.NewAvoidance(len(q), 2)
	a.Near, a.Far, a.Speed, a.Return = 0.1, 0.3, 0.5, 2
	for i := range q {
		a.MaxVelocity[i], a.MaxAcceleration[i] = 2, 10
	}
	a.Reset(q)
	return a
}

// cycle is one of the law that holds the hand where it is, with the points as obstacles for the second link's end.
func cycle(t testing.TB, a *control.Avoidance, task, desired []float64, points ...[2]float64) (least float64) {
	t.Helper()
	q := a.Position()
	_, _, j := end(q, len(q))
	if !a.Begin(j) {
		t.Fatal("the Jacobian is refused")
	}
	least = math.Inf(1)
	for _, p := range points {
		d, g := gradient(q, 2, p[0], p[1])
		a.Repel(d, g)
		least = min(least, d)
	}
	if share, ok := a.Step(0.002, task, desired, make([]float64, len(q))); !ok || share < 1-1e-9 {
		t.Fatalf("the limits allow %g of the task", share)
	}
	return least
}

var bent = []float64{0.5, 0.9, -0.8, -0.9}

// The gradient with respect to the joints is what finite differences give, the distance grows, and the hand keeps its place.
func TestAvoidanceKeepsTheTaskWhileTheDistanceGrows(t *testing.T) {
	a := law(bent)
	x0, y0, _ := end(bent, 4)
	ex, ey, _ := end(bent, 2)
	point := [2]float64{ex + 0.06, ey - 0.03}
	_, g := gradient(bent, 2, point[0], point[1])
	for i := range bent {
		h := append([]float64{}, bent...)
		h[i] += 1e-6
		up, _ := gradient(h, 2, point[0], point[1])
		h[i] -= 2e-6
		down, _ := gradient(h, 2, point[0], point[1])
		testkit.Near(t, "∂d/∂q", g[i], (up-down)/2e-6, 1e-7)
	}
	first, _ := gradient(bent, 2, point[0], point[1])
	last, freedom := first, 0.0
	for range 1000 {
		d := cycle(t, a, []float64{0, 0}, bent, point)
		if d < last-1e-5 {
			t.Fatalf("the distance falls from %g to %g m", last, d)
		}
		last, freedom = d, max(freedom, a.Freedom())
		x, y, _ := end(a.Position(), 4)
		if off := math.Hypot(x-x0, y-y0); off > 1e-3 { // the drift of the integration: no feedback corrects it here
			t.Fatalf("the hand is %g m off", off)
		}
		_, _, j := end(a.Position(), 4)
		for row := range 2 {
			v := 0.0
			for i, r := range a.Velocity() {
				v += j[4*row+i] * r
			}
			testkit.Near(t, "velocity of the hand", v, 0, 5e-3)
		}
	}
	if last < 0.14 || freedom < 0.1 {
		t.Errorf("from %g m away to %g m with a freedom of up to %g; want 0.14 m", first, last, freedom)
	}
	for range 4000 {
		cycle(t, a, []float64{0, 0}, bent)
	}
	testkit.AllNear(t, "joints after the obstacle has left", a.Position(), bent, 5e-3)
}

// Without obstacles the law is the desired motion.
func TestAvoidanceFollowsTheDesiredMotion(t *testing.T) {
	a := law(bent)
	desired, velocity := append([]float64{}, bent...), make([]float64, 4)
	for k := range 2000 {
		s := float64(k) * 0.002
		for i := range velocity {
			velocity[i] = 0.3 * (1 - math.Cos(s)) * math.Cos(float64(i))
		}
		_, _, j := end(a.Position(), 4)
		a.Begin(j)
		task := make([]float64, 2)
		for row := range task {
			for i, v := range velocity {
				task[row] += j[4*row+i] * v
			}
		}
		if share, ok := a.Step(0.002, task, desired, velocity); !ok || share < 1-1e-9 {
			t.Fatal("the limits bound a slow motion")
		}
		for i, v := range velocity {
			desired[i] += 0.002 * v
		}
		testkit.AllNear(t, "velocity", a.Velocity(), velocity, 2e-3)
	}
	testkit.AllNear(t, "position", a.Position(), desired, 5e-3)
}

// Velocities change no faster than the acceleration allows when another obstacle becomes the nearest, and when an obstacle jumps onto the link: at the distance zero and
// below.
func TestAvoidanceIsContinuousAndBounded(t *testing.T) {
	r := testkit.Rand(t)
	a := law(bent)
	for i := range bent {
		a.Lower[i], a.Upper[i] = bent[i]-1, bent[i]+1
	}
	before := make([]float64, 4)
	for k := range 20_000 {
		x, y, j := end(a.Position(), 2)
		_, _, hand := end(a.Position(), 4)
		a.Begin(hand)
		if k%50 < 30 {
			a.Repel(r.Float64()*0.5-0.2, append([]float64{}, j[:4]...)) // another distance each time
			d, g := gradient(a.Position(), 2, x+0.05*r.NormFloat64(), y+0.05*r.NormFloat64())
			a.Repel(d, g)
			a.Repel(0, make([]float64, 4))
		}
		a.Step(0.002, []float64{0.1 * r.NormFloat64(), 0.1 * r.NormFloat64()}, bent, make([]float64, 4))
		for i, v := range a.Velocity() {
			q := a.Position()[i]
			if d := math.Abs(v - before[i]); !(math.Abs(v) <= 2+1e-6 && d <= 10*0.002+1e-6) || q < a.Lower[i]-1e-3 || q > a.Upper[i]+1e-3 {
				t.Fatalf("joint %d at %g rad: velocity %g after %g", i, q, v, before[i])
			}
			before[i] = v
		}
	}
	for d := -0.1; d < 0.5; d += 1e-4 {
		if step := a.Activation(d) - a.Activation(d+1e-4); step < 0 || step > 1e-3 {
			t.Fatalf("the activation falls by %g at %g m", step, d)
		}
	}
}

// Two joints for a place in the plane: nothing is free, nothing moves, and the law reports that.
func TestAvoidanceReportsThatATaskLeavesNoFreedom(t *testing.T) {
	q := []float64{0.5, 0.9}
	a := law(q)
	x, y, _ := end(q, 1)
	for range 1000 {
		_, _, j := end(a.Position(), 2)
		a.Begin(j)
		d, g := gradient(a.Position(), 1, x+0.02, y)
		a.Repel(d, g)
		if a.Freedom() > 1e-3 {
			t.Fatalf("a freedom of %g", a.Freedom())
		}
		a.Step(0.002, []float64{0, 0}, q, []float64{0, 0})
	}
	testkit.AllNear(t, "joints", a.Position(), q, 1e-6)
}

// Stretched out, the hand cannot go outwards: velocities stay bounded, and numbers that are not finite change nothing.
func TestAvoidanceAtASingularityAndWithBadNumbers(t *testing.T) {
	q := []float64{0.3, 0, 0, 0}
	a := law(q)
	for i := range q {
		a.MaxVelocity[i], a.MaxAcceleration[i] = 1e6, 1e9
	}
	for range 500 {
		_, _, j := end(a.Position(), 4)
		a.Begin(j)
		a.Step(0.002, []float64{0.1 * math.Cos(0.3), 0.1 * math.Sin(0.3)}, a.Position(), make([]float64, 4))
		for i, v := range a.Velocity() {
			if !(math.Abs(v) < 2) {
				t.Fatalf("joint %d turns with %g rad/s for 0.1 m/s", i, v)
			}
		}
	}
	before := append([]float64{}, a.Position()...)
	_, _, j := end(before, 4)
	nan := []float64{math.NaN(), 0, 0, 0}
	if a.Begin(nan) || a.Begin(append(nan, nan...)) {
		t.Error("a Jacobian of another shape, or one that is not finite, is taken")
	}
	a.Begin(j)
	a.Repel(math.NaN(), before)
	a.Repel(0.01, nan)
	for _, c := range []struct {
		dt            float64
		task, desired []float64
	}{{0.002, nan[:2], before}, {0.002, []float64{0, 0}, nan}, {0, []float64{0, 0}, before}, {0.002, []float64{1e308, -1e308}, before}} {
		if _, ok := a.Step(c.dt, c.task, c.desired, make([]float64, 4)); ok {
			t.Errorf("a step of %g s with the task %v and %v desired is taken", c.dt, c.task, c.desired)
		}
	}
	testkit.AllNear(t, "joints", a.Position(), before, 0)
}

func TestAvoidanceAllocatesNothing(t *testing.T) {
	a := law(bent)
	x, y, _ := end(bent, 2)
	_, g := gradient(bent, 2, x+0.05, y)
	_, _, j := end(bent, 4)
	task, velocity := []float64{0.01, 0}, make([]float64, 4)
	testkit.NoAllocs(t, 1000, func() {
		a.Begin(j)
		a.Repel(0.12, g)
		a.Step(0.002, task, bent, velocity)
	})
}

func TestAvoidanceWithoutJointsPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	control.NewAvoidance(0, 6)
}
