package cli

import (
	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/run"
)

// attachCommand takes the place of a front that was lost.
func attachCommand(registry *block.Registry, candidates admin.Checker) *cobra.Command {
	f := &runFlags{candidates: candidates}
	cmd := &cobra.Command{
		Use:   "attach SYSTEM",
		Short: "Give a running core a new front, when its own was lost",
		Long: `A system in real time is two processes: the core goes on controlling when the front has died.
attach reads the same files again, finds the core, and serves the tools as the first front did. Ending it ends the system.
Of a system that is up the supervisor starts new fronts; attach SYSTEM.PROCESS is for one that it cannot start.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.own(cmd)
			sys, err := run.Load(args[0], registry)
			if err != nil {
				return err
			}
			return f.follow(cmd, sys, run.Attach)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.record, "record", "", "write the log from now on to this `file`, .mcap or .csv")
	flags.BoolVar(&f.json, "json", false, "print one JSON object at the end")
	flags.BoolVar(&f.quiet, "quiet", false, "show nothing while it runs")
	return cmd
}
