// Command busy is sinew's ready-made blocks and those of bench/model, one of which keeps its processor busy. The tables load, ticks, multirate, limbs and
// watchers of `go run ./bench` use it.
package main

import (
	"os"

	"github.com/sinew-robotics/sinew/bench/model"
	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/parts/flow"
)

func main() { os.Exit(cli.Main(flow.Blocks(), model.Blocks())) }
