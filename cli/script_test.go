package cli_test

import (
	"os"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/internal/testkit/scripts"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
	"github.com/sinew-robotics/sinew/parts/torque"
)

// Lidar writes what it has measured 80 ms before.
type Lidar struct{ Scan block.Out[float64] }

// Step writes the scan.
func (l *Lidar) Step(t clock.Tick) error {
	l.Scan.WriteAt(1, t.Time.Add(-80*time.Millisecond))
	return nil
}

func TestMain(m *testing.M) {
	command := func() {
		os.Exit(cli.Main(flow.Blocks(), servo.Blocks(), torque.Blocks(), faultyBlocks(), hostileBlocks(), []block.Entry{block.Of[Lidar]("Measures for 80 ms.")}))
	}
	if len(os.Args) == 2 && os.Args[1] == "candidate" { // a test has started this binary as its own child
		command()
	}
	testscript.Main(m, map[string]func(){"sinew": command})
}

// TestCommandPassesScripts runs the command as a user does: testdata/script/*.txtar, one for each verb or kind of mistake.
func TestCommandPassesScripts(t *testing.T) { scripts.Run(t) }
