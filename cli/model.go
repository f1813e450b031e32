package cli

import (
	"github.com/spf13/cobra"
)

// modelCommand groups the verbs that look at one robot: what a description file says, and what follows from it.
func modelCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "Inspect and evaluate a robot: URDF, xacro, rlmdl or rlkin",
	}
	cmd.AddCommand(
		modelShowCommand(), modelFKCommand(), modelJacobianCommand(), modelIDCommand(), modelFDCommand(), modelEvalCommand(), modelWorkspaceCommand(),
	)
	return cmd
}
