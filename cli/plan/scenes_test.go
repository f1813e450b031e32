package plan

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/console/plans"
	"github.com/sinew-robotics/sinew/console/robots"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

// settings returns what the page Plan gets of scenes.
func settings(t *testing.T, list []console.Scene, err error) (all []*plans.Setting, p *plans.Plans) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	r := robots.New(robots.Options{})
	p = plans.New(r)
	for _, s := range list {
		if err := r.Add(s.Name, s.Robot, s.World); err != nil {
			t.Fatal(err)
		}
		x, err := p.Open(context.Background(), plans.Entry{System: robots.NoSystem, Robot: s.Name})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	return all, p
}

func TestPageOpensScenariosOfTheRoboticsLibrary(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.SharedData(t, "rl"), "rlplan", "*.xml"))
	if err != nil || len(files) != 6 {
		t.Fatalf("%d scenarios, %v", len(files), err)
	}
	for _, file := range files {
		list, err := readScenes(file, "", ends{radius: pointRadius}, "")
		all, p := settings(t, list, err)
		s := all[0]
		planner, seconds, obstacle, axes := "rrt-con-con", 600.0, "boxes", 6 // the file states 1200 s
		if strings.Contains(file, "prm") {
			planner = "prm"
		}
		if maze := strings.Contains(file, "maze"); maze {
			obstacle, axes = "maze", 0
		} else if strings.Contains(file, ".mdl") {
			seconds = 120
		}
		if s.Planner != planner || s.Seconds != seconds || len(s.Objects) != 1 || s.Objects[0].Name != obstacle || len(s.Axes) != axes || len(s.Objects[0].Parts) == 0 {
			t.Errorf("%s: planner %s, %g s, %d obstacles, %d axes", file, s.Planner, s.Seconds, len(s.Objects), len(s.Axes))
		}
		if axes == 0 {
			continue // no plan in a test's time
		}
		q := plans.Problem{System: robots.NoSystem, Robot: list[0].Name, Link: s.Links[len(s.Links)-1], Start: s.Start, Goal: s.Goal, Objects: s.Objects, Planner: s.Planner, Seconds: 60, Acceleration: 10, Jerk: 100}
		if r, err := p.Make(context.Background(), "page", &q); err != nil || r.Why != nil {
			t.Errorf("%s: %+v, %v", file, r, err)
		}
	}
}

func TestPageOpensProblemsOfAFile(t *testing.T) {
	example := func(file string) string { return filepath.Join("..", "..", "examples", "plan", file) }
	list, err := readScenes(example("shelf.json"), example("arm.urdf"), ends{srdf: example("arm.srdf")}, "prm")
	all, _ := settings(t, list, err)
	if len(all) != 3 || all[1].Planner != "prm" || slices.Equal(all[0].Start, all[0].Goal) {
		t.Fatalf("%d problems: %+v", len(all), all[0])
	}
	if root := testkit.SharedData(t, "planning"); root != "" {
		list, err := readScenes(filepath.Join(root, "fetch", "cage.json"), filepath.Join(root, "robots", "fetch.json"), ends{}, "")
		all, p := settings(t, list, err)
		if len(all) != 50 || all[0].Engines[0] != "spheres" {
			t.Fatalf("%d problems, engines %q", len(all), all[0].Engines)
		}
		s := all[0]
		q := plans.Problem{System: robots.NoSystem, Robot: list[0].Name, Link: s.Links[0], Start: s.Start, Goal: s.Goal, Held: s.Held, Objects: s.Objects, Seconds: 60, Acceleration: 10, Jerk: 100}
		if r, err := p.Make(context.Background(), "page", &q); err != nil || r.Why != nil {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

func TestPageOpensMobileRobots(t *testing.T) {
	for kind, values := range map[string]int{"planar": 4, "floating": 8} {
		file := filepath.Join(t.TempDir(), "mobile.urdf")
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(mobile, "planar", kind)), 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := readScenes(file, "", ends{}, "")
		all, p := settings(t, list, err)
		s := all[0]
		if len(s.Joints) != values || len(s.Axes) != 1 || s.Lower[0] != -roomSize || !strings.Contains(strings.Join(s.Notes, " "), "joint drive has no limits") {
			t.Fatalf("%s: %+v", kind, s)
		}
		goal := robots.Target{P: [3]float64{2, 1, 0.15}}
		if kind == "floating" {
			goal.Q = &[4]float64{0, 0, 1, 0}
		}
		q := plans.Problem{System: robots.NoSystem, Robot: list[0].Name, Link: "arm", Start: s.Start, Goal: s.Goal, Pose: &goal, Seconds: 60, Acceleration: 1, Jerk: 1}
		if r, err := p.Make(context.Background(), "page", &q); err != nil || r.Why != nil || r.Goal[0] < 1.5 {
			t.Errorf("%s: %+v, %v", kind, r, err)
		}
	}
}

// mobile is an arm on a base that drives.
const mobile = `<robot name="mobile"><link name="world"/><link name="base"><collision><geometry><box size="0.5 0.3 0.2"/></geometry></collision></link>
<link name="arm"><collision><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.05" length="0.4"/></geometry></collision></link>
<joint name="drive" type="planar"><parent link="world"/><child link="base"/><axis xyz="0 0 1"/></joint>
<joint name="tilt" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 0.15"/><axis xyz="0 1 0"/><limit lower="-1.5" upper="1.5" velocity="1" effort="1"/></joint></robot>`

func TestScenesWithoutRobotAndWrongFlagsAreRefused(t *testing.T) {
	example := func(file string) string { return filepath.Join("..", "..", "examples", "plan", file) }
	for want, read := range map[string]func() ([]console.Scene, error){
		"--robot ROBOT.urdf":       func() ([]console.Scene, error) { return readScenes(example("wall.scene"), "", ends{}, "") },
		"name their robot":         func() ([]console.Scene, error) { return readScenes(example("shelf.json"), "", ends{}, "") },
		"there is no such planner": func() ([]console.Scene, error) { return readScenes(example("arm.urdf"), "", ends{}, "rrrt") },
		"leave --scene": func() ([]console.Scene, error) {
			return readScenes(example("shelf.json"), example("arm.urdf"), ends{scene: "x.scene"}, "")
		},
		"no robot of the scene": func() ([]console.Scene, error) { return readScenes(example("arm.urdf"), "", ends{joints: "trn"}, "") },
	} {
		if _, err := read(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	list, err := readScenes(example("arm.urdf"), "", ends{joints: "turn"}, "")
	if all, _ := settings(t, list, err); slices.Contains(all[0].Held, "turn") || len(all[0].Held) != len(all[0].Joints)-1 {
		t.Errorf("held are %q of %q", all[0].Held, all[0].Joints)
	}
}
