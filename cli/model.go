package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/internal/nearest"
)

// modelCommand groups the verbs that look at one robot: what a description file says, and what follows from it.
func modelCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "Inspect and evaluate a robot: URDF, xacro, rlmdl or rlkin",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			var verbs []string
			for _, c := range cmd.Commands() {
				verbs = append(verbs, c.Name())
			}
			return fmt.Errorf("sinew model has no verb %q%s", args[0], nearest.Hint(args[0], verbs))
		},
	}
	cmd.AddCommand(
		modelShowCommand(), modelFKCommand(), modelJacobianCommand(), modelIDCommand(), modelFDCommand(), modelWorkspaceCommand(),
		modelIKCommand(), modelEvalCommand(), modelGenerateCommand(),
	)
	return cmd
}
