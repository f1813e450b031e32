package plans

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/planning/taskspace"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// ReachRequest asks for joint positions with which a link is at a pose.
type ReachRequest struct {
	Entry
	Link string        `json:"link"`
	Pose robots.Target `json:"pose"` // in the scene
	Q    []float64     `json:"q"`    // of all joints, where the search begins, rad or m
	Held []string      `json:"held"` // joints that stay
}

// ReachReply holds joint positions that reach a pose, or the nearest that were found.
type ReachReply struct {
	Q  []float64 `json:"q"`
	OK bool      `json:"ok"` // they reach the pose
}

// Reach searches joint positions for a pose of a link, from the given ones on.
func (p *Plans) Reach(ctx context.Context, q ReachRequest) (*ReachReply, error) {
	w, _, err := p.worldOf(ctx, q.System, q.Robot, q.Q)
	if err != nil {
		return nil, fmt.Errorf("reach a pose: %w", err)
	}
	turn, err := p.take(ctx)
	if err != nil {
		return nil, fmt.Errorf("reach a pose: %w", err)
	}
	defer turn.end()
	s, err := newSpaces(w, q.Held, q.Q)
	if err != nil {
		return nil, err
	}
	found, failure, err := s.reach(q.Link, &q.Pose, q.Q)
	if err != nil {
		return nil, err
	}
	return &ReachReply{found, failure == nil}, nil
}

// reach returns the points, of the space in which it is planned, at which the link is at the pose of a problem, the one nearest to its goal first, and the
// nearest point of all joints that was found. Without any it returns why.
func (x *Planner) reach(q *Problem) (goals [][]float64, nearest []float64, why *Reason, err error) {
	nearest, failure, err := x.spaces.reach(q.Link, q.Pose, q.Goal)
	if err != nil {
		return nil, nil, nil, err
	}
	if point := x.spaces.narrow(nearest); failure == nil && x.spaces.moving.Outside(point) < 0 {
		goals = [][]float64{point}
		if x.free(point) {
			return goals, nearest, nil, nil
		}
	}
	if q.Pose.Q != nil && x.spaces.joints != nil && len(x.spaces.held) == 0 {
		if all, err := x.others(q); err == nil {
			goals = append(goals, all...)
		}
	}
	if len(goals) > 0 {
		return goals, nearest, nil, nil
	}
	return nil, nearest, x.outOfReach(q, nearest, failure), nil
}

// outOfReach explains why no point reaches the pose of a problem.
func (x *Planner) outOfReach(q *Problem, nearest []float64, failure *ik.Failure) *Reason {
	w := &Reason{Kind: "unreachable", End: "goal", Contacts: []Contact{}, Wanted: &q.Pose.P}
	m := x.world.Scene.Models()[0].Model
	if link, err := m.Link(q.Link); err == nil {
		at := x.hand(link, x.spaces.narrow(nearest))
		w.Reached = &at
	}
	w.Text = fmt.Sprintf("plan to a pose of %q: its joints have no solution within their limits", q.Link)
	if failure != nil {
		w.Text = fmt.Sprintf("plan to a pose of %q: %v", q.Link, failure)
		w.Joint = failure.Joint
	}
	if len(x.spaces.held) > 0 {
		w.Text += fmt.Sprintf("; held: %s", strings.Join(x.spaces.held, ", "))
	}
	return w
}

// others returns the free solutions of the pose of a problem.
func (x *Planner) others(q *Problem) (free [][]float64, err error) {
	at, err := poseOf(q.Pose.P, *q.Pose.Q)
	if err != nil {
		return nil, err
	}
	if x.goals == nil || x.link != q.Link {
		if x.goals, err = taskspace.NewGoals(x.scene, x.spaces.joints, q.Link, spatial.Pose{}); err != nil {
			return nil, err
		}
		x.link = q.Link
	}
	all, err := x.goals.In(taskspace.Region{Target: at}, x.spaces.narrow(q.Goal))
	for _, p := range all {
		if x.free(p) {
			free = append(free, slices.Clone(p))
		}
	}
	return free, err
}
