// Walker is a six-legged walking machine in simulation, built as a hierarchy of modules. Without arguments it makes a
// tour in virtual time and prints its position:
//
//	go run ./examples/walker
//
// With arguments it is the command sinew with the machine's blocks:
//
//	go run ./examples/walker run examples/walker/walker.yaml
//	go run ./examples/walker check -v examples/walker/walker.yaml
package main

import (
	"os"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/examples/walker/hexapod"
	"github.com/sinew-robotics/sinew/parts/flow"
)

func main() {
	args := os.Args[1:]
	if len(args) == 0 {
		args = []string{"run", "examples/walker/walker.yaml", "--fast", "--script", "examples/walker/tour.star"}
	}
	os.Exit(cli.Execute(args, os.Stdout, os.Stderr, flow.Blocks(), hexapod.Blocks()))
}
