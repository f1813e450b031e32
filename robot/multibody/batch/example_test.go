package batch_test

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/multibody/batch"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// A pendulum of 1 kg at 1 m, in sixteen states at rest: the torque that holds it.
func ExampleBatch_RNEA() {
	model, err := multibody.NewModel(multibody.Tree{
		Links: []multibody.Link{
			{Name: "world"},
			{Name: "bob", Inertia: spatial.Inertia{Mass: 1, COM: spatial.Vec3{X: 1}}},
		},
		Joints: []multibody.Joint{
			{Name: "hinge", Type: multibody.Continuous, Parent: "world", Child: "bob", Axis: spatial.Vec3{Y: -1}},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	const n = 16
	q, v, a, tau := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range q {
		q[i] = float64(i) * math.Pi / 12
	}
	b := batch.New(model)
	b.RNEA(q, v, a, tau)
	for i := 0; i < n; i += 4 {
		fmt.Printf("%3.0f° %5.1f N m\n", q[i]*180/math.Pi, tau[i])
	}
	// Output:
	//   0°   9.8 N m
	//  60°   4.9 N m
	// 120°  -4.9 N m
	// 180°  -9.8 N m
}
