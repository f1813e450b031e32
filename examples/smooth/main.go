// Smooth is the command sinew with one more block, which docs/howto/write-a-block.md explains line by line:
//
//	go run ./examples/smooth run examples/smooth/system.yaml --for 2s
package main

import (
	"os"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/parts/flow"
)

// Blocks returns the block types that this program adds.
func Blocks() []block.Entry {
	return []block.Entry{block.Of[Smooth]("removes noise from a vector")}
}

func main() { os.Exit(cli.Main(flow.Blocks(), Blocks())) }
