package planning_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/planningtest"
	"github.com/sinew-robotics/sinew/robot/planning/proof"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/planning/timed"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
	"github.com/sinew-robotics/sinew/robot/spatial"
	"github.com/sinew-robotics/sinew/robot/trajectory"
)

var free = math.Inf(1)

// anyTurn lets a tool turn freely, anywhere lets it be anywhere.
var anyTurn, anywhere = spatial.Vec3{X: free, Y: free, Z: free}, spatial.Vec3{X: free, Y: free, Z: free}

// constraints are those that the tests keep, from the pose of the hand at the start.
func constraints(tool spatial.Pose) map[string]planning.Constraint {
	c := planning.Constraint{Link: "panda_hand", Frame: spatial.Translation(tool.P), Orientation: tool.R, Position: anywhere, Rotation: anyTurn}
	upright, plane, oriented, both := c, c, c, c
	upright.Rotation = spatial.Vec3{Z: free}
	plane.Position = spatial.Vec3{X: free, Y: free}
	oriented.Rotation = spatial.Vec3{}
	both.Position, both.Rotation = plane.Position, upright.Rotation
	return map[string]planning.Constraint{"upright": upright, "plane": plane, "orientation": oriented, "upright in a plane": both}
}

// outside returns how far a tool is outside a constraint, m and rad, by other formulas than the planner's.
func outside(c planning.Constraint, tool spatial.Pose) (off, turned float64) {
	p := tool.P.Sub(c.Frame.P)
	if c.Position.Z == 0 {
		off = math.Abs(p.Z)
	}
	switch {
	case c.Rotation == anyTurn:
	case math.IsInf(c.Rotation.Z, 1):
		axis := c.Orientation.TMulVec(spatial.Vec3{Z: 1})
		turned = math.Acos(min(1, tool.R.MulVec(axis).Z))
	default:
		turned = math.Acos(min(1, (c.Orientation.T().Mul(tool.R).Trace()-1)/2))
	}
	return off, turned
}

// TestConstraintsHoldOnTheWholeMotion plans among obstacles under constraints, shortens and times the paths, and measures the tool all along.
func TestConstraintsHoldOnTheWholeMotion(t *testing.T) {
	b := planningtest.New(t, "panda", "bookshelf_small", 20_000)
	limits := make([]trajectory.Limits, b.Space.Dim())
	for i := range limits {
		limits[i] = trajectory.Limits{Velocity: 2, Acceleration: 10, Jerk: 500}
	}
	around := 0
	for name := range constraints(spatial.Pose{}) {
		t.Run(name, func(t *testing.T) {
			for i := range 4 {
				p, s := b.Problem(t, i)
				c := constraints(b.Pose(t, "panda_hand", p.Goal))[name]
				kept, err := planning.NewKept(s, b.Space, c)
				if err != nil {
					t.Fatal(err)
				}
				engine, err := spheres.New(s)
				if err != nil {
					t.Fatal(err)
				}
				connect, err := planning.NewConnect(engine, kept, 1.0/32, 20_000)
				if err != nil {
					t.Fatal(err)
				}
				goal := elsewhere(t, kept, connect.Verifier(), p.Goal)
				prover, err := proof.NewProver(s, b.Space, 1e-3)
				if err != nil {
					t.Fatal(err)
				}
				begin := time.Now()
				m, report, err := timed.NewPlanner(connect, prover, limits).Plan(p.Goal, goal)
				if err != nil {
					t.Errorf("problem %d: %v; %v", p.Index, err, report)
					continue
				}
				t.Logf("problem %d: %v, %.2f s, %d points: %v", p.Index, time.Since(begin), m.Duration(), report.Waypoints, report)
				if report.Kept != kept || !strings.Contains(report.String(), "panda_hand keeps its constraint within 1 mm and 0.01 rad at all times") {
					t.Errorf("report %v", report)
				}
				if connect.Samples > 0 {
					around++
				}
				states, q := make([]trajectory.State, m.Axes()), make([]float64, m.Axes())
				for k := range 3001 {
					m.At(m.Duration()*float64(k)/3000, states)
					for i := range q {
						q[i] = states[i].Position
					}
					if off, turned := outside(c, b.Pose(t, "panda_hand", q)); off > 1e-3 || turned > 1e-2 {
						t.Fatalf("problem %d: off by %g m and %g rad at %d of 3000", p.Index, off, turned, k)
					}
				}
			}
		})
	}
	if around == 0 {
		t.Error("the straight way was always free")
	}
}

// elsewhere returns a free point of a space with a constraint, at least 1 rad away.
func elsewhere(t *testing.T, kept *planning.ConstrainedSpace, v *planning.Verifier, from []float64) []float64 {
	t.Helper()
	var u space.Uniform
	u.Reset(1)
	q := make([]float64, kept.Dim())
	for range 100_000 {
		u.Next(q)
		for i := range q {
			q[i] = 2*q[i] - 1
		}
		kept.Move(from, q, q)
		if kept.Outside(q) < 0 && v.Free(q) && kept.Distance(from, q) > 1 {
			return q
		}
	}
	t.Fatal("no other point satisfies the constraint")
	return nil
}

func TestConstraintsExplainWhyThereIsNoMotion(t *testing.T) {
	b := planningtest.New(t, "panda", "table_pick", 100)
	p, s := b.Problem(t, 0)
	tool := b.Pose(t, "panda_hand", p.Goal)
	plane := constraints(tool)["plane"]
	kept := must(planning.NewKept(s, b.Space, plane))
	planner := must(planning.NewConnect(must(spheres.New(s)), kept, 1.0/32, 100))
	if _, err := planning.NewRRT(must(spheres.New(s)), kept, 1.0/32, 100); err == nil || !strings.Contains(err.Error(), "only Connect plans there") {
		t.Errorf("another planner: %v", err)
	}
	if _, err := planning.NewAORRTC(must(spheres.New(s)), kept, 1.0/32, 100); err == nil {
		t.Error("AORRTC plans with a constraint")
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a spline shortens a path with a constraint")
			}
		}()
		planning.NewSpline(planner.Verifier())
	}()
	var failure *planning.ConstraintError
	if _, err := planner.Plan(p.Goal, p.Start); !errors.As(err, &failure) || failure.End != "goal" || !strings.Contains(err.Error(), "mm along z") {
		t.Errorf("goal at another height: %v", err)
	}
	high := b.Pose(t, "panda_hand", p.Start).P.Z - tool.P.Z
	testkit.Near(t, "height of the goal", failure.Off[2], high, 1e-9)
	if _, err := planner.Plan(p.Start, p.Goal); !errors.As(err, &failure) || failure.End != "start" {
		t.Errorf("start at another height: %v", err)
	}
	far := plane
	far.Frame.P.Z = 5
	if _, err := planning.NewKept(s, b.Space, far); !errors.As(err, &failure) || failure.End != "" || !strings.Contains(err.Error(), "no configuration of the robot satisfies the constraint on panda_hand") {
		t.Errorf("a plane out of reach: %v", err)
	}
	for want, c := range map[string]planning.Constraint{
		"no robot of the scene has the link": {Link: "hand", Frame: plane.Frame, Orientation: plane.Orientation},
		"freely about two axes":              {Link: "panda_hand", Frame: plane.Frame, Orientation: plane.Orientation, Rotation: spatial.Vec3{X: free, Y: free}},
		"want 0 or more":                     {Link: "panda_hand", Frame: plane.Frame, Orientation: plane.Orientation, Position: spatial.Vec3{X: -1}},
		"is no rotation":                     {Link: "panda_hand", Frame: plane.Frame},
	} {
		if _, err := planning.NewKept(s, b.Space, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
