package planning_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// vehicle returns the scene of a box of this size that moves by one joint, among obstacles.
func vehicle(joint multibody.JointType, size spatial.Vec3, obstacles ...scene.Object) *scene.Scene {
	m := must(multibody.NewModel(multibody.Tree{
		Name: "vehicle", Links: []multibody.Link{{Name: "ground"}, {Name: "body"}},
		Joints: []multibody.Joint{{Name: "move", Type: joint, Parent: "ground", Child: "body", Axis: spatial.Vec3{Z: 1}}},
	}))
	shape := must(geometry.NewBox(size))
	s := must(scene.New(scene.Model{Model: m, Shapes: map[string][]geometry.Part{"body": {{Shape: shape}}}}))
	return must(s.Add(obstacles...))
}

// TestCarsAndBodiesFindTheirWay plans with curves of cars round a wall, and with poses of a body that has to turn to pass a slit.
func TestCarsAndBodiesFindTheirWay(t *testing.T) {
	plane := must(space.NewAxes(space.Axis{Name: "x", Lower: 0, Upper: 4}, space.Axis{Name: "y", Lower: 0, Upper: 4}, space.Axis{Name: "heading", Circle: true}))
	road := vehicle(multibody.Planar, spatial.Vec3{X: 0.4, Y: 0.2, Z: 0.2}, box("wall", 1.9, -1, 2.1, 2.5))
	slit := vehicle(multibody.Floating, spatial.Vec3{X: 0.6, Y: 0.6, Z: 0.1},
		box("left", 0.9, -2, 1.1, -0.15), box("right", 0.9, 0.15, 1.1, 2)) // 0.3 m wide: only a body on edge passes
	poses := must(space.NewPoses("body", [3]float64{-1, -1, -0.3}, [3]float64{3, 1, 0.3}, 0.3))
	for _, c := range []struct {
		name, planner string
		scene         *scene.Scene
		space         space.Space
		start, goal   []float64
	}{
		{"Dubins", "rrt-goal-bias", road, must(space.NewDubins(plane, 0.4)), []float64{1, 1, 0}, []float64{3, 1, 0}},
		{"Reeds-Shepp", "rrt-connect", road, must(space.NewReedsShepp(plane, 0.4)), []float64{1, 1, 0}, []float64{3, 1, 3}},
		{"Reeds-Shepp", "aorrtc", road, must(space.NewReedsShepp(plane, 0.4)), []float64{1, 1, 0}, []float64{3, 1, 3}},
		{"SE(3)", "rrt-connect", slit, poses, []float64{0, 0, 0, 0, 0, 0, 1}, []float64{2, 0, 0, 0, 0, 0, 1}},
		{"SE(3)", "rrt-con-con", slit, poses, []float64{0, 0, 0, 0, 0, 0, 1}, []float64{2, 0, 0, 0, 0, 0, 1}},
	} {
		t.Run(c.name+" "+c.planner, func(t *testing.T) {
			s := must(space.NewCoordinates(c.scene, c.space, []string{"move"}, nil))
			p := must(kind(t, c.planner).New(exact.New(c.scene), s, resolution, 20_000))
			improve(p, 200)
			path, err := p.Plan(c.start, c.goal)
			if err != nil {
				t.Fatal(err)
			}
			v := must(planning.NewVerifier(exact.New(c.scene), s, resolution/2))
			v.Sequential = true
			if !v.Path(path) || !slices.Equal(path.At(0), c.start) || !slices.Equal(path.At(path.Len()-1), c.goal) {
				t.Errorf("the path of %d points is not free, or does not join the ends", path.Len())
			}
		})
	}
	s := must(space.NewCoordinates(road, must(space.NewDubins(plane, 0.4)), []string{"move"}, nil))
	for _, k := range planning.Kinds() {
		if _, err := k.New(exact.New(road), s, resolution, 100); (err == nil) != slices.Contains([]string{"rrt", "rrt-goal-bias", "rrt-con", "kpiece"}, k.Name) {
			t.Errorf("%s for ways of one direction: %v", k.Name, err)
		} else if err != nil && !strings.Contains(err.Error(), "use RRT") {
			t.Errorf("%s does not name what to use: %v", k.Name, err)
		}
	}
}

// TestVerifiersAgree compares the orders in which the points of an edge are checked, on random edges of a maze.
func TestVerifiersAgree(t *testing.T) {
	s := newMaze(testkit.Rand(t), 5, 0.4).scene(disc)
	plane := joints(s)
	bisect, sequential := must(planning.NewVerifier(exact.New(s), plane, resolution)), must(planning.NewVerifier(exact.New(s), plane, resolution))
	sequential.Sequential = true
	var u space.Halton
	u.Reset(0)
	free, edges := 0, 0
	for range 2000 {
		p := make([]float64, 4)
		u.Next(p)
		plane.Scale(p[:2])
		if p[2], p[3] = p[0]+p[2]-0.5, p[1]+p[3]-0.5; !bisect.Free(p[:2]) {
			continue // the start of an edge is known to be free
		}
		edges++
		a, b := bisect.Edge(p[:2], p[2:]), sequential.Edge(p[:2], p[2:])
		if a != b {
			t.Fatalf("edge %v: bisected %t, sequential %t", p, a, b)
		}
		if a {
			free++
		}
	}
	if free == 0 || free == edges {
		t.Errorf("%d of %d edges are free", free, edges)
	}
}
