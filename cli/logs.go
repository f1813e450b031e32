package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/verb"
	"github.com/sinew-robotics/sinew/net/record"
)

func logCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "log", Short: "Compare logs"}
	cmd.AddCommand(logDiffCommand())
	return cmd
}

func logDiffCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diff LOG LOG",
		Short: "Compare two logs of one system, bit for bit: where do they part?",
		Long: `Compare two logs of one system: for each signal the samples at the same time of the system, bit for bit, up to the end of the shorter
log. It prints the first signal and tick at which they part, and what the logs name as late or as not executed until then, and exits
with 1; with 0 if they do not part. Signals that only one log has, such as those of another process, are listed and not compared.

A run in real time without slips and late values equals the same run with --fast.`,
		Example: "  sinew run net.yaml --fast --for 5s --record fast.mcap\n  sinew run net.yaml --for 5s --record real.mcap\n  sinew log diff fast.mcap real.mcap",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			var logs [2]*record.Reader
			for i, path := range args {
				log, err := record.Open(path)
				if err != nil {
					return err
				}
				defer log.Close()
				logs[i] = log
			}
			c, err := record.Compare(logs[0], logs[1])
			if err != nil {
				return err
			}
			if asJSON {
				err = json.NewEncoder(cmd.OutOrStdout()).Encode(c)
			} else {
				err = printComparison(cmd.OutOrStdout(), args, c)
			}
			if err == nil && !c.Same() {
				return verb.ErrReported
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// mostMisses is how many misses of a log are printed.
const mostMisses = 10

func printComparison(w io.Writer, paths []string, c *record.Comparison) error {
	for i, path := range paths {
		if n := len(c.Absent[i]); n > 0 {
			fmt.Fprintf(w, "not compared, since %s does not have them: %s\n", path, strings.Join(c.Absent[i], ", "))
		}
	}
	if c.Same() {
		fmt.Fprintf(w, "the logs are equal: %d samples until %.6f s\n", c.Equal, float64(c.Until)*1e-9)
		return nil
	}
	first := c.Signals[0]
	fmt.Fprintf(w, "the logs part at %.6f s, first in %s\n", float64(first.First)*1e-9, first.Name)
	for i, path := range paths {
		before := 0
		for _, m := range c.Misses[i] {
			if m.First > first.First {
				break
			}
			if before++; before <= mostMisses {
				fmt.Fprintf(w, "%s until then: %v\n", path, m)
			}
		}
		if before > mostMisses {
			fmt.Fprintf(w, "%s until then: %d more\n", path, before-mostMisses)
		}
		if later := len(c.Misses[i]) - before; later > 0 {
			fmt.Fprintf(w, "%s later: %d misses\n", path, later)
		}
	}
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "\nsignal\tparts at\tequal\tdiffer\tonly in the first\tonly in the second")
	for _, s := range c.Signals {
		if s.Type != "" {
			fmt.Fprintf(table, "%s\tanother type: %s\n", s.Name, s.Type)
			continue
		}
		fmt.Fprintf(table, "%s\t%.6f s\t%d\t%d\t%d\t%d\n", s.Name, float64(s.First)*1e-9, s.Equal, s.Differ, s.Only[0], s.Only[1])
	}
	return table.Flush()
}
