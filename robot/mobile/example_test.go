package mobile_test

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/mobile"
)

// A vehicle drives a quarter of a circle of 1 m, counted in ten steps.
func ExampleOdometry() {
	v := mobile.Differential{LeftRadius: 0.1, RightRadius: 0.1, Track: 0.4, Noise: 1e-4}
	left, right := v.Wheels(1.5707963/10, 1.5707963/10) // the angles of a step
	var o mobile.Odometry
	for range 10 {
		if err := o.Step(v.Step(left, right)); err != nil {
			fmt.Println(err)
		}
	}
	sigma := o.Covariance.Sigma()
	fmt.Printf("x %.3f m, y %.3f m, heading %.3f rad\n", o.Pose.X, o.Pose.Y, o.Pose.Heading)
	fmt.Printf("± %.0f mm, %.0f mm, %.3f rad\n", 1000*sigma[0], 1000*sigma[1], sigma[2])
	// Output:
	// x 1.000 m, y 1.000 m, heading 1.571 rad
	// ± 31 mm, 22 mm, 0.044 rad
}
