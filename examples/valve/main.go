// Valve is the command sinew with a hydraulic cylinder: an axis that slides, in m, and is commanded a pressure, in Pa.
//
//	go run ./examples/valve run examples/valve/valve.yaml --fast
package main

import (
	"os"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/parts/servo"
)

// Blocks returns the block types that this program adds.
func Blocks() []block.Entry {
	return []block.Entry{block.Of[Cylinder]("a hydraulic cylinder that moves a slide, with an encoder on its spindle")}
}

func main() { os.Exit(cli.Main(servo.Blocks(), Blocks())) }
