package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/browse"
	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

func browseCommand() *cobra.Command {
	var r live.Reach
	cmd := &cobra.Command{
		Use:   "browse [SYSTEM]",
		Short: "Look into a running system and drive it from a prompt: the task browser",
		Long: `Look into a running system and drive it from a prompt: blocks, links, threads, processes and events are shown, signals watched,
parameters set and saved, inputs and outputs given values by hand, blocks disabled, operations called. help lists what can be
typed, and Tab completes it. Lines from a pipe are executed one after the other; the first error ends it.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.OnSystem(cmd.Context(), strings.Join(args, ""), func(c *nats.Client) error {
				return browse.Run(cmd.Context(), c, cmd.InOrStdin(), cmd.OutOrStdout())
			})
		},
	}
	r.Register(cmd.Flags())
	return cmd
}
