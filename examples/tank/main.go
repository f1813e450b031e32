// Tank is the command sinew with the blocks of a tank whose level is controlled: the base models of package servo without a robot.
//
//	go run ./examples/tank run examples/tank/tank.yaml --fast
package main

import (
	"os"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
)

// Blocks returns the block types that this program adds.
func Blocks() []block.Entry {
	return []block.Entry{
		block.Of[Tank]("a tank with an outlet at its bottom"),
		block.Of[LevelSensor]("measures the level at each sample"),
		block.Of[LevelController]("PI controller of a level"),
		block.Of[Pump]("turns the command into a flow"),
	}
}

func main() { os.Exit(cli.Main(flow.Blocks(), servo.Blocks(), Blocks())) }
