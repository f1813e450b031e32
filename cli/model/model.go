// Package model is the verb `sinew model`: it reads the description of one robot and shows, evaluates, draws or
// generates results from it. Each sub-verb has its own file.
package model

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/simplify"
)

// Show shows a robot before and after its collision geometry was simplified, until the verb is interrupted.
type Show func(cmd *cobra.Command, source, written *description.Robot, links []simplify.Link) error

// Command returns the verb `sinew model` with its sub-verbs. Its verb simplify opens pages by show, whose flags pages registers.
func Command(show Show, pages func(*cobra.Command)) *cobra.Command {
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
			if strings.Contains(args[0], ".") {
				return fmt.Errorf("sinew model has no verb %q; sinew model show %s describes a robot", args[0], args[0])
			}
			if near := nearest.Name(args[0], verbs); near != "" {
				return fmt.Errorf("sinew model has no verb %q; did you mean %q?", args[0], near)
			}
			return fmt.Errorf("sinew model has no verb %q; sinew model --help lists all", args[0])
		},
	}
	simplified := simplifyCommand(show)
	pages(simplified)
	cmd.AddCommand(
		showCommand(), fkCommand(), jacobianCommand(), idCommand(), fdCommand(), workspaceCommand(),
		ikCommand(), evalCommand(), pairsCommand(), spheresCommand(), simplified, generateCommand(),
	)
	return cmd
}
