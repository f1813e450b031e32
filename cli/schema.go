package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/block"
)

func schemaCommand(registry *block.Registry) *cobra.Command {
	var load loadFlags
	var c, python, asJSON bool
	cmd := &cobra.Command{
		Use:   "schema FILE BLOCK.PORT",
		Short: "Print what a port carries: as ROS 2 message, C struct or Python class",
		Args:  cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			sys, err := load.load(args[0], registry)
			if err != nil {
				return err
			}
			var known []string
			for _, b := range sys.Net.Blocks {
				for _, p := range b.Ports {
					if p.Ref() != args[1] {
						known = append(known, p.Ref())
						continue
					}
					out, l, name := cmd.OutOrStdout(), p.Layout(), strings.NewReplacer(".", "_", "-", "_").Replace(p.Ref())
					switch {
					case c:
						_, err = fmt.Fprint(out, l.C(name))
					case python:
						_, err = fmt.Fprint(out, l.Python(name))
					case asJSON:
						err = json.NewEncoder(out).Encode(map[string]any{
							"port": p.Ref(), "type": p.Type.Name(), "unit": p.Unit, "definition": p.Type.Definition(), "bytes": l.Size(), "leaves": l.Leaves(),
						})
					default:
						_, err = fmt.Fprintf(out, "# %s, %d bytes with the header\n%s", p.Type.Name(), l.Size(), p.Type.Definition())
					}
					return err
				}
			}
			return fmt.Errorf("no port %q%s", args[1], nearest.Hint(args[1], known))
		},
	}
	load.register(cmd)
	cmd.Flags().BoolVar(&c, "c", false, "as a struct for the C library ardnet")
	cmd.Flags().BoolVar(&python, "python", false, "as a class for the Python package ardnet")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON object")
	cmd.MarkFlagsMutuallyExclusive("c", "python", "json")
	return cmd
}
