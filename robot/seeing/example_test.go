package seeing_test

import (
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scene"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
	"github.com/sinew-robotics/sinew/robot/seeing"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// A camera 2 m above the ground looks down at a robot that is a ball of 0.2 m, and at a table 1 m below the camera.
func Example() {
	model, err := multibody.NewModel(multibody.Tree{Name: "ball", Links: []multibody.Link{{Name: "ball"}}})
	check(err)
	ball, err := geometry.NewSphere(0.2)
	check(err)
	s, err := scene.New(scene.Model{Model: model, Shapes: map[string][]geometry.Part{"ball": {{Shape: ball}}}})
	check(err)
	camera := seeing.Camera{Width: 64, Height: 48, Fx: 50, Fy: 50, Cx: 31.5, Cy: 23.5, Unit: 0.001, Near: 0.3, Far: 3}
	pose := spatial.Pose{R: spatial.Mat3{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, P: spatial.Vec3{Z: 2}}
	depths := make([]uint16, 64*48)
	for i := range depths {
		if i%64 > 40 {
			depths[i] = 1000
		}
	}
	depths[24*64+32] = 1800 // the top of the robot
	var q []float64

	voxels := geometry.Voxels{Corner: spatial.Vec3{X: -1, Y: -1, Z: 0}, Size: 0.02, Counts: [3]int{100, 100, 75}}
	m, err := seeing.NewMap(voxels, 10*time.Second)
	check(err)
	own, err := seeing.NewOwn(s, 0.02) // s: a scene with the robot
	check(err)
	ring, err := seeing.NewSnapshots(m, s, "seen", 2) // scenes with an object "seen"
	check(err)
	engines := []*exact.Engine{exact.New(ring.Scenes()[0]), exact.New(ring.Scenes()[1])}

	// for each image:
	check(own.Place(q))
	counts, err := seeing.SeeDepth(m, &camera, depths, &pose, own, 0)
	check(err)
	i, err := ring.Next() // ring.Scenes()[i] stays until two more calls
	check(err)
	nearest, err := engines[i].Distance(q)
	check(err)

	fmt.Printf("%d points, %d of the robot; %s are %.1f m apart\n", counts.Points, counts.Own, nearest.Pair, nearest.Distance)
	// Output: 1104 points, 1 of the robot; ball and seen are 0.8 m apart
}
