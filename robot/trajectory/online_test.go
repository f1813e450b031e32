package trajectory_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

func ExampleOnline() {
	g := trajectory.NewOnline(2)
	limits := trajectory.Limits{Velocity: 1, Acceleration: 4, Jerk: 40}
	for i := range g.Input.Axes {
		g.Input.Axes[i].Limits = limits
		g.Input.Axes[i].Target.Position = 1 + float64(i)
	}
	for cycle := 1; ; cycle++ {
		arrived, err := g.Step(0.001)
		if err != nil {
			fmt.Println(err)
			return
		}
		if cycle == 500 {
			g.Input.Axes[1].Target.Position = 0.5 // turn back on the way
		}
		if arrived {
			fmt.Printf("at %.3f %.3f after %d ms\n", g.Input.Axes[0].Start.Position, g.Input.Axes[1].Start.Position, cycle)
			return
		}
	}
	// Output: at 1.000 0.500 after 1569 ms
}

func ExamplePlanner() {
	in := trajectory.Input{Axes: []trajectory.Axis{
		{Target: trajectory.State{Position: 1}, Limits: trajectory.Limits{Velocity: 1, Acceleration: 2, Jerk: 10}},
		{Target: trajectory.State{Position: 0.2, Velocity: 0.5}, Limits: trajectory.Limits{Velocity: 1, Acceleration: 2, Jerk: 10}},
	}}
	motion := trajectory.NewTrajectory(2)
	if err := trajectory.NewPlanner(2).Plan(&in, motion); err != nil {
		fmt.Println(err)
		return
	}
	end := motion.Axis(1).State(motion.Duration())
	fmt.Printf("%.3f s, then axis 1 passes %.1f at %.1f\n", motion.Duration(), end.Position, end.Velocity)
	// Output: 1.700 s, then axis 1 passes 0.2 at 0.5
}

// An axis that is planned again in every cycle, from its own rounded state, keeps to its course.
func TestPlanningAgainKeepsTheCourse(t *testing.T) {
	r := testkit.Rand(t)
	limits := trajectory.Limits{Velocity: 1, Acceleration: 2, Jerk: 10}
	for range 300 {
		in := trajectory.Input{Axes: []trajectory.Axis{{Limits: limits}}}
		x := &in.Axes[0]
		x.Target = trajectory.State{Position: r.NormFloat64(), Velocity: 0.9 * (2*r.Float64() - 1) * float64(r.IntN(2)), Acceleration: (r.Float64() - 0.5) * float64(r.IntN(2))}
		x.Start = trajectory.State{Position: r.NormFloat64(), Velocity: 0.9 * (2*r.Float64() - 1), Acceleration: r.Float64() - 0.5}
		p, motion := trajectory.NewPlanner(1), trajectory.NewTrajectory(1)
		const cycle = 0.01
		first := in
		for left := math.Inf(1); ; {
			if err := p.Plan(&in, motion); err != nil {
				t.Fatal(err)
			}
			if motion.Duration() > left+1e-6 {
				t.Fatalf("from %+v to %+v: at %+v the motion lasts %v s where %v were left", first.Axes[0].Start, x.Target, x.Start, motion.Duration(), left)
			}
			if motion.Duration() <= cycle {
				break
			}
			left = motion.Duration() - cycle
			x.Start = motion.Axis(0).State(cycle)
		}
	}
}

func TestOnlineAllocatesNothing(t *testing.T) {
	g := trajectory.NewOnline(7)
	for i := range g.Input.Axes {
		g.Input.Axes[i].Limits = trajectory.Limits{Velocity: 1, Acceleration: 2, Jerk: 10}
	}
	n := 0
	testkit.NoAllocs(t, 10_000, func() {
		n++
		for i := range g.Input.Axes {
			g.Input.Axes[i].Target.Position = math.Sin(float64(n*(i+1)) / 100)
			g.Input.Axes[i].Sync = trajectory.Synchronization(n / 100 % 3)
		}
		if n%10 == 0 {
			g.Input.Axes[n%7].Target.Velocity = 2 // rejected
		} else if n%10 == 1 {
			g.Input.Axes[(n-1)%7].Target.Velocity = 0
		}
		_, err := g.Step(0.001)
		if (err != nil) != (n%10 == 0) {
			t.Fatal(n, err)
		}
	})
}

func TestBadAxesAreRejected(t *testing.T) {
	good := trajectory.Axis{Limits: trajectory.Limits{Velocity: 1, Acceleration: 1, Jerk: 1}}
	for _, c := range []struct {
		name   string
		change func(*trajectory.Axis)
		want   error
	}{
		{"NaN", func(x *trajectory.Axis) { x.Start.Position = math.NaN() }, trajectory.ErrNotFinite},
		{"infinite target", func(x *trajectory.Axis) { x.Target.Velocity = math.Inf(-1) }, trajectory.ErrNotFinite},
		{"NaN jerk", func(x *trajectory.Axis) { x.Limits.Jerk = math.NaN() }, trajectory.ErrNotFinite},
		{"no limits", func(x *trajectory.Axis) { x.Limits = trajectory.Limits{} }, trajectory.ErrLimits},
		{"reversed limit", func(x *trajectory.Axis) { x.Limits.MinVelocity = 0.1 }, trajectory.ErrLimits},
		{"target velocity", func(x *trajectory.Axis) { x.Target.Velocity = -1.1 }, trajectory.ErrTargetVelocity},
		{"target acceleration", func(x *trajectory.Axis) { x.Target.Acceleration = 1.1 }, trajectory.ErrTargetAcceleration},
		{"approach", func(x *trajectory.Axis) { x.Target.Velocity, x.Target.Acceleration = -1, 0.5 }, trajectory.ErrTargetApproach},
		{"too slow", func(x *trajectory.Axis) { x.Target.Position, x.Limits.Velocity = 1e10, 1 }, trajectory.ErrDuration},
	} {
		in := trajectory.Input{Axes: []trajectory.Axis{good, good}}
		c.change(&in.Axes[1])
		err := trajectory.NewPlanner(2).Plan(&in, trajectory.NewTrajectory(2))
		var axis *trajectory.AxisError
		if !errors.As(err, &axis) || axis.Axis != 1 || !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
	}
}

// Targets and limits that change at any time never make an axis jump, or leave limits that it had kept.
func TestOnlineStaysSmoothWhenTargetsAndLimitsChange(t *testing.T) {
	r := testkit.Rand(t)
	const cycle = 0.005
	g := trajectory.NewOnline(3)
	limits := trajectory.Limits{Velocity: 1, Acceleration: 3, Jerk: 20, MinVelocity: -0.7}
	for i := range g.Input.Axes {
		g.Input.Axes[i].Limits = limits
	}
	arrivals := 0
	for range 40_000 {
		if r.IntN(100) == 0 {
			x := &g.Input.Axes[r.IntN(3)]
			x.Target = trajectory.State{Position: r.NormFloat64()}
			if r.IntN(2) == 0 {
				x.Target.Velocity, x.Target.Acceleration = 1.3*r.Float64()-0.65, 0.5*r.Float64()-0.25
			}
			x.Control = trajectory.Control(r.IntN(4) / 3)
			x.Sync = trajectory.Synchronization(r.IntN(3))
		}
		before := append([]trajectory.Axis(nil), g.Input.Axes...)
		arrived, err := g.Step(cycle)
		if errors.Is(err, trajectory.ErrTargetApproach) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		if arrived {
			arrivals++
		}
		for i, x := range g.Input.Axes {
			s, s0 := x.Start, before[i].Start
			jump := s.Position - s0.Position - cycle*(s.Velocity+s0.Velocity)/2
			if math.Abs(s.Acceleration-s0.Acceleration) > 20*cycle+1e-8 || math.Abs(s.Velocity-s0.Velocity) > 3*cycle+1e-8 || math.Abs(jump) > 1e-4 {
				t.Fatalf("axis %d jumps from %+v to %+v", i, s0, s)
			}
			if math.Abs(s.Acceleration) > 3+1e-8 {
				t.Fatalf("axis %d leaves its limits: %+v", i, s)
			}
		}
	}
	if arrivals == 0 {
		t.Error("never arrived")
	}
}

// A cycle that is missed is made up for: the axes are where they would be without it, and what they are commanded has the
// velocity of the motion.
func TestOnlineMakesUpForMissedCycles(t *testing.T) {
	const cycle = 0.001
	punctual, late := trajectory.NewOnline(2), trajectory.NewOnline(2)
	for _, g := range []*trajectory.Online{punctual, late} {
		for i := range g.Input.Axes {
			g.Input.Axes[i] = trajectory.Axis{Limits: trajectory.Limits{Velocity: 1, Acceleration: 4, Jerk: 40}, Target: trajectory.State{Position: 1 + float64(i)}}
		}
	}
	step := func(g *trajectory.Online, dt float64) {
		t.Helper()
		if _, err := g.Step(dt); err != nil {
			t.Fatal(err)
		}
	}
	for n := 0; n < 2500; {
		missed := 1
		if n%100 == 50 {
			missed = 4
		}
		before := late.Input.Axes[1].Start
		step(late, float64(missed)*cycle)
		for range missed {
			step(punctual, cycle)
			n++
		}
		for i := range late.Input.Axes {
			testkit.Near(t, fmt.Sprintf("position of axis %d after %d ms", i, n), late.Input.Axes[i].Start.Position, punctual.Input.Axes[i].Start.Position, 1e-9)
		}
		after := late.Input.Axes[1].Start
		speed := (after.Position - before.Position) / (float64(missed) * cycle)
		testkit.Near(t, "commanded difference and commanded velocity", speed, (before.Velocity+after.Velocity)/2, 1e-4)
	}
}

func TestAxesArriveTogetherUnlessIndependent(t *testing.T) {
	limits := trajectory.Limits{Velocity: 1, Acceleration: 2, Jerk: 10}
	in := trajectory.Input{Axes: []trajectory.Axis{
		{Limits: limits, Target: trajectory.State{Position: 1}},
		{Limits: limits, Target: trajectory.State{Position: 3}},
		{Limits: limits, Target: trajectory.State{Position: 0.1}, Sync: trajectory.Independent},
		{Limits: limits, Target: trajectory.State{Position: math.NaN()}, Start: trajectory.State{Position: 7, Velocity: 0.1}, Idle: true},
	}}
	plan := func() *trajectory.Trajectory {
		t.Helper()
		motion := trajectory.NewTrajectory(4)
		if err := trajectory.NewPlanner(4).Plan(&in, motion); err != nil {
			t.Fatal(err)
		}
		return motion
	}
	m := plan()
	testkit.Near(t, "together", m.Axis(0).Duration(), m.Axis(1).Duration(), 1e-12)
	if m.Axis(2).Duration() > m.Duration()/2 {
		t.Errorf("the independent axis takes %v s of %v", m.Axis(2).Duration(), m.Duration())
	}
	testkit.Near(t, "idle axis", m.Axis(3).State(10).Position, 8, 1e-12)
	in.Cycle = 0.25
	testkit.Near(t, "multiple of the cycle", math.Mod(plan().Duration(), 0.25), 0, 1e-12)
	in.MinDuration = 8.1
	testkit.Near(t, "least duration", plan().Duration(), 8.25, 1e-12)
}
