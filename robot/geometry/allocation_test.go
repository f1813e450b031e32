package geometry

import (
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func TestQueriesAllocateNothing(t *testing.T) {
	r := testkit.Rand(t)
	points, triangles := ball(8, 10, even)
	shapes := []*Shape{
		NewPlane(), must(t)(NewMesh(points, triangles)), must(t)(NewHeightField(3, 3, 1, 1, make([]float64, 9), -1)),
		must(t)(NewCompound([]Part{{randomShape(t, r, Box, 1), spatial.IdentityPose()}, {randomShape(t, r, Cone, 1), randomPose(r, 1)}})),
	}
	for _, k := range convexKinds {
		shapes = append(shapes, randomShape(t, r, k, 1))
	}
	poses := make([]spatial.Pose, 20)
	for i := range poses {
		poses[i] = randomPose(r, 0.7)
	}
	q, warm := new(Query), new(WarmStart)
	motion := Motion{poses[0], poses[1]}
	testkit.NoAllocs(t, 2, func() {
		_, _, _, _ = q.Sweep(shapes[5], &motion, shapes[6], &Motion{poses[2], poses[3]}, 1e-3)
		for _, a := range shapes {
			for _, b := range shapes {
				for i := 1; i < len(poses); i++ {
					_, _ = q.Distance(a, &poses[i-1], b, &poses[i], warm)
					_, _, _ = q.Raycast(a, &poses[i], Ray{poses[i-1].P, spatial.Vec3{X: 1, Y: 1}, 5})
					_, _, _ = q.Hit(a, &poses[i-1], b, &poses[i], 0.1, warm)
				}
			}
		}
	})
}
