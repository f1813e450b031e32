package taskspace_test

import (
	"errors"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/planning/planningtest"
	"github.com/sinew-robotics/sinew/robot/planning/taskspace"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

// TestToolGoesStraight leads the hands of three robots along lines, and compares all of the way with the line.
func TestToolGoesStraight(t *testing.T) {
	for _, c := range []struct {
		robot, link string
		turn        float64 // about the axis of the hand
	}{{"panda", "panda_hand", 0.2}, {"ur5", "wrist_3_link", 0}, {"fetch", "gripper_link", 0}} {
		b := planningtest.New(t, c.robot, "table_pick", 100)
		goals, err := taskspace.NewGoals(b.Base, b.Space, c.link, spatial.Pose{})
		if err != nil {
			t.Fatal(err)
		}
		line := taskspace.NewLine(goals, b.Planner.Verifier())
		done := 0
		for i := range 20 {
			p, _ := b.Problem(t, i)
			from := b.Pose(t, c.link, p.Goal)
			to := spatial.Pose{R: from.R, P: from.P.Add(spatial.Vec3{Z: 0.08})} // up from the table
			to.R = to.R.Mul(spatial.RotZ(c.turn))
			path, err := line.Plan(p.Goal, to)
			if err != nil {
				var end *taskspace.LineError
				if !errors.As(err, &end) {
					t.Fatalf("%s %d: %v", c.robot, p.Index, err)
				}
				continue
			}
			done++
			end := b.Pose(t, c.link, path.At(path.Len()-1))
			testkit.Near(t, "end", end.P.Sub(to.P).Norm()+end.R.T().Mul(to.R).Log().Norm(), 0, 1e-6)
			var points, deviation []float64
			for k := range path.Len() {
				points, deviation = append(points, path.At(k)...), append(deviation, 2e-4)
			}
			limits := make([]trajectory.Limits, b.Space.Dim())
			for k := range limits {
				limits[k] = trajectory.Limits{Velocity: 2, Acceleration: 10, Jerk: 1000}
			}
			m := trajectory.NewRounded(b.Space.Dim(), path.Len())
			if err := m.Plan(points, limits, deviation); err != nil {
				t.Fatal(err)
			}
			states, q := make([]trajectory.State, m.Axes()), make([]float64, m.Axes())
			n := to.P.Sub(from.P).Scale(1 / to.P.Sub(from.P).Norm())
			for k := range 500 {
				m.At(m.Duration()*float64(k)/499, states)
				for i := range q {
					q[i] = states[i].Position
				}
				x := b.Pose(t, c.link, q).P.Sub(from.P)
				if off := x.Sub(n.Scale(n.Dot(x))).Norm(); off > line.Tolerance {
					t.Fatalf("%s %d: %.3g mm off the line", c.robot, p.Index, 1000*off)
				}
			}
		}
		t.Logf("%s: %d of 20 lines", c.robot, done)
		if done < 10 {
			t.Errorf("%s: %d lines of 20 are possible", c.robot, done)
		}
	}
}

func TestLineEndsWhereItMust(t *testing.T) {
	b := planningtest.New(t, "panda", "table_pick", 100)
	p, _ := b.Problem(t, 0)
	goals, err := taskspace.NewGoals(b.Base, b.Space, "panda_hand", spatial.Pose{})
	if err != nil {
		t.Fatal(err)
	}
	line := taskspace.NewLine(goals, b.Planner.Verifier())
	from := b.Pose(t, "panda_hand", p.Start)
	var end *taskspace.LineError
	far := spatial.Pose{R: from.R, P: from.P.Add(spatial.Vec3{Z: 3})}
	if _, err := line.Plan(p.Start, far); !errors.As(err, &end) || !(end.Share > 0 && end.Share < 0.5) {
		t.Errorf("3 m up: %v", err)
	}
	goal := b.Pose(t, "panda_hand", p.Goal)
	goal.P.Z -= 0.3
	if _, err := line.Plan(p.Goal, goal); !errors.Is(err, taskspace.ErrNotFree) {
		t.Errorf("through the table: %v", err)
	}
}
