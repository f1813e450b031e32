package robots

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// Limits of a preview.
const (
	mostGoals   = 32
	mostSamples = 600 // of all motions together
	sampleRate  = 30  // 1/s, unless that gives more than mostSamples
	longestMove = 1e6 // s
)

// PreviewRequest asks how a robot would move to goals, one after another.
type PreviewRequest struct {
	System string      `json:"system"`
	Robot  string      `json:"robot"` // the block that reads its description
	Group  string      `json:"group"` // of its joints; "": all of them
	Goals  [][]float64 `json:"goals"` // joint positions in rad or m, at most 32
	Times  []float64   `json:"times"` // duration of the motion to each goal in s, as the operation that moves the robot takes it
}

// PreviewReply describes the motion from the present planned state to all goals. The robot rests at each of them.
type PreviewReply struct {
	Law   string      `json:"law"`   // "jerk-limited" or "minimum jerk"
	Ends  []float64   `json:"ends"`  // when each goal is reached, in s from now
	Times []float64   `json:"times"` // of the samples, s
	Q     [][]float64 `json:"q"`     // joint positions at these times, in rad or m
}

// motion is a planned motion to one goal.
type motion struct {
	duration float64
	at       func(t float64, q []float64) // writes the positions at a time
}

// law plans motions as the block that moves a robot does.
type law struct {
	name string
	plan func(from []trajectory.State, goal []float64, duration float64) (motion, error)
}

// lawOf returns the law of a block by its type. A block of another type has its own law, which is not known here.
func (r *Robots) lawOf(ctx context.Context, system string, sys admin.System, b admin.Block) (*law, error) {
	switch b.Type {
	case "servo.JerkLimited":
		return r.jerkLimited(ctx, system, sys, b)
	case "servo.Generator":
		return &law{"minimum jerk", minimumJerk}, nil
	}
	return nil, fmt.Errorf("preview the motion of block %q: its type %s has a law of its own; types with a preview are servo.JerkLimited and servo.Generator", b.Name, b.Type)
}

// Preview plans the motion to goals by the law of the block that would run it, with its present parameters, from its present planned
// state. Nothing moves. It fails for an unknown robot, one that nothing moves or that a block with an unknown law moves, for goals
// outside the limits of the joints, and for durations that the block would reject.
func (r *Robots) Preview(ctx context.Context, q PreviewRequest) (*PreviewReply, error) {
	if len(q.Goals) == 0 || len(q.Goals) > mostGoals || len(q.Times) != len(q.Goals) {
		return nil, fmt.Errorf("a preview wants 1 to %d goals and a time for each, not %d goals and %d times", mostGoals, len(q.Goals), len(q.Times))
	}
	mover, sys, err := r.mover(ctx, q.System, q.Robot, q.Group)
	if err != nil {
		return nil, err
	}
	law, err := r.lawOf(ctx, q.System, sys, *mover)
	if err != nil {
		return nil, err
	}
	state, err := plannedState(ctx, sys, mover.Name)
	if err != nil {
		return nil, err
	}
	answer := &PreviewReply{Law: law.name, Ends: []float64{}, Times: []float64{}, Q: [][]float64{}}
	motions, whole := []motion{}, 0.0
	for i, goal := range q.Goals {
		if len(goal) != len(state) {
			return nil, fmt.Errorf("goal %d has length %d, block %q moves %d joints", i+1, len(goal), mover.Name, len(state))
		}
		if !(q.Times[i] >= 0 && q.Times[i] <= longestMove) {
			return nil, fmt.Errorf("the time of goal %d is %v: wants 0 to %g s", i+1, q.Times[i], float64(longestMove))
		}
		m, err := law.plan(state, goal, q.Times[i])
		if err != nil {
			return nil, fmt.Errorf("goal %d: %w", i+1, err)
		}
		whole += m.duration
		motions, answer.Ends = append(motions, m), append(answer.Ends, whole)
		for j := range state {
			state[j] = trajectory.State{Position: goal[j]}
		}
	}
	answer.sample(motions, len(state))
	return answer, nil
}

// sample writes positions at equal distances of time, and at the end of each motion.
func (p *PreviewReply) sample(motions []motion, joints int) {
	whole := p.Ends[len(p.Ends)-1]
	distance := max(1.0/sampleRate, whole/mostSamples)
	begin := 0.0
	for i, m := range motions {
		for k := 0; ; k++ {
			t := min(float64(k)*distance, m.duration)
			if k > 0 || i == 0 {
				q := make([]float64, joints)
				m.at(t, q)
				p.Times, p.Q = append(p.Times, begin+t), append(p.Q, q)
			}
			if t >= m.duration {
				break
			}
		}
		begin = p.Ends[i]
	}
}

// mover returns the block that moves a robot, or a group of its joints, and its system.
func (r *Robots) mover(ctx context.Context, system, robot, group string) (*admin.Block, admin.System, error) {
	list, err := r.List(ctx, system)
	if err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(list.Robots, func(x Robot) bool { return x.Name == robot })
	if i < 0 {
		return nil, nil, fmt.Errorf("no robot %q in system %q", robot, system)
	}
	move := list.Robots[i].Move
	if group != "" {
		groups := list.Robots[i].Groups
		k := slices.IndexFunc(groups, func(g Group) bool { return g.Name == group })
		if k < 0 {
			return nil, nil, fmt.Errorf("no block commands a group %q of robot %q", group, robot)
		}
		if move = groups[k].Move; move == "" {
			return nil, nil, fmt.Errorf("preview the motion of group %q of robot %q: no block moves it; tag an operation show:%q", group, robot, showMove)
		}
	}
	if move == "" {
		return nil, nil, fmt.Errorf("preview the motion of robot %q: no block moves it; tag an operation show:%q", robot, showMove)
	}
	name := blockOf(move)
	st, err := r.structure(ctx, system)
	if err != nil {
		return nil, nil, err
	}
	run, err := r.of(system)
	if err != nil {
		return nil, nil, err
	}
	for _, b := range st.Blocks {
		if b.Name == name {
			return &b, run.system, nil
		}
	}
	return nil, nil, fmt.Errorf("no block %q in system %q", name, system)
}

// plannedState reads where a block plans the joints to be now: its outputs position, velocity and acceleration.
func plannedState(ctx context.Context, sys admin.System, block string) ([]trajectory.State, error) {
	var lists [3][]float64
	for i, port := range []string{"position", "velocity", "acceleration"} {
		reading, err := sys.Read(ctx, block+"."+port)
		if err != nil {
			return nil, err
		}
		if lists[i] = numbers(reading.Value); reading.Count == 0 || lists[i] == nil {
			return nil, fmt.Errorf("preview a motion: %s.%s has no value yet", block, port)
		}
	}
	if len(lists[1]) != len(lists[0]) || len(lists[2]) != len(lists[0]) {
		return nil, errors.New("preview a motion: the planned positions, velocities and accelerations of block " + block + " differ in length")
	}
	state := make([]trajectory.State, len(lists[0]))
	for i := range state {
		state[i] = trajectory.State{Position: lists[0][i], Velocity: lists[1][i], Acceleration: lists[2][i]}
	}
	return state, nil
}

// numbers returns the elements of a list of finite numbers; nil where it is none.
func numbers(v any) []float64 {
	switch list := v.(type) {
	case []float64:
		return list
	case []any:
		all := make([]float64, len(list))
		for i, x := range list {
			f, ok := admin.Number(x).(float64)
			if !ok || math.IsNaN(f-f) {
				return nil
			}
			all[i] = f
		}
		return all
	}
	return nil
}
