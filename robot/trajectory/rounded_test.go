package trajectory

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// panda are the limits of Franka's Panda (its published control parameters).
var panda = func() []Limits {
	velocity := []float64{2.175, 2.175, 2.175, 2.175, 2.61, 2.61, 2.61}
	acceleration := []float64{15, 7.5, 10, 12.5, 15, 20, 20}
	list := make([]Limits, 7)
	for i := range list {
		list[i] = Limits{Velocity: velocity[i], Acceleration: acceleration[i], Jerk: 500 * acceleration[i]}
	}
	return list
}()

// walk returns a polyline of random points, some of them close to each other.
func walk(r *rand.Rand, axes, n int) (points []float64) {
	for i := range axes * n {
		step := r.NormFloat64() * math.Pow(10, -2*r.Float64())
		if i >= axes {
			step += points[i-axes]
		}
		points = append(points, step)
	}
	return points
}

func repeat(x float64, n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = x
	}
	return list
}

// randomLimits returns limits that differ from axis to axis, and between up and down.
func randomLimits(r *rand.Rand, n int) []Limits {
	list := make([]Limits, n)
	for i := range list {
		list[i] = Limits{Velocity: 1 + r.Float64(), Acceleration: 2 + 10*r.Float64(), Jerk: math.Pow(10, 1+3*r.Float64()), MinVelocity: -1 - r.Float64(), MinAcceleration: -2 - 10*r.Float64()}
	}
	return list
}

// distance returns how far q is from the polyline.
func distance(q []State, points []float64) float64 {
	n := len(q)
	best := math.Inf(1)
	for k := n; k < len(points); k += n {
		along, length := 0.0, 0.0
		for i := range n {
			d := points[k+i] - points[k-n+i]
			along += d * (q[i].Position - points[k-n+i])
			length += d * d
		}
		if length == 0 {
			continue
		}
		t := min(max(along/length, 0), 1)
		sum := 0.0
		for i := range n {
			x := q[i].Position - points[k-n+i] - t*(points[k+i]-points[k-n+i])
			sum += x * x
		}
		best = min(best, sum)
	}
	return math.Sqrt(best)
}

// TestRoundedKeepsItsLimitsEverywhere samples random motions: limits, deviations, continuity, and that each state is the integral of the next.
func TestRoundedKeepsItsLimitsEverywhere(t *testing.T) {
	r := testkit.Rand(t)
	for range 60 {
		axes, n := 1+r.IntN(7), 2+r.IntN(8)
		points, limits := walk(r, axes, n), randomLimits(r, axes)
		deviation := make([]float64, n)
		most := 0.0
		for i := range deviation {
			deviation[i] = [...]float64{0, 0.01, 0.1, math.Inf(1)}[r.IntN(4)]
			if i > 0 && i < n-1 {
				most = max(most, deviation[i])
			}
		}
		m := NewRounded(axes, n)
		if err := m.Plan(points, limits, deviation); err != nil {
			t.Fatal(err)
		}
		const samples = 3000
		now, before, jerk := make([]State, axes), make([]State, axes), make([]float64, axes)
		h := m.Duration() / samples
		for k := range samples + 1 {
			m.At(float64(k)*h, now)
			m.Jerk(float64(k)*h, jerk)
			for i, x := range now {
				l := limits[i]
				if x.Velocity > l.Velocity+1e-9 || x.Velocity < l.MinVelocity-1e-9 || x.Acceleration > l.Acceleration+1e-9 || x.Acceleration < l.MinAcceleration-1e-9 || math.Abs(jerk[i]) > l.Jerk*(1+1e-9) {
					t.Fatalf("axis %d at %g s: %+v, jerk %g, limits %+v", i, float64(k)*h, x, jerk[i], l)
				}
				if k == 0 {
					continue
				}
				y := before[i]
				if d := math.Abs(x.Position - y.Position - h*(x.Velocity+y.Velocity)/2); d > l.Jerk*h*h*h/4+1e-9 {
					t.Fatalf("axis %d at %g s: the position is %g off the integral of the velocity", i, float64(k)*h, d)
				}
				if d := math.Abs(x.Velocity - y.Velocity - h*(x.Acceleration+y.Acceleration)/2); d > l.Jerk*h*h/2+1e-9 {
					t.Fatalf("axis %d at %g s: the velocity is %g off the integral of the acceleration", i, float64(k)*h, d)
				}
				if d := math.Abs(x.Acceleration - y.Acceleration); d > l.Jerk*h+1e-9 {
					t.Fatalf("axis %d at %g s: the acceleration jumps by %g", i, float64(k)*h, d)
				}
			}
			copy(before, now)
			if d := distance(now, points); d > most+1e-9 {
				t.Fatalf("%g off the polyline at %g s, at most %g is allowed", d, float64(k)*h, most)
			}
		}
		m.At(0, now)
		m.At(m.Duration()+1, before)
		for i := range axes {
			testkit.Near(t, "start", now[i].Position, points[i], 0)
			testkit.Near(t, "end", before[i].Position, points[(n-1)*axes+i], 0)
			if now[i].Velocity != 0 || before[i].Velocity != 0 || before[i].Acceleration != 0 {
				t.Fatalf("starts as %+v and ends as %+v", now[i], before[i])
			}
		}
	}
}

// TestRoundedOnOneEdgeIsTheDoubleS compares with the closed form of Biagiotti and Melchiorri (2008), section 3.4, from rest to rest.
func TestRoundedOnOneEdgeIsTheDoubleS(t *testing.T) {
	r := testkit.Rand(t)
	for range 1000 {
		v, a, j, d := 1+r.Float64(), 1+9*r.Float64(), math.Pow(10, 3*r.Float64()), math.Pow(10, 3*r.Float64()-2)
		grow, ramp := min(math.Sqrt(v/j), a/j), 0.0 // equation 3.22
		if grow == a/j {
			ramp = v/a + a/j
		} else {
			ramp = 2 * grow
		}
		want := d/v + ramp
		if d < v*ramp { // the greatest speed is not reached: equations 3.29 to 3.31
			want = a/j + math.Sqrt(a*a/(j*j)+4*d/a)
			if want/2 < 2*a/j {
				want = 4 * math.Cbrt(d/(2*j))
			}
		}
		m := NewRounded(1, 2)
		if err := m.Plan([]float64{0.5, 0.5 - d}, []Limits{{Velocity: v, Acceleration: a, Jerk: j}}, repeat(0, 2)); err != nil {
			t.Fatal(err)
		}
		testkit.Near(t, "duration", m.Duration(), want, 1e-9)
	}
}

// TestRoundedBetweenSpeedsIsTheOptimumOfPlanner compares passages with the planner of any states, which solves another equation.
func TestRoundedBetweenSpeedsIsTheOptimumOfPlanner(t *testing.T) {
	r := testkit.Rand(t)
	compared := 0
	for range 2000 {
		l := Limits{Velocity: 1 + r.Float64(), Acceleration: 1 + 9*r.Float64(), MinAcceleration: -1 - 9*r.Float64(), Jerk: math.Pow(10, 3*r.Float64())}
		b := l.bounds()
		p := passage{ramp{b.upperAcceleration, b.jerk}, ramp{b.lowerAcceleration, b.jerk}, l.Velocity}
		from, to, d := l.Velocity*r.Float64(), l.Velocity*r.Float64(), math.Pow(10, 2*r.Float64()-1)
		got := p.time(from, to, d)
		if math.IsInf(got, 1) {
			continue
		}
		compared++
		want, err := Move(state(0, from, 0), state(d, to, 0), l)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Near(t, "duration", got, want.Duration(), 1e-8)
	}
	if compared < 500 {
		t.Errorf("%d passages were possible", compared)
	}
}

// TestRoundedIsBetweenTheOptimumAndStops compares with TOPP-RA on the rounded path itself, whose jerk is not limited, so that no motion along it is faster,
// and with a stop at each point.
func TestRoundedIsBetweenTheOptimumAndStops(t *testing.T) {
	r := testkit.Rand(t)
	shares, above := 0.0, 0.0
	const n = 20
	for range n {
		points := walk(r, 7, 5)
		m, stops := NewRounded(7, 5), NewRounded(7, 5)
		if err := errors.Join(m.Plan(points, panda, repeat(0.1, 5)), stops.Plan(points, panda, repeat(0, 5))); err != nil {
			t.Fatal(err)
		}
		// The path coordinate is the time of the motion, slowed where it is slow.
		limits := PathLimits{Axes: panda}
		best, err := FollowPath(timed{m, make([]State, 7)}, limits, PathOptions{Intervals: 4000, StartSpeed: 0, EndSpeed: 0})
		if err == nil {
			if best.Duration() > m.Duration()*1.01 {
				t.Errorf("the optimum without a limit of jerk takes %g s, the motion %g s", best.Duration(), m.Duration())
			}
			above += m.Duration() / best.Duration()
		} else {
			t.Log(err)
		}
		if m.Duration() > stops.Duration() {
			t.Errorf("%g s, with stops %g s", m.Duration(), stops.Duration())
		}
		shares += m.Duration() / stops.Duration()
	}
	t.Logf("duration %.3f of stopping at each point, %.3f of TOPP-RA", shares/n, above/n)
}

// timed is a motion as a path whose coordinate is its time.
type timed struct {
	m      *Rounded
	states []State
}

func (p timed) Domain() (lower, upper float64) { return 0, p.m.Duration() }

func (p timed) At(out []float64, s float64, order int) {
	p.m.At(s, p.states)
	for i, x := range p.states {
		out[i] = [...]float64{x.Position, x.Velocity, x.Acceleration}[order]
	}
}

func TestRoundedPlanAllocatesNothing(t *testing.T) {
	points, deviation := walk(testkit.Rand(t), 7, 9), repeat(math.Inf(1), 9)
	m, states := NewRounded(7, 9), make([]State, 7)
	testkit.NoAllocs(t, 20, func() {
		if err := m.Plan(points, panda, deviation); err != nil {
			t.Fatal(err)
		}
		m.At(m.Duration()/2, states)
	})
}

func TestRoundedRejectsWhatItCannotPlan(t *testing.T) {
	m := NewRounded(1, 2)
	unlimited := Limits{Velocity: 1, Acceleration: 1, Jerk: math.Inf(1)}
	for want, c := range map[error]struct {
		points []float64
		limits Limits
	}{
		ErrNotFinite: {[]float64{0, math.NaN()}, Limits{Velocity: 1, Acceleration: 1, Jerk: 1}},
		ErrLimits:    {[]float64{0, 1}, Limits{Velocity: -1, Acceleration: 1, Jerk: 1}},
		ErrUnlimited: {[]float64{0, 1}, unlimited},
	} {
		if err := m.Plan(c.points, []Limits{c.limits}, repeat(0, 2)); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
	if err := m.Plan([]float64{1, 1, 1}, []Limits{{Velocity: 1, Acceleration: 1, Jerk: 1}}, repeat(1, 3)); err != nil || m.Duration() != 0 {
		t.Errorf("one point: %v, %g s", err, m.Duration())
	}
	states := make([]State, 1)
	if m.At(0, states); states[0] != (State{Position: 1}) {
		t.Errorf("rests at %+v", states[0])
	}
}

// BenchmarkRounded is one motion of seven axes along six points.
func BenchmarkRounded(b *testing.B) {
	points, deviation := walk(rand.New(rand.NewPCG(1, 2)), 7, 6), repeat(0.2, 6)
	m := NewRounded(7, 6)
	b.ReportAllocs()
	for b.Loop() {
		if err := m.Plan(points, panda, deviation); err != nil {
			b.Fatal(err)
		}
	}
}
