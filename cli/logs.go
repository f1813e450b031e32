package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/report"
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
	var o record.CompareOptions
	cmd := &cobra.Command{
		Use:   "diff LOG LOG...",
		Short: "Compare two runs of one system, bit for bit: where do they part?",
		Long: `Compare two runs of one system by their logs: for each signal the samples at the same time of the system, bit for bit, up to the end of the shortest
log. It prints the first signal and tick at which they part, and what the logs name as late or as not executed until then, and exits
with 1; with 0 if they do not part. Signals that only one run has, such as those of another process, are listed and not compared.

The first log is one run. The others are the other run: one log, or one of each of its processes.

A run in real time without slips and late values equals the same run with --fast. Where the blocks of a net forget what they have read, as gains
do, values may differ for some periods only after a late value: with --settle, differences within that time after one that a log names are counted apart
and leave the exit code at 0.`,
		Example: `  sinew run net.yaml --fast --for 5s --record fast.mcap
  sinew run net.yaml --for 5s --record real.mcap
  sinew log diff fast.mcap real.mcap
  sinew log diff fast.mcap real.mcap --settle 50ms
  sinew log diff fast.mcap first-process.mcap second-process.mcap --from 2s`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.From < 0 || o.Settle < 0 {
				return fmt.Errorf("--from %v, --settle %v: want times of 0 or more", o.From, o.Settle)
			}
			var logs record.LogSet
			for _, path := range args {
				log, err := report.OpenReader(path)
				if err != nil {
					return err
				}
				defer log.Close()
				logs = append(logs, log)
			}
			c, err := record.Compare(logs[:1], logs[1:], o)
			if err != nil {
				return err
			}
			if asJSON {
				err = json.NewEncoder(cmd.OutOrStdout()).Encode(c)
			} else {
				err = printComparison(cmd.OutOrStdout(), c)
			}
			if err == nil && !c.Explained() {
				return verb.ErrReported
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().DurationVar(&o.From, "from", 0, "compare from this `time` of the system on: processes may have begun later than others")
	cmd.Flags().DurationVar(&o.Settle, "settle", 0, "for how long after a late value or a left out tick that a log names values may differ: `time`")
	return cmd
}

// mostMisses is how many misses of a log are printed.
const mostMisses = 10

func printComparison(w io.Writer, c *record.Comparison) error {
	runs := []string{"the first run", "the second run"}
	for i, run := range runs {
		if n := len(c.Absent[i]); n > 0 {
			fmt.Fprintf(w, "not compared, since %s does not have them: %s\n", run, strings.Join(c.Absent[i], ", "))
		}
		if gap := c.Gap(i); gap > 0 {
			fmt.Fprintf(w, "misses of %s up to %v apart are named as one, since there were too many: what differs in between counts as explained\n", run, gap)
		}
		if c.Unlisted[i] > 0 {
			fmt.Fprintf(w, "%d more misses of %s are not listed in its log: differences after them are not explained\n", c.Unlisted[i], run)
		}
	}
	if c.Same() {
		fmt.Fprintf(w, "the logs are equal: %d samples until %.6f s\n", c.Equal, float64(c.Until)*1e-9)
		return nil
	}
	first := c.Signals[0]
	fmt.Fprintf(w, "the logs part at %.6f s, first in %s\n", float64(first.First)*1e-9, first.Name)
	for i, run := range runs {
		before := 0
		for _, m := range c.Misses[i] {
			if m.First > first.First {
				break
			}
			if before++; before <= mostMisses {
				fmt.Fprintf(w, "%s until then: %v\n", run, m)
			}
		}
		if before > mostMisses {
			fmt.Fprintf(w, "%s until then: %d more\n", run, before-mostMisses)
		}
		if later := len(c.Misses[i]) - before; later > 0 {
			fmt.Fprintf(w, "%s later: %d misses\n", run, later)
		}
	}
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "\nsignal\tparts at\tequal\tdiffer\tonly in the first\tonly in the second\tof these after a miss")
	for _, s := range c.Signals {
		if s.Type != "" {
			fmt.Fprintf(table, "%s\tanother type: %s\n", s.Name, s.Type)
			continue
		}
		fmt.Fprintf(table, "%s\t%.6f s\t%d\t%d\t%d\t%d\t%d\n", s.Name, float64(s.First)*1e-9, s.Equal, s.Differ, s.Only[0], s.Only[1], s.Named)
	}
	if c.Explained() {
		fmt.Fprintln(table, "\neach difference follows a miss that a log names")
	}
	return table.Flush()
}
