package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/system"
)

func checkCommand(registry *block.Registry) *cobra.Command {
	var options loadFlags
	var asJSON, verbose bool
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Check a system file: everything that is wrong, at once",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			sys, err := options.load(args[0], registry)
			if asJSON {
				return checkJSON(cmd.OutOrStdout(), sys, err)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d blocks, %d links, %d threads: all in order\n",
				sys.Name, len(sys.Net.Blocks), len(sys.Net.Links), len(sys.Net.Threads))
			if verbose {
				printOrder(cmd.OutOrStdout(), sys.Net)
			}
			return nil
		},
	}
	options.register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "print the order in which each thread executes its blocks")
	return cmd
}

// loadFlags are the flags of all verbs that read a system file.
type loadFlags struct {
	overlays, params []string
	process          string
}

func (l *loadFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&l.overlays, "overlay", nil, "put another `file` over the system file")
	cmd.Flags().StringArrayVar(&l.params, "param", nil, "set a parameter: `block.name=value`")
}

func (l *loadFlags) load(path string, registry *block.Registry) (*system.System, error) {
	return system.Load(path, system.Options{Registry: registry, Overlays: l.overlays, Params: l.params, Process: l.process})
}

func printOrder(w io.Writer, net *diagram.Net) {
	for _, t := range net.Threads {
		when := "triggered"
		if !t.Triggered {
			when = "every " + t.Period.String()
		}
		fmt.Fprintf(w, "\nthread %s, %s, priority %d\n", t.Name, when, t.Priority)
		for i, s := range t.Steps {
			every := ""
			if s.Every > 1 {
				every = fmt.Sprintf("  at every %d. activation", s.Every)
			}
			fmt.Fprintf(w, "%4d  %s.%v%s\n", i+1, s.Block.Name, s.Part, every)
		}
	}
}

// checkJSON prints the result of a check for machines.
func checkJSON(w io.Writer, sys *system.System, err error) error {
	type problem struct {
		Source  string `json:"source"`
		Message string `json:"message"`
	}
	result := struct {
		System string    `json:"system,omitempty"`
		OK     bool      `json:"ok"`
		Blocks int       `json:"blocks"`
		Links  int       `json:"links"`
		Errors []problem `json:"errors"`
	}{OK: err == nil, Errors: []problem{}}
	if sys != nil {
		result.System, result.Blocks, result.Links = sys.Name, len(sys.Net.Blocks), len(sys.Net.Links)
	}
	list, ok := err.(diagram.Errors)
	for _, e := range list {
		result.Errors = append(result.Errors, problem{e.Source, e.Err.Error()})
	}
	if err != nil && !ok {
		return err
	}
	if encodeErr := json.NewEncoder(w).Encode(result); encodeErr != nil {
		return encodeErr
	}
	if err != nil {
		return errSilent
	}
	return nil
}
