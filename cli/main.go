// Package cli is the command sinew: its verbs, a file each. A project with blocks of its own has the same verbs with
//
//	func main() { os.Exit(cli.Main(flow.Blocks(), servo.Blocks(), myblocks.Blocks())) }
package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/net/block"
)

// Version is the version that the command tells.
const Version = "0.1.0"

// Main runs the command with the given types of blocks and returns its exit code: 0 only on success.
func Main(blocks ...[]block.Entry) int {
	return Execute(os.Args[1:], os.Stdout, os.Stderr, blocks...)
}

// Execute is Main with arguments and outputs of the caller's choice.
func Execute(args []string, stdout, stderr io.Writer, blocks ...[]block.Entry) int {
	root := newRoot(block.NewRegistry(blocks...))
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := root.Execute(); err != nil {
		if text := err.Error(); text != "" { // else everything was said already
			for line := range strings.SplitSeq(text, "\n") {
				fmt.Fprintln(stderr, "sinew:", line)
			}
		}
		return 1
	}
	return 0
}

func newRoot(registry *block.Registry) *cobra.Command {
	root := &cobra.Command{
		Use:           "sinew",
		Short:         "Robot control: a net of calculation blocks in real time",
		Version:       Version,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("sinew {{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(
		runCommand(registry), attachCommand(registry), coreCommand(registry), upCommand(registry),
		downCommand(), psCommand(), logsCommand(), superviseCommand(), hostCommand(), pipeCommand(), hubCommand(), bridgeCommand(), schemaCommand(registry), topCommand(), checkCommand(registry), paramCommand(), callCommand(), tapCommand(), browseCommand(),
		plotCommand(), reportCommand(), newCommand(), devCommand(), modelCommand(), consoleCommand(registry),
	)
	return root
}

// errSilent ends the command with exit code 1 when everything was said already.
var errSilent = errors.New("")
