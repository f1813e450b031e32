// Carrier is the command sinew with one more carrier, encoding and scheduler of links, which docs/howto/write-a-carrier.md explains:
//
//	go run ./examples/carrier check examples/carrier/system.yaml
package main

import (
	"os"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/parts/flow"
)

// Links returns what this program adds for links.
func Links() []block.Entry {
	return []block.Entry{block.Carrier(Carrier()), block.Encoding(Encoding()), block.Scheduler(Scheduler())}
}

func main() { os.Exit(cli.Main(flow.Blocks(), Links())) }
