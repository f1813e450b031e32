package geometry_test

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func ExampleQuery_Distance() {
	box, err := geometry.NewBox(spatial.Vec3{X: 0.4, Y: 0.3, Z: 0.2})
	if err != nil {
		panic(err)
	}
	ball, err := geometry.NewSphere(0.1)
	if err != nil {
		panic(err)
	}
	var q geometry.Query
	here, there := spatial.IdentityPose(), spatial.Translation(spatial.Vec3{X: 0.5})
	contact, err := q.Distance(box, &here, ball, &there, nil)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.1f m along x: %.0f\n", contact.Distance, contact.Normal.X)
	// Output: 0.2 m along x: 1
}
