package exact_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// armBesideBox returns the scene of an arm and a box within its reach.
func armBesideBox(t testing.TB) *scene.Scene {
	t.Helper()
	files := os.DirFS(filepath.Join(testkit.Root(t), "examples/plan"))
	robot, err := description.Read(files, "arm.urdf", description.Options{})
	if err != nil {
		t.Fatal(err)
	}
	model, err := robot.Model()
	if err != nil {
		t.Fatal(err)
	}
	shapes, err := robot.Shapes()
	if err != nil {
		t.Fatal(err)
	}
	s, err := scene.New(scene.Model{Model: model, Shapes: shapes})
	if err != nil {
		t.Fatal(err)
	}
	box, err := geometry.NewBox(spatial.Vec3{X: 0.2, Y: 0.4, Z: 0.6})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.Add(scene.Object{Name: "box", Pose: spatial.Translation(spatial.Vec3{X: 0.5, Z: 0.5}), Parts: []geometry.Part{{Shape: box}}}); err != nil {
		t.Fatal(err)
	}
	return s
}

// The nearest of the near pairs is that of Distance, those that touch are those of Contacts, and a smaller distance leaves out the farther ones alone.
func TestNearListsThePairsWithinADistance(t *testing.T) {
	s := armBesideBox(t)
	model := s.Models()[0].Model
	e, r, q := exact.New(s), testkit.Rand(t), make([]float64, s.NQ())
	all, err := e.Near(q, math.Inf(1), nil)
	if err != nil || len(all) != exact.NewClearance(s).Pairs() {
		t.Fatalf("%d pairs at any distance, want %d: %v", len(all), exact.NewClearance(s).Pairs(), err)
	}
	for range 300 {
		model.Random(r, q)
		least, _ := e.Distance(q)
		touching, _ := e.Contacts(q, nil)
		all, _ = e.Near(q, math.Inf(1), all[:0])
		nearest, touch, within := math.Inf(1), 0, 0
		for _, c := range all {
			nearest = min(nearest, c.Distance)
			if c.Distance <= 0 {
				touch++
			}
			if c.Distance < 0.2 {
				within++
			}
		}
		near, _ := e.Near(q, 0.2, nil)
		if nearest != least.Distance || touch != len(touching) || within != len(near) {
			t.Fatalf("at %v: nearest %g, want %g; %d touch, want %d; %d within 0.2 m, want %d", q, nearest, least.Distance, touch, len(touching), len(near), within)
		}
	}
	testkit.NoAllocs(t, 100, func() { all, _ = e.Near(q, math.Inf(1), all[:0]) })
	if _, err := e.Near(append([]float64{math.NaN()}, q[1:]...), 1, nil); err == nil {
		t.Error("a configuration that is not finite is taken")
	}
}
