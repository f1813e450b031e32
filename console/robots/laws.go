package robots

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/robot/curve"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// shortestMove is the shortest duration of a motion with minimum jerk, s.
const shortestMove = 1e-6

// minimumJerk plans as servo.Generator: a polynomial of fifth degree for each joint.
func minimumJerk(from []trajectory.State, goal []float64, duration float64) (motion, error) {
	if duration < shortestMove {
		return motion{}, fmt.Errorf("the time is %v: wants at least %v s", duration, shortestMove)
	}
	paths := make([]curve.Polynomial, len(from))
	for i, s := range from {
		if math.IsNaN(goal[i] - goal[i]) {
			return motion{}, errors.New("a position is not finite")
		}
		paths[i].SetMinimumJerk(duration, curve.State(s), curve.State{Position: goal[i]})
	}
	return motion{duration, func(t float64, q []float64) {
		for i := range paths {
			q[i] = paths[i].At(t, 0)
		}
	}}, nil
}

// jerkLimited returns the law of a servo.JerkLimited: limits of its description and of its present parameters, planned by
// [trajectory.Online.PlanWithin].
func (r *Robots) jerkLimited(ctx context.Context, system string, sys admin.System, b admin.Block) (*law, error) {
	axes, err := r.axesOf(ctx, system, b)
	if err != nil {
		return nil, err
	}
	speed, err := sys.Param(ctx, b.Name+".speed")
	if err != nil {
		return nil, err
	}
	share, ok := admin.Number(speed).(float64)
	if !ok {
		return nil, fmt.Errorf("%s.speed is %v: wants a number", b.Name, speed)
	}
	var given [3][]float64
	for i, name := range []string{"max_velocity", "max_acceleration", "max_jerk"} {
		v, err := sys.Param(ctx, b.Name+"."+name)
		if err != nil {
			return nil, err
		}
		if given[i] = numbers(v); len(given[i]) == 0 {
			return nil, fmt.Errorf("%s.%s is %v: wants numbers", b.Name, name, v)
		}
	}
	return &law{"jerk-limited", func(from []trajectory.State, goal []float64, duration float64) (motion, error) {
		n := len(from)
		if axes.names == nil {
			axes = freeAxes(n)
		}
		if len(axes.names) != n {
			return motion{}, fmt.Errorf("block %q has %d joints, its outputs %d", b.Name, len(axes.names), n)
		}
		plan := trajectory.NewOnline(n)
		plan.Input.MinDuration = duration
		for i, s := range from {
			if !(goal[i] >= axes.lower[i] && goal[i] <= axes.upper[i]) {
				return motion{}, fmt.Errorf("joint %q would be at %.4g rad: its limits are %.4g to %.4g rad", axes.names[i], goal[i], axes.lower[i], axes.upper[i])
			}
			velocity := axes.velocity[i]
			if v := each(given[0], i); v > 0 {
				velocity = v
			}
			plan.Input.Axes[i] = trajectory.Axis{Start: s, Target: trajectory.State{Position: goal[i]},
				Limits: trajectory.Limits{Velocity: share * velocity, Acceleration: each(given[1], i), Jerk: each(given[2], i)}}
		}
		if err := plan.PlanWithin(axes.lower, axes.upper); err != nil {
			return motion{}, err
		}
		path, _ := plan.Trajectory()
		states := make([]trajectory.State, n)
		return motion{path.Duration(), func(t float64, q []float64) {
			path.At(t, states)
			for i := range q {
				q[i] = states[i].Position
			}
		}}, nil
	}}, nil
}

// each returns the value of a joint in a list with one for all, or one for each.
func each(list []float64, i int) float64 { return list[min(i, len(list)-1)] }

// axes are the joints that a block moves, in its order.
type axes struct {
	names                  []string // nil: as many as the block has, without limits
	lower, upper, velocity []float64
}

func freeAxes(n int) axes {
	a := axes{names: make([]string, n), lower: make([]float64, n), upper: make([]float64, n), velocity: make([]float64, n)}
	for i := range n {
		a.names[i], a.lower[i], a.upper[i], a.velocity[i] = fmt.Sprint(i+1), math.Inf(-1), math.Inf(1), math.Inf(1)
	}
	return a
}

// axesOf returns the joints of a block, with the limits of the description that it reads.
func (r *Robots) axesOf(ctx context.Context, system string, b admin.Block) (axes, error) {
	if descriptionOf(b) == "" {
		return axes{}, nil
	}
	x, err := r.find(ctx, system, b.Name)
	if err != nil {
		return axes{}, err
	}
	lower, upper, velocity := make([]float64, x.model.NQ()), make([]float64, x.model.NQ()), make([]float64, x.model.NV())
	x.model.PositionLimits(lower, upper)
	x.model.VelocityLimits(velocity)
	at, order := map[string]int{}, []string{}
	for _, j := range x.model.Joints() {
		if j.Mimic == nil && j.Type.NV() == 1 {
			at[j.Name], order = j.V, append(order, j.Name)
		}
	}
	chosen, err := x.selected(b, r.folders(system))
	if err != nil {
		return axes{}, err
	}
	if len(chosen) > 0 {
		order = chosen
	}
	var a axes
	for _, name := range order {
		i, ok := at[name]
		if !ok {
			return axes{}, fmt.Errorf("block %q moves a joint %q that its description does not have", b.Name, name)
		}
		a.names, a.lower, a.upper, a.velocity = append(a.names, name), append(a.lower, lower[i]), append(a.upper, upper[i]), append(a.velocity, velocity[i])
	}
	return a, nil
}
