package system_test

import (
	"fmt"
	"strings"

	"github.com/sinew-robotics/sinew/net/system"
)

// A file with a group that includes others: each block has the names of its groups before its own.
func ExampleLoad() {
	s, err := system.Load("testdata/crane.yaml", system.Options{
		Registry: registry(), Params: []string{"first.gain=5"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range s.Net.Blocks {
		fmt.Println(b.Name, b.Params[0].Name, b.Params[0].Value())
	}
	// Output:
	// wave amplitude 2
	// first gain 5
	// second gain 1
	// left.shoulder.amplify gain 4
	// left.elbow.amplify gain 7
}

// Everything that is wrong comes at once, with its place.
func ExampleLoad_errors() {
	_, err := system.Load("testdata/bad/loop.yaml", system.Options{Registry: registry()})
	fmt.Println(err)
	// Output:
	// testdata/bad/loop.yaml:7:5: thread "t": loop without a delay: a.out -> b.in, b.out -> a.in; open it with delay: true on one of these links, or with a flow.Delay
}

// Tuned values go back into the file; the rest of it stays as it was.
func ExampleSystem_SaveParams() {
	s, _ := system.Load("testdata/crane.yaml", system.Options{Registry: registry()})
	_, err := s.SaveParams([]system.Change{{Block: "left.elbow.amplify", Param: "gain", Value: "8"}})
	fmt.Println(err)
	texts, _ := s.SaveParams([]system.Change{{Block: "wave", Param: "amplitude", Value: "2.5"}})
	for line := range strings.Lines(texts["testdata/crane.yaml"].Text) {
		if strings.Contains(line, "wave:") {
			fmt.Print(line)
		}
	}
	// Output:
	// save parameters: left.elbow.amplify.limits would change too: the value at testdata/arm/joint.yaml:3:84 would count for it; edit the files by hand
	//   wave: {type: rig.Wave, params: {amplitude: 2.5}} # rad
}
