package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/cli/verb"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/deploy"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/persist"
	"github.com/sinew-robotics/sinew/net/script"
	"github.com/sinew-robotics/sinew/net/system"
)

func checkCommand(registry *block.Registry) *cobra.Command {
	options := system.Options{Registry: registry}
	var asJSON, verbose bool
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Check a system file: everything that is wrong, at once, and inputs that are not linked",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			sys, err := system.Load(args[0], options)
			if err == nil {
				err = checkScripts(sys)
				sys.Net.Notices = append(sys.Net.Notices, deploy.Notices(sys)...)
			}
			if asJSON {
				return checkJSON(cmd.OutOrStdout(), sys, err)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, %s, %s: %s\n",
				sys.Name, verb.Count(len(sys.Net.Blocks), "block"), verb.Count(len(sys.Net.Links), "link"), verb.Count(len(sys.Net.Threads), "thread"), verdict(sys.Net))
			printAttention(cmd.OutOrStdout(), sys.Net, verbose)
			if verbose {
				printOrder(cmd.OutOrStdout(), sys.Net)
				printPeers(cmd.OutOrStdout(), sys.Net)
				printLate(cmd.OutOrStdout(), sys.Net)
				if err := printPersistent(cmd.OutOrStdout(), sys); err != nil {
					return err
				}
				return printExchange(cmd.OutOrStdout(), sys)
			}
			return nil
		},
	}
	verb.AddLoadFlags(cmd, &options)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "print the order in which each thread executes its blocks, what triggers them, which peers they call, which inputs may begin without a value, which values outlive a run, and how values get from thread to thread")
	return cmd
}

// checkScripts reads the scripts of a system, and returns what is wrong with their syntax.
func checkScripts(sys *system.System) error {
	paths := []string{}
	if sys.Script != "" {
		paths = append(paths, sys.Script)
	}
	for _, s := range sys.Scripts {
		if !slices.Contains(paths, s.Path) {
			paths = append(paths, s.Path)
		}
	}
	var errs diagram.Errors
	for _, path := range paths {
		if _, err := script.Load(system.Folder("."), path); err != nil {
			errs = append(errs, &diagram.Error{Err: err})
		}
	}
	if errs == nil {
		return nil
	}
	return errs
}

// verdict returns the result of a check without errors: the numbers of inputs that are not linked and of notices, "all in order" where there are none.
func verdict(net *diagram.Net) string {
	var rest []string
	switch n := len(net.Unlinked); n {
	case 0:
	case 1:
		rest = append(rest, "1 input is not linked")
	default:
		rest = append(rest, fmt.Sprintf("%d inputs are not linked", n))
	}
	if n := len(net.Notices); n > 0 {
		rest = append(rest, verb.Count(n, "notice"))
	}
	if rest == nil {
		return "all in order"
	}
	return "in order; " + strings.Join(rest, ", ")
}

// mostUnlinked is how many unlinked inputs a check lists without -v.
const mostUnlinked = 10

// printAttention prints what is no error, but may not be wanted: notices, and inputs that are not linked.
func printAttention(w io.Writer, net *diagram.Net, all bool) {
	for _, n := range net.Notices {
		fmt.Fprintln(w, "notice:", n)
	}
	var names []string
	for _, u := range net.Unlinked {
		names = append(names, u.String())
	}
	if len(names) == 0 {
		return
	}
	rest := ""
	if shown := mostUnlinked; !all && len(names) > shown+1 {
		rest = fmt.Sprintf(" and %d more, which -v lists", len(names)-shown)
		names = names[:shown]
	}
	fmt.Fprintf(w, "not linked: %s%s\n", strings.Join(names, ", "), rest)
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
			fmt.Fprintf(w, "%4d  %s.%v%s%s\n", i+1, s.Block.Name, s.Part, every, triggersOf(s))
		}
	}
}

// printPeers prints which blocks call which operations of others.
func printPeers(w io.Writer, net *diagram.Net) {
	any := false
	for _, b := range net.Blocks {
		of := map[string][]string{} // operations, by peer
		var peers []string
		for _, c := range b.Bindings {
			if of[c.Peer] == nil {
				peers = append(peers, c.Peer)
			}
			of[c.Peer] = append(of[c.Peer], c.Operation)
		}
		for _, peer := range peers {
			if !any {
				fmt.Fprintln(w, "\npeers, whose operations a block calls")
				any = true
			}
			fmt.Fprintf(w, "  %s calls %s: %s\n", b.Name, peer, strings.Join(of[peer], ", "))
		}
	}
}

// printLate prints which inputs count as something else until their first value, which may come after the first activation.
func printLate(w io.Writer, net *diagram.Net) {
	if len(net.Late) > 0 {
		fmt.Fprintln(w, "\ninputs that may begin without a value")
	}
	for _, l := range net.Late {
		fmt.Fprintf(w, "  %v\n", l)
	}
}

// printPersistent prints which values outlive a run, and what an earlier run on this host has left of them.
func printPersistent(w io.Writer, sys *system.System) error {
	var left map[string]any
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, b := range sys.Net.Blocks {
		for _, p := range b.Persistent {
			if left == nil {
				var err error
				if left, err = persist.List(sys.Name); err != nil {
					return err
				}
				fmt.Fprintln(table, "\nvalues that outlive a run")
			}
			ref := b.Name + "." + p.Name
			value := "nothing is kept yet"
			if v, ok := left[ref]; ok {
				value = "kept: " + live.Value(v)
			}
			fmt.Fprintf(table, "  %s\t%s\t%s\n", ref, value, p.Doc)
		}
	}
	return table.Flush()
}

// printExchange prints how the values of links get from thread to thread: by tick, with which delay, or the newest; encoded, and between hosts by which
// carrier and scheduler.
func printExchange(w io.Writer, sys *system.System) error {
	net := sys.Net
	thread := map[string]string{} // of each block
	for _, t := range net.Threads {
		for _, b := range t.Blocks {
			thread[b.Name] = t.Name
		}
	}
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	any := false
	for _, l := range net.Links {
		if from := thread[l.From.Block]; from != "" && from == thread[l.To.Block] && l.Encode == nil {
			continue
		}
		if !any {
			fmt.Fprintln(table, "\nlinks between threads")
			any = true
		}
		fmt.Fprintf(table, "  %v\t%s\n", l.Link, l.Reads())
	}
	if d := &sys.Deploy; len(d.Hosts) > 0 {
		fmt.Fprintf(table, "\nlinks between hosts: carrier %s, scheduler %s\n", cmp.Or(d.Carrier.Name, system.DefaultNetwork), cmp.Or(d.Scheduler.Name, system.DefaultScheduler))
	}
	return table.Flush()
}

// triggersOf describes the inputs of which one must be new for a step to run.
func triggersOf(s diagram.Step) string {
	var names []string
	for _, p := range s.Block.Ports {
		if p.Trigger && p.Part == s.Part {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "  when new: " + strings.Join(names, ", ")
}

// checkJSON prints the result of a check for machines.
func checkJSON(w io.Writer, sys *system.System, err error) error {
	type problem struct {
		Source  string `json:"source"`
		Message string `json:"message"`
	}
	result := struct {
		System   string    `json:"system,omitempty"`
		OK       bool      `json:"ok"`
		Blocks   int       `json:"blocks"`
		Links    int       `json:"links"`
		Errors   []problem `json:"errors"`
		Notices  []problem `json:"notices"`
		Unlinked []string  `json:"unlinked"` // inputs
		Late     []string  `json:"late"`     // inputs that may begin without a value, and what they count as
	}{OK: err == nil, Errors: []problem{}, Notices: []problem{}, Unlinked: []string{}, Late: []string{}}
	if sys != nil {
		result.System, result.Blocks, result.Links = sys.Name, len(sys.Net.Blocks), len(sys.Net.Links)
		for _, n := range sys.Net.Notices {
			result.Notices = append(result.Notices, problem{n.Source, n.Text})
		}
		for _, u := range sys.Net.Unlinked {
			result.Unlinked = append(result.Unlinked, u.String())
		}
		for _, l := range sys.Net.Late {
			result.Late = append(result.Late, l.String())
		}
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
		return verb.ErrReported
	}
	return nil
}
