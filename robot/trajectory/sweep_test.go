package trajectory

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// cases is how many random motions the sweep plans. The long run that the documentation quotes is
//
//	go test ./robot/trajectory -run Sweep -cases 10000000
var cases = flag.Int("cases", 100_000, "number of random motions in the sweep")

// TestRandomMotionsReachTheirTargets plans motions of one to four axes between random states under random limits, and
// checks that each arrives
// at its target, is continuous and keeps its limits.
func TestRandomMotionsReachTheirTargets(t *testing.T) {
	r := testkit.Rand(t)
	planners := [5]*Planner{}
	trajectories := [5]*Trajectory{}
	for n := 1; n < len(planners); n++ {
		planners[n], trajectories[n] = NewPlanner(n), NewTrajectory(n)
	}
	failures := 0
	for i := range *cases {
		in := randomInput(r, 1+r.IntN(4))
		n := len(in.Axes)
		err := planners[n].Plan(&in, trajectories[n])
		if err == nil {
			err = verify(&in, trajectories[n])
		}
		if err != nil {
			t.Errorf("motion %d: %v\n%#v", i, err, in)
			if failures++; failures > 5 {
				t.FailNow()
			}
		}
	}
}

// randomInput draws states and limits over several magnitudes, often with zeros and equal values, where the cases of
// the solution meet.
func randomInput(r *rand.Rand, axes int) Input {
	in := Input{Axes: make([]Axis, axes)}
	magnitude := math.Pow(10, 2*r.Float64()-1)
	outside := r.IntN(5) == 0 // start states outside the limits
	control := Control(0)
	if r.IntN(8) == 0 {
		control = ToVelocity
	}
	for i := range in.Axes {
		x := &in.Axes[i]
		x.Control = control
		for {
			x.Limits = Limits{Velocity: draw(r, 10), Acceleration: draw(r, 10), Jerk: draw(r, 10)}
			if r.IntN(2) == 0 {
				x.Limits.MinVelocity, x.Limits.MinAcceleration = -draw(r, 10), -draw(r, 10)
			}
			switch r.IntN(20) {
			case 0:
				x.Limits.Jerk = math.Inf(1)
			case 1:
				x.Limits.Jerk, x.Limits.Acceleration, x.Limits.MinAcceleration = math.Inf(1), math.Inf(1), 0
			}
			b := x.Limits.bounds()
			x.Target = state(magnitude*some(r), inside(r, b.lowerVelocity, b.upperVelocity), 0)
			if b.order() == 3 {
				x.Target.Acceleration = inside(r, b.lowerAcceleration, b.upperAcceleration)
			}
			x.Start = state(magnitude*some(r), inside(r, b.lowerVelocity, b.upperVelocity), 0)
			if b.order() == 3 {
				x.Start.Acceleration = inside(r, b.lowerAcceleration, b.upperAcceleration)
			}
			if outside {
				x.Start.Velocity *= 1 + r.Float64()
				x.Start.Acceleration *= 1 + r.Float64()
			}
			v, a := x.Start.Velocity, x.Start.Acceleration
			far := math.Abs(v+a*math.Abs(a)/(2*b.jerk)) > 10*b.upperVelocity
			if x.check() == nil && (outside && !far || b.viable(v, a)) {
				break
			}
		}
	}
	return in
}

func state(position, velocity, acceleration float64) State {
	return State{Position: position, Velocity: velocity, Acceleration: acceleration}
}

// draw returns a positive number that is mostly between 1/spread and spread.
func draw(r *rand.Rand, spread float64) float64 {
	if r.IntN(6) == 0 {
		return 1
	}
	return math.Pow(spread, 2*r.Float64()-1)
}

// some returns a number that is often 0 or ±1.
func some(r *rand.Rand) float64 {
	if r.IntN(3) == 0 {
		return float64(r.IntN(3) - 1)
	}
	return r.NormFloat64()
}

// inside returns a number in [-lower, upper], often 0 or an end.
func inside(r *rand.Rand, lower, upper float64) float64 {
	switch r.IntN(8) {
	case 0, 1:
		return 0
	case 2:
		return upper
	case 3:
		return -lower
	}
	return -lower + r.Float64()*(lower+upper)
}

// verify checks the motion against what was asked for.
func verify(in *Input, tr *Trajectory) error {
	for i := range in.Axes {
		if err := verifyAxis(&in.Axes[i], tr.Axis(i)); err != nil {
			return fmt.Errorf("axis %d: %w", i, err)
		}
		if d := tr.Axis(i).Duration(); math.Abs(d-tr.Duration()) > 1e-9*(1+d) && in.Axes[i].Sync != Independent {
			return fmt.Errorf("axis %d: lasts %v s of %v", i, d, tr.Duration())
		}
	}
	return nil
}

func verifyAxis(x *Axis, p *Profile) error {
	l := x.Limits.bounds()
	order := l.order()
	start, target := x.Start, x.Target
	const tolerance = 1e-8
	if p.n == 0 {
		if math.Abs(start.Position-target.Position) > tolerance && x.Control == ToPosition || math.Abs(start.Velocity-target.Velocity) > tolerance && order > 1 {
			return fmt.Errorf("stays at %v", start)
		}
		return nil
	}
	at := func(c piece, end float64) State {
		q := Profile{n: 1}
		q.pieces[0] = c
		q.end.start = math.Inf(1)
		return q.State(end)
	}
	largest := max(1, p.Duration()/100) // where an axis goes far or long, its rounding errors grow
	for _, c := range p.pieces[:p.n] {
		largest = max(largest, math.Abs(c.position)/100, math.Abs(c.velocity)/100)
	}
	far := func(a, b float64) bool { return !(math.Abs(a-b) <= tolerance*largest) }
	s := start
	entered := order == 1
	for k, c := range p.pieces[:p.n] {
		if far(c.position, s.Position) || order > 1 && far(c.velocity, s.Velocity) || order > 2 && far(c.acceleration, s.Acceleration) {
			return fmt.Errorf("piece %d does not go on where the last ended, %+v: %+v", k, s, c)
		}
		end := p.end.start
		if k+1 < p.n {
			end = p.pieces[k+1].start
		}
		if end < c.start {
			return fmt.Errorf("piece %d runs backwards", k)
		}
		s = at(c, end)
		if order > 2 && math.Abs(c.jerk) > l.jerk*(1+1e-12) {
			return fmt.Errorf("piece %d: jerk %v", k, c.jerk)
		}
		velocities := []float64{c.velocity, s.Velocity}
		if c.jerk != 0 {
			if zero := c.start - c.acceleration/c.jerk; zero > c.start && zero < end {
				velocities = append(velocities, at(c, zero).Velocity)
			}
		}
		out := func(v, lower, upper float64) bool {
			return v < -lower-tolerance*max(1, lower) || v > upper+tolerance*max(1, upper)
		}
		bad := ""
		for _, v := range velocities {
			if x.Control == ToPosition && out(v, l.lowerVelocity, l.upperVelocity) {
				bad = fmt.Sprintf("piece %d: velocity %v", k, v)
			}
		}
		if order > 1 && (out(c.acceleration, l.lowerAcceleration, l.upperAcceleration) || out(s.Acceleration, l.lowerAcceleration, l.upperAcceleration)) {
			bad = fmt.Sprintf("piece %d: acceleration %v to %v", k, c.acceleration, s.Acceleration)
		}
		// A start outside the limits may last while the motion comes back; once within, it stays.
		if bad == "" && k+1 < p.n && within(l, order, p.pieces[k+1]) {
			entered = true
		}
		if bad != "" && (entered || within(l, order, p.pieces[0])) {
			return fmt.Errorf("%s", bad)
		}
	}
	if x.Control == ToPosition && far(s.Position, target.Position) || order > 1 && far(s.Velocity, target.Velocity) || order > 2 && far(s.Acceleration, target.Acceleration) {
		return fmt.Errorf("ends at %+v", s)
	}
	return nil
}

// within reports whether a piece starts within the limits and can stay there.
func within(l bounds, order int, c piece) bool {
	if order < 3 {
		return c.velocity <= l.upperVelocity && c.velocity >= -l.lowerVelocity
	}
	return c.acceleration <= l.upperAcceleration && c.acceleration >= -l.lowerAcceleration && l.viable(c.velocity, c.acceleration)
}
