// Command busy is sinew's ready-made blocks and one more, which keeps its processor busy. `go run ./bench load ticks` uses it.
package main

import (
	"os"
	"time"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/parts/flow"
)

// Burn computes for a given time in every step.
type Burn struct {
	Time block.Const[float64] `unit:"s" min:"0" default:"0" doc:"duration of a step"`
	Out  block.Out[float64]   `doc:"the time of the step"`
}

// Step computes until the time is over.
func (b *Burn) Step(t clock.Tick) error {
	x := t.Time.Seconds()
	for begin := time.Now(); time.Since(begin).Seconds() < b.Time.Value(); {
		for range 100 {
			x = 0.5*x + 1
		}
	}
	b.Out.Write(t.Time.Seconds() + 0*x)
	return nil
}

func main() {
	os.Exit(cli.Main(flow.Blocks(), []block.Entry{block.Of[Burn]("computes for a given time in every step")}))
}
