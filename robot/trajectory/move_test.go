package trajectory

import (
	"fmt"
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

func ExampleMove() {
	p, err := Move(state(0, 0, 0), state(2, 0, 0), Limits{Velocity: 1, Acceleration: 2, Jerk: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := p.State(p.Duration() / 2)
	fmt.Printf("%.2f s, half way at %.2f rad with %.2f rad/s\n", p.Duration(), s.Position, s.Velocity)
	// Output: 2.70 s, half way at 1.00 rad with 1.00 rad/s
}

// Rest to rest, the durations are those of the textbook (Biagiotti and Melchiorri 2008, sections 3.2 and 3.4).
func TestRestToRestDurationsAreThoseOfTheTextbook(t *testing.T) {
	r := testkit.Rand(t)
	for range 2000 {
		h, v, a, j := draw(r, 10), draw(r, 10), draw(r, 10), draw(r, 10)
		trapezoid := h/v + v/a
		if h < v*v/a {
			trapezoid = 2 * math.Sqrt(h/a)
		}
		ta := v/a + a/j // time to accelerate
		if v*j < a*a {
			ta = 2 * math.Sqrt(v/j)
		}
		s := h/v + ta
		if h < v*ta { // the velocity limit is not reached
			s = a/j + math.Sqrt(a*a/(j*j)+4*h/a)
			if h < 2*a*a*a/(j*j) { // nor is that of the acceleration
				s = 4 * math.Cbrt(h/(2*j))
			}
		}
		for _, c := range []struct {
			jerk, want float64
		}{{j, s}, {math.Inf(1), trapezoid}} {
			p, err := Move(state(0, 0, 0), state(h, 0, 0), Limits{Velocity: v, Acceleration: a, Jerk: c.jerk})
			if err != nil {
				t.Fatal(err)
			}
			testkit.Near(t, fmt.Sprintf("duration of h=%v v=%v a=%v j=%v", h, v, a, c.jerk), p.Duration(), c.want, 1e-9)
		}
	}
}

func TestMoveInTakesAtLeastTheGivenTime(t *testing.T) {
	l := Limits{Velocity: 1, Acceleration: 2, Jerk: 10}
	p, err := MoveIn(5, state(0, 0, 0), state(1, 0, 0), l)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Near(t, "duration", p.Duration(), 5, 1e-12)

	// At full speed from start to end there is one way to take 1 s; slightly more may or may not be possible.
	p, err = MoveIn(1.05, state(0, 1, 0), state(1, 1, 0), l)
	if err != nil {
		t.Fatal(err)
	}
	if p.Duration() < 1.05 {
		t.Errorf("lasts %v s, less than asked for", p.Duration())
	}
}

// Axes in phase keep to a straight line, and need as long as its tightest limits demand.
func TestAxesInPhaseStayOnALine(t *testing.T) {
	r := testkit.Rand(t)
	for range 3000 {
		in := Input{Axes: make([]Axis, 3)}
		var direction [3]float64
		v0, a0, vf, af := 0.3*r.NormFloat64()*float64(r.IntN(2)), 0.1*r.NormFloat64()*float64(r.IntN(2)), 0.3*r.NormFloat64()*float64(r.IntN(2)), 0.1*r.NormFloat64()*float64(r.IntN(2))
		for i := range in.Axes {
			d := r.NormFloat64()
			if r.IntN(5) == 0 {
				d = 0
			}
			direction[i] = d
			in.Axes[i] = Axis{Sync: InPhase, Limits: Limits{Velocity: 1 + 5*r.Float64(), Acceleration: 1 + 5*r.Float64(), Jerk: 5 + 5*r.Float64(), MinVelocity: -2},
				Start: state(1, d*v0, d*a0), Target: state(1+2*d, d*vf, d*af)}
		}
		planner, motion := NewPlanner(3), NewTrajectory(3)
		if err := planner.Plan(&in, motion); err != nil {
			continue // the random target is outside the limits
		}
		if err := verify(&in, motion); err != nil {
			t.Fatal(err, in)
		}
		inTime := in
		inTime.Axes = append([]Axis(nil), in.Axes...)
		for i := range inTime.Axes {
			inTime.Axes[i].Sync = InTime
		}
		free := NewTrajectory(3)
		if err := planner.Plan(&inTime, free); err != nil {
			t.Fatal(err)
		}
		if free.Duration() > motion.Duration()+1e-9 {
			t.Errorf("free motion lasts %v s, the straight line %v s", free.Duration(), motion.Duration())
		}
		if _, straight := phaseOf(&in); !straight {
			continue
		}
		for k := range 20 {
			time := motion.Duration() * float64(k) / 20
			s := [3]State{}
			motion.At(time, s[:])
			for i := range s {
				for j := range s {
					if off := (s[i].Position-1)*direction[j] - (s[j].Position-1)*direction[i]; math.Abs(off) > 1e-8 {
						t.Fatalf("off the line by %v at %v s: %+v", off, time, in)
					}
				}
			}
		}
	}
}

// phaseOf reports whether the axes of in can keep to a line.
func phaseOf(in *Input) (n int, straight bool) {
	p := NewPlanner(len(in.Axes))
	p.phase.set(in.Axes)
	return p.phase.n, p.phase.n > 1
}

func TestStretchSlowsAMotionDown(t *testing.T) {
	in := Input{Axes: []Axis{
		{Target: state(1, 0, 0), Limits: Limits{Velocity: 1, Acceleration: 2, Jerk: 10}},
		{Target: state(-3, 0, 0), Limits: Limits{Velocity: 1, Acceleration: 2, Jerk: 10}},
	}}
	motion, slow := NewTrajectory(2), NewTrajectory(2)
	for _, m := range []*Trajectory{motion, slow} {
		if err := NewPlanner(2).Plan(&in, m); err != nil {
			t.Fatal(err)
		}
	}
	slow.Stretch(2 * motion.Duration())
	for k := range 101 {
		x, y := [2]State{}, [2]State{}
		time := motion.Duration() * float64(k) / 100
		motion.At(time, x[:])
		slow.At(2*time, y[:])
		for i := range x {
			testkit.Near(t, "position", y[i].Position, x[i].Position, 1e-12)
			testkit.Near(t, "velocity", y[i].Velocity, x[i].Velocity/2, 1e-12)
			testkit.Near(t, "acceleration", y[i].Acceleration, x[i].Acceleration/4, 1e-12)
		}
	}
}

func TestExtremaBoundTheMotion(t *testing.T) {
	r := testkit.Rand(t)
	planner, motion := NewPlanner(1), NewTrajectory(1)
	for range 2000 {
		in := randomInput(r, 1)
		if err := planner.Plan(&in, motion); err != nil {
			t.Fatal(err)
		}
		p := motion.Axis(0)
		e := p.Extrema()
		for k := range 100 {
			x := p.State(p.Duration() * float64(k) / 100).Position
			if slack := 1e-8 * (1 + math.Abs(x)); x < e.Min-slack || x > e.Max+slack {
				t.Fatalf("at %v, outside %+v", x, e)
			}
		}
		testkit.Near(t, "least", p.State(e.MinTime).Position, e.Min, 1e-8)
		testkit.Near(t, "greatest", p.State(e.MaxTime).Position, e.Max, 1e-8)
		middle := e.Min + r.Float64()*(e.Max-e.Min)
		time, ok := p.FirstAt(middle)
		if !ok {
			t.Fatalf("never passes %v, within %+v", middle, e)
		}
		testkit.Near(t, "position passed", p.State(time).Position, middle, 1e-8)
	}
}
