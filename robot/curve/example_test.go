package curve_test

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/curve"
)

// A joint moves from rest at 0 to rest at 1 rad in 10 s.
func ExampleMinimumJerk() {
	p := curve.MinimumJerk(10, curve.State{}, curve.State{Position: 1})
	for t := 0.0; t <= 10; t += 5 {
		fmt.Printf("%2.0f s: %.3f rad, %.4f rad/s\n", t, p.At(t, 0), p.At(t, 1))
	}
	// Output:
	//  0 s: 0.000 rad, 0.0000 rad/s
	//  5 s: 0.500 rad, 0.1875 rad/s
	// 10 s: 1.000 rad, 0.0000 rad/s
}
