package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/verb"
	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/system"
)

// portOf returns the port of a block; for the port of a foreign program the one that it is linked to, which has its type.
func portOf(sys *system.System, ref string) (*port.Port, error) {
	var known []string
	for _, b := range sys.Net.Blocks {
		for _, p := range b.Ports {
			if p.Ref() == ref {
				return p, nil
			}
			known = append(known, p.Ref())
		}
	}
	for _, l := range sys.Net.Links {
		switch from, to := l.From.Block+"."+l.From.Port, l.To.Block+"."+l.To.Port; {
		case l.Source == nil && l.Target != nil && from == ref:
			return l.Target, nil
		case l.Target == nil && l.Source != nil && to == ref:
			return l.Source, nil
		case l.Source == nil:
			known = append(known, from)
		case l.Target == nil:
			known = append(known, to)
		}
	}
	for _, f := range sys.Net.Foreign {
		if strings.HasPrefix(ref, f.Name+".") {
			return nil, fmt.Errorf("port %q: the ports of the program %s have the types of what they are linked to; link it to a port of a block first", ref, f.Name)
		}
	}
	return nil, fmt.Errorf("no port %q%s", ref, nearest.Hint(ref, known))
}

// print prints the declaration of a port's packets in another language.
func print(out io.Writer, declare func(name string) (string, error), name string) error {
	text, err := declare(name)
	if err == nil {
		_, err = fmt.Fprint(out, text)
	}
	return err
}

func schemaCommand(registry *block.Registry) *cobra.Command {
	load := system.Options{Registry: registry}
	var c, python, asJSON bool
	cmd := &cobra.Command{
		Use:   "schema FILE BLOCK.PORT",
		Short: "Print what a port carries: as ROS 2 message, C struct or Python class",
		Args:  cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			sys, err := system.Load(args[0], load)
			if err != nil {
				return err
			}
			ref := args[1]
			p, err := portOf(sys, ref)
			if err != nil {
				return err
			}
			out, l, name := cmd.OutOrStdout(), p.Layout(), strings.NewReplacer(".", "_", "-", "_").Replace(ref)
			switch {
			case c:
				err = print(out, l.C, name)
			case python:
				err = print(out, l.Python, name)
			case asJSON:
				about := map[string]any{"port": ref, "type": p.Type.Name(), "unit": p.Unit, "definition": p.Type.Definition(), "bytes": l.Size()}
				if l.Bounded() {
					about["most"] = p.Type.Most()
				} else {
					about["leaves"] = l.Leaves()
				}
				err = json.NewEncoder(out).Encode(about)
			default:
				upTo := ""
				if l.Bounded() {
					upTo = "up to "
				}
				_, err = fmt.Fprintf(out, "# %s, %s%d bytes with the header\n%s", p.Type.Name(), upTo, l.Size(), p.Type.Definition())
			}
			return err
		},
	}
	verb.AddLoadFlags(cmd, &load)
	cmd.Flags().BoolVar(&c, "c", false, "as a struct for the C library ardnet")
	cmd.Flags().BoolVar(&python, "python", false, "as a class for the Python package ardnet")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as a JSON object")
	cmd.MarkFlagsMutuallyExclusive("c", "python", "json")
	return cmd
}
