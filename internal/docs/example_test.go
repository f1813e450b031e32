package docs

import (
	"fmt"
	"log"
	"os"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// The library section of the README.
func Example() {
	robot, err := description.ReadURDF(os.DirFS("../../models/janus"), "janus.urdf", description.Options{})
	if err != nil {
		log.Fatal(err) // every mistake of the file, with line and column
	}
	model, err := robot.Model()
	if err != nil {
		log.Fatal(err)
	}
	data := multibody.NewData(model) // one for each thread
	q, v, a := []float64{0.3, -0.2}, []float64{1, 0}, []float64{0, 0.5}
	tau := make([]float64, model.NV())
	multibody.RNEA(data, q, v, a, tau) // inverse dynamics
	multibody.FK(data, q)
	head, _ := model.Link("head")
	fmt.Printf("%.3f\n%.3f\n", tau, data.Pose(head).P)
	// Output:
	// [-1.155 -0.104]
	// {0.074 0.000 0.639}
}
