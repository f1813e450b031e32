package curve_test

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/curve"
	"github.com/sinew-robotics/sinew/robot/spatial"
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

// A joint passes three points; its quintic spline is checked against limits of velocity and acceleration.
func ExampleCheck() {
	f := curve.Spline([]float64{0, 1, 2.5}, []float64{0, 1, 0.5}, []float64{0, 0}, []float64{0, 0})
	for _, v := range curve.Check(f, curve.Magnitude(1, 2), curve.Magnitude(2, 3)) {
		fmt.Printf("derivative %d is %.2f at %.2f s, %.2f too much\n", v.Order, v.Value, v.At, v.By())
	}
	// Output:
	// derivative 2 is -3.71 at 1.17 s, 0.71 too much
	// derivative 2 is 3.43 at 0.30 s, 0.43 too much
}

// A quarter of a circle is run through in 2 s with minimum jerk.
func ExamplePath_Under() {
	arc := curve.Arc(spatial.Vec3{}, spatial.Vec3{Z: 1}, spatial.Vec3{X: 1}, math.Pi/2, 1)
	path := arc.Under(curve.MinimumJerk(2, curve.State{}, curve.State{Position: 1}))
	p, v := path.At(1, 0), path.At(1, 1)
	fmt.Printf("halfway at (%.3f, %.3f) with %.3f m/s\n", p.X, p.Y, v.Norm())
	// Output: halfway at (0.707, 0.707) with 1.473 m/s
}

// A camera turns through three directions with continuous angular acceleration.
func ExampleNewQuatSpline() {
	q := []spatial.Quat{spatial.IdentityQuat(), {Z: 0.5, W: math.Sqrt(0.75)}, {X: 0.5, W: math.Sqrt(0.75)}}
	s, err := curve.NewQuatSpline([]float64{0, 1, 2}, q, []spatial.Vec3{{}}, []spatial.Vec3{{}})
	if err != nil {
		panic(err)
	}
	w := curve.AngularVelocity(s, 1, 0)
	fmt.Printf("passes the second direction with %.2f rad/s\n", w.Norm())
	// Output: passes the second direction with 0.82 rad/s
}

func ExampleMarshal() {
	data, err := curve.Marshal(curve.Hermite(0, 2, []float64{1}, []float64{2}))
	fmt.Println(string(data), err)
	// Output: {"polynomial":{"domain":[0,2],"coefficients":[1,0.5]}} <nil>
}
