// Carrier is the command sinew with one more carrier of links between hosts, which docs/howto/write-a-carrier.md explains:
//
//	go run ./examples/carrier check examples/carrier/system.yaml
package main

import (
	"os"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/parts/flow"
)

// Carriers returns the carriers that this program adds.
func Carriers() []block.Entry { return []block.Entry{block.Carrier(Carrier())} }

func main() { os.Exit(cli.Main(flow.Blocks(), Carriers())) }
