package planningtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// Read parses a file, and ends the test with its error.
func Read[T any](t testing.TB, parse func([]byte) (T, error), path string) T {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	v, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Must returns a value that comes without an error, and panics with the error otherwise.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Bench is a robot with a set of problems and a planner for them.
type Bench struct {
	Base    *scene.Scene // of the robot alone
	Set     *scenario.Set
	Space   *space.Joints
	Planner *planning.Connect
}

// New reads a robot and a set of problems by their names, as "panda" and "table_pick"; its planner has room for this number of nodes.
func New(t testing.TB, robot, set string, nodes int) *Bench {
	t.Helper()
	r := Read(t, scenario.ReadRobot, testkit.SharedData(t, "planning", "robots", robot+".json"))
	b := &Bench{Set: Read(t, scenario.ReadProblems, filepath.Join(testkit.SharedData(t, "planning", robot), set+".json"))}
	var err error
	if b.Base, err = scene.New(r.Scene); err != nil {
		t.Fatal(err)
	}
	if b.Space, err = space.NewJoints(b.Base, b.Set.Joints, nil); err != nil {
		t.Fatal(err)
	}
	if b.Planner, err = planning.NewConnect(exact.New(b.Base), b.Space, 1.0/32, nodes); err != nil {
		t.Fatal(err)
	}
	return b
}

// Problem prepares the planner for problem i and returns that with its scene.
func (b *Bench) Problem(t testing.TB, i int) (*scenario.Problem, *scene.Scene) {
	t.Helper()
	p := &b.Set.Problems[i]
	s, err := b.Base.Add(p.Objects...)
	if err != nil {
		t.Fatal(err)
	}
	e, err := spheres.New(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Planner.Verifier().Use(e); err != nil {
		t.Fatal(err)
	}
	return p, s
}

// Pose returns the pose of a link at a point of the space.
func (b *Bench) Pose(t testing.TB, link string, p []float64) spatial.Pose {
	t.Helper()
	m := b.Base.Models()[0]
	k, err := m.Model.Link(link)
	if err != nil {
		t.Fatal(err)
	}
	q := make([]float64, b.Base.NQ())
	b.Space.Configuration(p, q)
	d := multibody.NewData(m.Model)
	multibody.FK(d, q)
	return d.Pose(k)
}
