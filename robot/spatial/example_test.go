package spatial_test

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// A camera looks down from above a table. Where is what it sees?
func ExamplePose() {
	camera := spatial.Pose{R: spatial.RPY(math.Pi, 0, 0), P: spatial.Vec3{Z: 1.5}}
	seen := spatial.Vec3{X: 0.2, Y: 0.1, Z: 1.5} // in the camera's frame
	p := camera.Apply(seen)
	fmt.Printf("%.2f %.2f %.2f\n", p.X, p.Y, p.Z)
	// Output: 0.20 -0.10 0.00
}

// Half of the way between two orientations, and how fast the way turns.
func ExampleQuat_Slerp() {
	a := spatial.IdentityQuat()
	b := spatial.ExpQuat(spatial.Vec3{Z: math.Pi / 2})
	angle, axis := a.Slerp(b, 0.5).Mat3().AngleAxis()
	fmt.Printf("%.4f rad about (%.1f, %.1f, %.1f)\n", angle, axis.X, axis.Y, axis.Z)
	fmt.Printf("%.4f rad/s\n", a.SlerpVelocity(b).Z)
	// Output:
	// 0.7854 rad about (0.0, 0.0, 1.0)
	// 1.5708 rad/s
}

// The same orientation in other people's angles.
func ExampleMat3_Euler() {
	m := spatial.RPY(0.1, 0.2, 0.3)
	a, b, c := m.Euler(spatial.ZYX)
	fmt.Printf("%.2f %.2f %.2f\n", a, b, c)
	// Output: 0.30 0.20 0.10
}

// A force sensor at the wrist measures what the tool feels: the same force about another point.
func ExamplePose_Force() {
	toolInSensor := spatial.Translation(spatial.Vec3{Z: 0.2})
	push := spatial.Force{Linear: spatial.Vec3{X: 10}} // N, at the tip of the tool
	fmt.Println(toolInSensor.Force(push))
	// Output: {{10 0 0} {0 2 0}}
}
