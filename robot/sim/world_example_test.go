package sim_test

import (
	"fmt"
	"math"
	"time"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/sim"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// A hand on a rail pushes a box over the ground, measures its distance with a ray, and lets it come to rest.
func ExampleWorld() {
	hand, err := sim.New(multibody.Tree{
		Name:   "pusher",
		Links:  []multibody.Link{{Name: "rail"}, {Name: "hand", Inertia: spatial.Inertia{Mass: 1, Rotational: spatial.SymDiag(0.01, 0.01, 0.01)}}},
		Joints: []multibody.Joint{{Name: "slide", Type: multibody.Prismatic, Parent: "rail", Child: "hand", Axis: spatial.Vec3{X: 1}, Damping: 20}},
	}, sim.Options{})
	if err != nil {
		panic(err)
	}
	palm, _ := geometry.NewBox(spatial.Vec3{X: 0.1, Y: 0.2, Z: 0.1})
	cube, _ := geometry.NewBox(spatial.Vec3{X: 0.2, Y: 0.2, Z: 0.2})
	inertia, _ := cube.Inertia(2) // kg

	world, err := sim.NewWorld(sim.WorldOptions{},
		[]sim.Robot{{
			Simulator: hand, Base: spatial.Translation(spatial.Vec3{X: -0.5, Z: 0.1}), Material: sim.Hard(0.1),
			Shapes: map[string][]geometry.Part{"hand": {{Shape: palm}}},
		}},
		[]sim.Body{
			{Name: "ground", Fixed: true, Parts: []geometry.Part{{Shape: geometry.NewPlane()}}, Material: sim.Hard(0.5)},
			{
				Name: "box", Pose: spatial.Translation(spatial.Vec3{Z: 0.1}), Parts: []geometry.Part{{Shape: cube}}, Inertia: inertia, Material: sim.Hard(0.5),
			},
		})
	if err != nil {
		panic(err)
	}
	box, _ := world.Part("box")
	show := func(what string) {
		ray := geometry.Ray{Origin: spatial.Vec3{X: 2, Z: 0.1}, Direction: spatial.Vec3{X: -1}, Length: 10}
		hit, _, _ := world.Cast(ray, nil)
		fmt.Printf("%s: box at %.2f m with %.2f m/s, the ray meets %q after %.2f m\n",
			what, world.Pose(box).P.X, math.Abs(world.Velocity(box).Linear.X), world.Parts()[hit.Part], hit.Distance)
	}
	show("before")
	hand.SetTorque(0, 14) // N; friction takes 9.8 N
	world.Step(3 * time.Second)
	show("pushed")
	hand.SetTorque(0, 0)
	world.Step(time.Second)
	show("left alone")
	// Output:
	// before: box at 0.00 m with 0.00 m/s, the ray meets "box" after 1.90 m
	// pushed: box at 0.42 m with 0.17 m/s, the ray meets "box" after 1.48 m
	// left alone: box at 0.42 m with 0.00 m/s, the ray meets "box" after 1.48 m
}
