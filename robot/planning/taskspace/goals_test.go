package taskspace_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/ik"
	"github.com/sinew-robotics/sinew/robot/planning/planningtest"
	"github.com/sinew-robotics/sinew/robot/planning/taskspace"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// TestGoalsAreAtTheirPose asks for the poses at which problems of MotionBenchMaker end, of arms with a closed form and without one, and plans to them.
func TestGoalsAreAtTheirPose(t *testing.T) {
	for _, c := range []struct {
		robot, link string
		closed      bool
		least       int
	}{{"panda", "panda_hand", true, 20}, {"ur5", "wrist_3_link", true, 4}, {"fetch", "gripper_link", false, 8}} {
		b := planningtest.New(t, c.robot, "table_pick", 50_000)
		tool := spatial.Translation(spatial.Vec3{Z: 0.1})
		goals, err := taskspace.NewGoals(b.Base, b.Space, c.link, tool)
		if err != nil {
			t.Fatal(err)
		}
		if goals.ClosedForm() != c.closed {
			t.Errorf("%s: closed form: %t", c.robot, goals.ClosedForm())
		}
		found, planned, solved := 0, 0, 0
		for i := range 10 {
			p, _ := b.Problem(t, i)
			if !*p.Valid {
				continue
			}
			target := b.Pose(t, c.link, p.Goal).Mul(tool)
			list, err := goals.In(taskspace.Region{Target: target}, p.Start)
			if err != nil {
				t.Errorf("%s %d: %v", c.robot, p.Index, err)
				continue
			}
			found += len(list)
			planned++
			for k, q := range list {
				at := b.Pose(t, c.link, q).Mul(tool)
				testkit.Near(t, "distance to the target", at.P.Sub(target.P).Norm(), 0, 1e-6)
				testkit.Near(t, "angle to the target", at.R.T().Mul(target.R).Log().Norm(), 0, 1e-6)
				if k > 0 && b.Space.Distance(q, p.Start) < b.Space.Distance(list[k-1], p.Start) {
					t.Errorf("goal %d is nearer than the one before", k)
				}
			}
			path, err := b.Planner.PlanToAny(p.Start, list...)
			if err != nil {
				t.Errorf("%s %d: %v", c.robot, p.Index, err)
				continue
			}
			solved++
			if direct, err := b.Planner.Plan(p.Start, p.Goal); err == nil && path.Len() > 2*direct.Len()+20 {
				t.Errorf("%s %d: %d points to any of %d goals", c.robot, p.Index, path.Len(), len(list))
			}
		}
		t.Logf("%s: %.1f goals for each pose, %d of %d planned", c.robot, float64(found)/float64(planned), solved, planned)
		if found < c.least*planned {
			t.Errorf("%s: %d goals for %d poses", c.robot, found, planned)
		}
	}
}

func TestGoalsOfARegionAreInIt(t *testing.T) {
	b := planningtest.New(t, "panda", "table_pick", 1000)
	p, _ := b.Problem(t, 0)
	goals, err := taskspace.NewGoals(b.Base, b.Space, "panda_hand", spatial.Pose{})
	if err != nil {
		t.Fatal(err)
	}
	region := taskspace.Region{Target: b.Pose(t, "panda_hand", p.Goal), Position: spatial.Vec3{X: 0.05}, Rotation: spatial.Vec3{Z: 1}}
	list, err := goals.In(region, p.Start)
	if err != nil {
		t.Fatal(err)
	}
	apart := 0
	for _, q := range list {
		x := region.Target.InvMul(b.Pose(t, "panda_hand", q))
		turn := x.R.Log()
		if math.Abs(x.P.X) > 0.05+1e-6 || math.Abs(x.P.Y)+math.Abs(x.P.Z) > 1e-6 || math.Abs(turn.Z) > 1+1e-6 || math.Hypot(turn.X, turn.Y) > 1e-6 {
			t.Errorf("goal at %v, turned by %v", x.P, turn)
		}
		if math.Abs(turn.Z) > 0.1 {
			apart++
		}
	}
	if apart < 5 {
		t.Errorf("%d of %d goals are turned", apart, len(list))
	}
	// About the z axis the tool of an arm without a closed form turns freely: more solutions, all with the same axis.
	f := planningtest.New(t, "fetch", "table_pick", 1000)
	q, _ := f.Problem(t, 0)
	search := planningtest.Must(taskspace.NewGoals(f.Base, f.Space, "gripper_link", spatial.Pose{}))
	free := taskspace.Region{Target: f.Pose(t, "gripper_link", q.Goal), Rotation: spatial.Vec3{Z: math.Inf(1)}}
	turned := 0
	for _, q := range planningtest.Must(search.In(free, q.Start)) {
		x := free.Target.InvMul(f.Pose(t, "gripper_link", q))
		if x.P.Norm() > 1e-6 || math.Acos(min(1, x.R.Col(2).Z)) > 1e-3 {
			t.Errorf("goal at %v, its axis at %v", x.P, x.R.Col(2))
		}
		if math.Abs(x.R.Log().Z) > 0.5 {
			turned++
		}
	}
	if turned < 3 {
		t.Errorf("%d goals are turned about the free axis", turned)
	}
	testkit.NoAllocs(t, 10, func() {
		if _, err := goals.In(region, p.Start); err != nil {
			t.Fatal(err)
		}
	})
}

func TestGoalsExplainWhyThereAreNone(t *testing.T) {
	b := planningtest.New(t, "panda", "table_pick", 1000)
	goals, err := taskspace.NewGoals(b.Base, b.Space, "panda_hand", spatial.Pose{})
	if err != nil {
		t.Fatal(err)
	}
	var failure *ik.Failure
	far := taskspace.Region{Target: spatial.Translation(spatial.Vec3{X: 3})}
	if _, err := goals.In(far, make([]float64, 7)); !errors.As(err, &failure) || failure.Reason != ik.OutOfReach {
		t.Errorf("3 m away: %v", err)
	}
	for _, region := range []taskspace.Region{{Position: spatial.Vec3{X: -1}}, {Position: spatial.Vec3{Z: math.Inf(1)}}, {Rotation: spatial.Vec3{X: math.NaN()}}} {
		if _, err := goals.In(region, make([]float64, 7)); err == nil || !strings.Contains(err.Error(), "of the region is ") {
			t.Errorf("region %v: %v", region, err)
		}
	}
	if _, err := taskspace.NewGoals(b.Base, b.Space, "hand", spatial.Pose{}); err == nil || !strings.Contains(err.Error(), `"hand"`) {
		t.Errorf("unknown link: %v", err)
	}
	if p, err := b.Space.State(map[string]float64{"panda_joint2": 0.5}, make([]float64, 7)); err != nil || p[1] != 0.5 || p[0] != 0 {
		t.Errorf("named state: %v, %v", p, err)
	}
	if _, err := b.Space.State(map[string]float64{"elbow": 0.5}, make([]float64, 7)); err == nil || !strings.Contains(err.Error(), "elbow; the plan moves panda_joint1") {
		t.Errorf("named state of another robot: %v", err)
	}
}
