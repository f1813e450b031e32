package cli_test

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sinew-robotics/sinew/cli"
	"github.com/sinew-robotics/sinew/internal/testkit/scripts"
	"github.com/sinew-robotics/sinew/parts/flow"
	"github.com/sinew-robotics/sinew/parts/servo"
	"github.com/sinew-robotics/sinew/parts/torque"
)

func TestMain(m *testing.M) {
	command := func() {
		os.Exit(cli.Main(flow.Blocks(), servo.Blocks(), torque.Blocks(), faultyBlocks(), hostileBlocks()))
	}
	if len(os.Args) == 2 && os.Args[1] == "candidate" { // a test has started this binary as its own child
		command()
	}
	testscript.Main(m, map[string]func(){"sinew": command})
}

// TestCommandPassesScripts runs the command as a user does: testdata/script/*.txtar, one for each verb or kind of mistake.
func TestCommandPassesScripts(t *testing.T) { scripts.Run(t) }
