package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/catalog"
	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/block"
)

func blocksCommand(registry *block.Registry) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "blocks [TYPE]",
		Short: "List the block types, or describe one: its equations, parameters and ports",
		Args:  cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return registry.Types(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			types := registry.Types()
			if len(args) == 1 {
				if _, ok := registry.Lookup(args[0]); !ok {
					return fmt.Errorf("no block type %q%s; sinew blocks lists all", args[0], nearest.Hint(args[0], types))
				}
				types = args
			}
			var list []catalog.Type
			for _, typ := range types {
				e, _ := registry.Lookup(typ)
				list = append(list, catalog.Describe(e))
			}
			out := cmd.OutOrStdout()
			switch {
			case asJSON && len(args) == 1:
				return json.NewEncoder(out).Encode(list[0])
			case asJSON:
				return json.NewEncoder(out).Encode(list)
			case len(args) == 1:
				list[0].Text(out)
				return nil
			}
			return listTypes(out, list)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object, or a list of them")
	return cmd
}

// listTypes prints a line for each type.
func listTypes(w io.Writer, list []catalog.Type) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, t := range list {
		fmt.Fprintf(table, "%s\t%s\n", t.Type, t.Doc)
	}
	return table.Flush()
}
