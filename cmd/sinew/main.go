// Command sinew is the command with all blocks of the project.
package main

import (
	"os"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/hardware"
	"github.com/sinew-robotics/sinew/parts/mobile"
	"github.com/sinew-robotics/sinew/parts/motion"
	"github.com/sinew-robotics/sinew/parts/servo"
	"github.com/sinew-robotics/sinew/parts/torque"
)

func main() {
	os.Exit(cli.Main(flow.Blocks(), servo.Blocks(), torque.Blocks(), motion.Blocks(), hardware.Blocks(), mobile.Blocks()))
}
