package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/notices"
)

func licencesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "licences",
		Short: "Print the licences of other people's software in this command and its console",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(cmd.OutOrStdout(), notices.Text())
			return err
		},
	}
}
