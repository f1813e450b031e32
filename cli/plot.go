package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/report"
	"github.com/sinew-robotics/sinew/cli/verb"
)

func plotCommand() *cobra.Command {
	var out, size string
	var from, to float64
	var o report.PlotOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "plot LOG [SIGNAL …]",
		Short: "Draw signals of a log into a PNG or SVG file",
		Long: `Draw signals of a log: ports of one number, whole vectors, elements and ranges of them. "arm.position[0:3]" are the elements 0, 1
and 2, "[*]" all elements, and * in names stands for any characters. Without signals it draws those that the system file watches (key watch).`,
		Example: "  sinew plot janus.mcap 'joint*.position' scope.error1 -o janus.svg\n  sinew plot arm.mcap 'arm.position[0:3]' arm.torque",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if size != "" {
				if n, err := fmt.Sscanf(strings.Replace(size, "x", " ", 1), "%g %g", &o.Width, &o.Height); n != 2 || err != nil || o.Width <= 0 || o.Height <= 0 {
					return fmt.Errorf("--size %q: wants width x height in cm, as 16x10", size)
				}
			}
			if from < 0 || to < 0 || to > 0 && to <= from {
				return fmt.Errorf("--from %g --to %g: wants 0 ≤ from < to", from, to)
			}
			log, err := report.Open(args[0])
			if err != nil {
				return err
			}
			defer log.Close()
			patterns := args[1:]
			if len(patterns) == 0 {
				if patterns = log.Watched(); len(patterns) == 0 {
					return fmt.Errorf("plot %s: no signals are given, and the system file watches none; the log has %s", args[0], log.Summary())
				}
			}
			signals, err := log.Select(patterns)
			if err != nil {
				return err
			}
			signals, missing := report.Between(signals, from, to)
			if len(signals) == 0 {
				return fmt.Errorf("plot %s: %w", args[0], errors.Join(missing...))
			}
			for _, m := range missing {
				fmt.Fprintln(cmd.ErrOrStderr(), "notice:", m)
			}
			if err := writePlot(out, signals, o, args[0]); err != nil {
				return fmt.Errorf("write plot %s: %w", out, err)
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]any{"file": out, "signals": len(signals)})
			}
			fmt.Fprintf(cmd.OutOrStdout(), "wrote %s: %s\n", out, verb.Count(len(signals), "signal"))
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "plot.png", "`file` to write, .png or .svg")
	cmd.Flags().StringVar(&o.Title, "title", "", "text above the plot")
	cmd.Flags().Float64Var(&from, "from", 0, "begin at this time in seconds")
	cmd.Flags().Float64Var(&to, "to", 0, "end at this time in seconds; 0: the end of the log")
	cmd.Flags().StringVar(&size, "size", "", "width x height in `cm`, as 16x10")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// writePlot draws signals of a log into a file, in the format of its ending.
func writePlot(path string, signals []report.Signal, o report.PlotOptions, log string) error {
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	if format != "png" && format != "svg" {
		return fmt.Errorf("wants a file that ends in .png or .svg")
	}
	file, err := verb.Create(path, log)
	if err != nil {
		return err
	}
	if err := report.Plot(file, format, signals, o); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}
