// Package cli is the command sinew: its verbs, a file each. A project with blocks of its own has the same verbs with
//
//	func main() { os.Exit(cli.Main(flow.Blocks(), servo.Blocks(), torque.Blocks(), myblocks.Blocks())) }
//
// # Goroutines
//
//	goroutine           started by       owner    bound            end
//	signals             newStopper       stopper  1                when the verb releases the stopper
//	watch of the stop   watch            stopper  1                when the run has ended, or with the process by force
//	the terminal        start            view     1                when the view is stopped, which waits for it
//	a developed system  restart          dev      1                with the system's process
//	a started system    start            console  1 a start        with the system's process
//	notes               own              screen   1, with --notes  with the process
//	captured output     captureStandard  screen   1                when release has closed the pipe and waits for it
package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/candidate"
	"github.com/sinew-robotics/sinew/cli/emulate"
	"github.com/sinew-robotics/sinew/cli/fleet"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
)

// Version is the version that the command prints.
const Version = "0.1.0"

// Main runs the command with the given types of blocks, and carriers, encodings and schedulers of links beside its own, and returns its exit code: 0
// only on success.
func Main(lists ...[]block.Entry) int {
	return Execute(os.Args[1:], os.Stdout, os.Stderr, lists...)
}

// Execute is Main with arguments and outputs of the caller's choice.
func Execute(args []string, stdout, stderr io.Writer, lists ...[]block.Entry) int {
	if err := execute(args, stdout, stderr, lists); err != nil {
		if text := err.Error(); text != "" { // else everything was printed already
			for line := range strings.SplitSeq(text, "\n") {
				fmt.Fprintln(stderr, "sinew:", line)
			}
		}
		return 1
	}
	return 0
}

// execute runs the command. An entry that cannot be registered, or added to a net, is an error like others.
func execute(args []string, stdout, stderr io.Writer, lists [][]block.Entry) (err error) {
	defer func() {
		cause := recover()
		if misuse, ok := cause.(*block.Misuse); ok {
			err = misuse
		} else if cause != nil {
			panic(cause)
		}
	}()
	root := newRoot(block.NewRegistry(append(lists, fleet.Links())...), candidate.NewChecker(candidate.Deadline))
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := unknownVerb(root, args); err != nil {
		return err
	}
	return explainVerb(root, root.Execute())
}

func newRoot(registry *block.Registry, candidates admin.Checker) *cobra.Command {
	root := &cobra.Command{
		Use:           "sinew",
		Short:         "Robot control: a net of calculation blocks in real time",
		Version:       Version,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("sinew {{.Version}}\n")
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Build a system", []*cobra.Command{newCommand(), blocksCommand(registry), modelCommand(), planCommand(), programCommand(), checkCommand(registry), schemaCommand(registry), devCommand(registry)}},
		{"Run it", append([]*cobra.Command{runCommand(registry, candidates), attachCommand(registry, candidates)}, append(fleet.Commands(registry), emulate.Command())...)},
		{"Watch and steer it while it runs", []*cobra.Command{
			consoleCommand(registry, candidates), coachCommand(), tapCommand(), paramCommand(), callCommand(), browseCommand(),
		}},
		{"Evaluate what was recorded", []*cobra.Command{plotCommand(), reportCommand(), shareCommand(registry), logCommand()}},
		{"About this command", []*cobra.Command{licencesCommand(), versionCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.SetHelpCommandGroupID("About this command")
	root.SetCompletionCommandGroupID("About this command")
	root.AddCommand(candidate.Command(registry)) // for other commands, hidden
	root.AddCommand(fleet.Services()...)
	addCompletions(root, registry)
	explainUsage(root)
	return root
}
