package scenario_test

import (
	"path/filepath"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/planning/planningtest"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
)

// TestEnginesAgreeWithTheReferenceAboutEnds compares both engines with what the benchmark's reference planner found free.
func TestEnginesAgreeWithTheReferenceAboutEnds(t *testing.T) {
	for _, name := range []string{"panda", "ur5", "fetch"} {
		robot := planningtest.Read(t, scenario.ReadRobot, testkit.SharedData(t, "planning", "robots", name+".json"))
		base, err := scene.New(robot.Scene)
		if err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(testkit.SharedData(t, "planning", name), "*.json"))
		if err != nil || len(files) != 7 {
			t.Fatalf("%d sets of problems, %v", len(files), err)
		}
		problems, valid := 0, 0
		for _, file := range files {
			set := planningtest.Read(t, scenario.ReadProblems, file)
			for _, p := range set.Problems {
				s, err := base.Add(p.Objects...)
				if err != nil {
					t.Fatal(err)
				}
				fast, err := spheres.New(s)
				if err != nil {
					t.Fatal(err)
				}
				problems++
				for _, e := range []scene.Engine{exact.New(s), fast} {
					free := true
					for _, end := range [][]float64{p.Start, p.Goal} {
						pair, hit, err := e.Collide(order(t, robot, set.Joints, end))
						if err != nil {
							t.Fatal(err)
						}
						if hit && free && *p.Valid {
							t.Errorf("%s %s %d: %s: %s collide, the reference is free", name, set.Name, p.Index, e.Name(), pair)
						}
						free = free && !hit
					}
					if free && !*p.Valid {
						t.Errorf("%s %s %d: %s: free, the reference collides", name, set.Name, p.Index, e.Name())
					}
				}
				if *p.Valid {
					valid++
				}
			}
		}
		t.Logf("%s: %d problems, %d with free ends", name, problems, valid)
	}
}

// order returns a configuration of the model of a robot.
func order(t testing.TB, r *scenario.Robot, joints []string, values []float64) []float64 {
	t.Helper()
	q := make([]float64, r.Scene.Model.NQ())
	for i, name := range joints {
		j, err := r.Scene.Model.Joint(name)
		if err != nil {
			t.Fatal(err)
		}
		q[j.Q] = values[i]
	}
	return q
}
