package planning_test

import (
	"fmt"
	"log"
	"os"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/planning"
	"github.com/sinew-robotics/sinew/robot/planning/space"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/spheres"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// An arm moves from one side of a wall to the other.
func ExampleConnect() {
	if err := moveAroundAWall(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// shorter than 3.5 rad: true
}

func moveAroundAWall() error {
	folder := os.DirFS("../../examples/plan")
	robot, err := description.ReadURDF(folder, "arm.urdf", description.Options{})
	if err != nil {
		return err
	}
	semantic, err := description.ReadSRDF(folder, "arm.srdf", description.Options{})
	if err != nil {
		return err
	}
	model, err := robot.Model()
	if err != nil {
		return err
	}
	shapes, err := robot.Shapes()
	if err != nil {
		return err
	}
	s, err := scene.New(scene.Model{Model: model, Shapes: shapes, Allowed: semantic.Allowed(robot)})
	if err != nil {
		return err
	}
	box, err := geometry.NewBox(spatial.Vec3{X: 0.8, Y: 0.02, Z: 1.2})
	if err != nil {
		return err
	}
	s, err = s.Add(scene.Object{Name: "wall", Pose: spatial.Translation(spatial.Vec3{X: 0.7, Z: 0.6}), Parts: []geometry.Part{{Shape: box}}})
	if err != nil {
		return err
	}
	engine, err := spheres.New(s) // exact.New for robots of other shapes
	if err != nil {
		return err
	}
	joints, err := space.NewJoints(s, []string{"turn", "raise", "bend", "roll"}, nil)
	if err != nil {
		return err
	}
	planner, err := planning.NewConnect(engine, joints, 1.0/32, 0) // allocates all memory
	if err != nil {
		return err
	}
	path, err := planner.Plan([]float64{-0.6, 1, 0.5, 0}, []float64{0.6, 1, 0.5, 0})
	if err != nil {
		return err // which bodies collide at an end, or which joint is beyond its limits
	}
	planning.NewSimplifier(planner.Verifier()).Simplify(path)
	fmt.Printf("shorter than 3.5 rad: %t\n", path.Length(joints) < 3.5)
	return nil
}
