package trajectory

// search looks for the states at which a motion passes given points, see [PlanThrough]. It is a pattern search: steps
// of one velocity or acceleration at a time, and of all velocities of a point together, that halve when none helps. The
// duration of a leg is the maximum over its axes, so that a step of one of the others would often change nothing. Hence
// the cost has a small part of each axis's own least duration too, which draws the others along.
type search struct {
	legs  []leg
	chord [][]float64 // for each point, in the direction from the point before to the point after
	old   []State     // of the point that is tried
}

// leg is the motion between two points.
type leg struct {
	input   Input
	planner *Planner
	cost    float64
}

// own is the weight of the axes' own durations in the cost.
const own = 0.02

func newSearch(in *Input, via [][]float64) *search {
	n := len(via) + 1
	s := &search{legs: make([]leg, n), chord: make([][]float64, len(via)), old: make([]State, 0, len(in.Axes))}
	for k := range s.legs {
		l := &s.legs[k]
		l.planner = NewPlanner(len(in.Axes))
		l.input.Axes = append([]Axis(nil), in.Axes...)
		for i := range l.input.Axes {
			x := &l.input.Axes[i]
			if k > 0 {
				x.Start = State{Position: via[k-1][i]}
			}
			if k < n-1 {
				x.Target = State{Position: via[k][i]}
			}
		}
	}
	for k := range s.chord {
		before, after := s.legs[k].input.Axes, s.legs[k+1].input.Axes
		s.chord[k] = make([]float64, len(in.Axes))
		speed := 0.0 // of the chord relative to the limits
		for i := range before {
			s.chord[k][i] = after[i].Target.Position - before[i].Start.Position
			b := before[i].Limits.bounds()
			speed = max(speed, s.chord[k][i]/b.upperVelocity, -s.chord[k][i]/b.lowerVelocity)
		}
		for i := range s.chord[k] {
			if speed > 0 {
				s.chord[k][i] /= speed
			}
		}
	}
	for k := range s.legs {
		s.legs[k].update()
	}
	return s
}

// update computes the cost of a leg.
func (l *leg) update() {
	for i := range l.input.Axes {
		l.planner.axes[i].set(&l.input.Axes[i])
	}
	l.planner.phase.n = 0
	_, duration := l.planner.synchronize(&l.input)
	sum := 0.0
	for i := range l.planner.axes {
		sum += l.planner.axes[i].shortest
	}
	l.cost = duration + own*sum/float64(len(l.planner.axes))
}

func (s *search) total() float64 {
	sum := 0.0
	for k := range s.legs {
		sum += s.legs[k].cost
	}
	return sum
}

// guess sets the velocities at all points along the chord, at a part of the speed that the limits allow, if that is
// better than rest.
func (s *search) guess(speed float64) {
	for k := range s.chord {
		for f := speed; f > 0.01; f /= 2 {
			if s.try(k, func(i int, x State) State {
				x.Velocity = f * s.chord[k][i]
				return x
			}) {
				break
			}
		}
	}
}

// try changes the states at point k, and keeps the change if all are viable and the cost is less.
func (s *search) try(k int, change func(axis int, x State) State) bool {
	before, after := &s.legs[k], &s.legs[k+1]
	cost := before.cost + after.cost
	old := s.old[:0]
	viable := true
	for i := range before.input.Axes {
		x := &before.input.Axes[i]
		old = append(old, x.Target)
		x.Target = change(i, x.Target)
		after.input.Axes[i].Start = x.Target
		b := x.Limits.bounds()
		a := x.Target.Acceleration
		viable = viable && a <= b.upperAcceleration && a >= -b.lowerAcceleration &&
			b.viable(x.Target.Velocity, a) && b.viable(x.Target.Velocity, -a)
	}
	if viable {
		costs := [2]float64{before.cost, after.cost}
		before.update()
		after.update()
		if before.cost+after.cost < cost*(1-1e-9) {
			return true
		}
		before.cost, after.cost = costs[0], costs[1]
	}
	for i := range old {
		before.input.Axes[i].Target, after.input.Axes[i].Start = old[i], old[i]
	}
	return false
}

// run improves the points in turn.
func (s *search) run() {
	for step := 0.5; step > 1e-3; {
		improved := false
		for k := range s.chord {
			improved = s.improve(k, step) || improved
		}
		if !improved {
			step /= 2
		}
	}
}

// improve tries all steps of one size at point k.
func (s *search) improve(k int, step float64) bool {
	improved := false
	for _, h := range [2]float64{step, -step} {
		improved = s.try(k, func(i int, x State) State {
			x.Velocity += h * s.chord[k][i]
			return x
		}) || improved
		for axis := range s.chord[k] {
			l := s.legs[k].input.Axes[axis].Limits.bounds()
			improved = s.try(k, func(i int, x State) State {
				if i == axis {
					x.Velocity = min(max(x.Velocity+h*l.upperVelocity, -l.lowerVelocity), l.upperVelocity)
				}
				return x
			}) || improved
			if l.order() == 3 {
				improved = s.try(k, func(i int, x State) State {
					if i == axis {
						x.Acceleration = min(max(x.Acceleration+h*l.upperAcceleration, -l.lowerAcceleration), l.upperAcceleration)
					}
					return x
				}) || improved
			}
		}
	}
	return improved
}

// route plans the motion through the points found.
func (s *search) route() (*Route, error) {
	r := &Route{}
	end := 0.0
	for k := range s.legs {
		l := &s.legs[k]
		t := NewTrajectory(len(l.input.Axes))
		if err := l.planner.Plan(&l.input, t); err != nil {
			return nil, err
		}
		end += t.Duration()
		r.parts, r.ends = append(r.parts, t), append(r.ends, end)
	}
	return r, nil
}
