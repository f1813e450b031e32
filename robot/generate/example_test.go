package generate_test

import (
	"fmt"
	"log"
	"maps"
	"os"
	"slices"

	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/generate"
	"github.com/sinew-robotics/sinew/robot/multibody"
)

// The files of a package for one arm; the command for this is sinew model generate.
func ExamplePackage() {
	source, err := os.ReadFile("../../bench/robots/panda.urdf")
	if err != nil {
		log.Fatal(err)
	}
	robot, err := description.Read(os.DirFS("../../bench/robots"), "panda.urdf", description.Options{})
	if err != nil {
		log.Fatal(err)
	}
	model, err := robot.Model(multibody.IgnoreMimic())
	if err != nil {
		log.Fatal(err)
	}
	files, err := generate.Package(model, generate.Options{Name: "panda", Tool: "panda_hand", Source: source, Batch: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Println(name)
	}
	// Output:
	// panda.go
	// panda_amd64.go
	// panda_amd64.s
	// panda_batch.go
	// panda_other.go
	// panda_test.go
	// robot.urdf
}
