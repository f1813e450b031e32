// Command sinew is the command with all blocks of the project.
package main

import (
	"os"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
)

func main() { os.Exit(cli.Main(flow.Blocks(), servo.Blocks())) }
