package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/cores"
	"github.com/sinew-robotics/sinew/net/deploy"
	"github.com/sinew-robotics/sinew/net/system"
)

func psCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ps [SYSTEM]",
		Short: "Show the processes of the systems that run",
		Long: `Show the processes of all systems of this user, or of one: those that sinew up has started, and those of sinew run. It also
finds what runs without a supervisor or without a front, and describes what to do about it.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := runningSystems()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				args = all
				if len(all) == 0 && !asJSON {
					fmt.Fprintln(cmd.OutOrStdout(), "no system runs")
				}
			}
			var errs []error
			for _, name := range args {
				if !slices.Contains(all, name) {
					errs = append(errs, notUp(name))
					continue
				}
				states, err := statesOf(cmd.Context(), name)
				errs = append(errs, err)
				if len(states) > 0 {
					errs = append(errs, printStates(cmd.OutOrStdout(), name, states, asJSON))
				}
			}
			return errors.Join(errs...)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object for each system")
	return cmd
}

// runningSystems returns the names of this user's systems that run on this host, however they were started, sorted. One
// that is up counts until sinew down has removed what it left behind.
func runningSystems() ([]string, error) {
	names, err := nats.List()
	if err != nil {
		return nil, err
	}
	up, err := deploy.Systems()
	if err != nil {
		return nil, err
	}
	names = append(names, up...)
	for _, c := range cores.List("") {
		name, _ := c.System()
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// statesOf returns the states of the processes of a system. The error reports what is wrong with the system as a whole.
func statesOf(ctx context.Context, name string) (states []deploy.Status, err error) {
	console, err := deploy.At(name)
	if err != nil {
		return nil, err
	}
	up, err := deploy.Systems()
	if err != nil {
		return nil, err
	}
	if slices.Contains(up, name) {
		states, err = console.Status()
		if errors.Is(err, deploy.ErrNoSupervisor) {
			states, err = console.Orphans(name)
		}
	}
	for _, c := range cores.List(name) {
		_, process := c.System()
		if process != "" && slices.ContainsFunc(states, func(s deploy.Status) bool { return s.Name == process }) {
			continue // the supervisor knows of it
		}
		states = append(states, deploy.StatusOf(c))
	}
	if len(states) == 0 && err == nil {
		return answering(ctx, name)
	}
	return states, err
}

// answering returns the states of processes of which this host knows only that they answer: their threads have no process
// of their own.
func answering(ctx context.Context, name string) (states []deploy.Status, err error) {
	err = (&live.Reach{}).OnSystem(ctx, name, func(c *nats.Client) error {
		for _, p := range c.Processes(ctx) {
			if p.Name == "" {
				p.Name = system.MainProcess
			}
			states = append(states, deploy.Status{Name: p.Name, Host: system.LocalHost, State: deploy.Running, PID: p.PID, Note: "core and front in one process"})
		}
		return nil
	})
	return states, err
}

// orDash formats a number, where 0 is none.
func orDash(n int) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprint(n)
}

func printStates(w io.Writer, name string, states []deploy.Status, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(map[string]any{"system": name, "processes": states})
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\thost\tstate\tpid\tfor\trestarts\tpriority\tcpu\tended with, and notes\n", name)
	for _, s := range states {
		since := "–"
		if !s.Since.IsZero() {
			since = time.Since(s.Since).Round(time.Second).String()
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n", s.Name, s.Host, s.State, orDash(s.PID), since, s.Restarts, orDash(s.Priority), orDash(s.CPU), strings.Join(slices.DeleteFunc([]string{s.Exit, s.Note}, func(x string) bool { return x == "" }), "; "))
	}
	return t.Flush()
}
