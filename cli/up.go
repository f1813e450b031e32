package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/deploy"
	"github.com/sinew-robotics/sinew/net/link/shm"
	"github.com/sinew-robotics/sinew/net/system"
)

// upTimeout is how long up waits for all processes to run.
const upTimeout = 60 * time.Second

func upCommand(registry *block.Registry) *cobra.Command {
	var load loadFlags
	var deployment string
	var asJSON, keep bool
	cmd := &cobra.Command{
		Use:   "up FILE [PROCESS...]",
		Short: "Start all processes of a system, and leave them running under a supervisor",
		Long: `Start the processes that the deploy section of a system file names, foreign programs among them, each when those are ready
that it needs. They run on under a supervisor when this command has ended: sinew ps shows them, sinew logs their output, sinew
down stops them. Where one does not start all are stopped again. With names of processes it starts those of a system that is
up already.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if deployment != "" {
				load.overlays = append(load.overlays, deployment)
			}
			sys, err := load.load(args[0], registry)
			if err != nil {
				return err
			}
			var console deploy.Console
			if len(args) > 1 {
				console.Folder = deploy.Folder(sys.Name)
				err = console.StartProcesses(args[1:]...)
			} else {
				console, err = start(cmd.Context(), sys, &load)
			}
			if err != nil {
				return err
			}
			states, err := awaitRunning(cmd.Context(), console)
			if printErr := printStates(cmd.OutOrStdout(), sys.Name, states, asJSON); printErr != nil {
				return printErr
			}
			if err != nil && len(args) == 1 && !keep {
				return errors.Join(err, endSystem(cmd.Context(), sys.Name), errors.New("everything was stopped again: --keep leaves the rest running, to look at its logs"))
			}
			return err
		},
	}
	cmd.Flags().StringArrayVar(&load.overlays, "overlay", nil, "put another `file` over the system file")
	cmd.Flags().StringArrayVar(&load.params, "param", nil, "set a parameter: `block.name=value`")
	cmd.Flags().BoolVar(&keep, "keep", false, "where a process does not start leave the others running")
	cmd.Flags().StringVar(&deployment, "deploy", "", "a `file` with the deploy section")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// start starts a system on its hosts.
func start(ctx context.Context, sys *system.System, load *loadFlags) (deploy.Console, error) {
	self, err := os.Executable()
	if err != nil {
		return deploy.Console{}, err
	}
	plan, err := deploy.NewPlan(deploy.Launch{System: sys, Sinew: self, Overlays: load.overlays, Params: load.params})
	if err != nil {
		return deploy.Console{}, err
	}
	return deploy.Up(ctx, sys, plan, self, func() error { return endSystem(ctx, sys.Name) })
}

// awaitRunning waits until all processes run; the error names those that do not, with the last line they printed.
func awaitRunning(ctx context.Context, console deploy.Console) (states []deploy.Status, err error) {
	ctx, cancel := signal.NotifyContext(ctx, os.Interrupt)
	defer cancel()
	for end := time.Now().Add(upTimeout); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		states, err = console.Status()
		if err != nil {
			continue
		}
		pending := slices.ContainsFunc(states, func(s deploy.Status) bool { return s.State == deploy.Waiting || s.State == deploy.Starting })
		if anyFailed(states) || !pending {
			break
		}
	}
	var errs []error
	if states == nil {
		errs = append(errs, errors.New("the supervisor does not answer"))
	}
	for _, s := range states {
		if s.State == deploy.Failed || s.State == deploy.Restarting || ctx.Err() == nil && s.State != deploy.Running && s.State != deploy.Ended && !anyFailed(states) {
			errs = append(errs, fmt.Errorf("process %q is %s: %s: %s", s.Name, s.State, s.Exit, s.LastLine))
		}
	}
	return states, errors.Join(errs...)
}

func anyFailed(states []deploy.Status) bool {
	return slices.ContainsFunc(states, func(s deploy.Status) bool { return s.State == deploy.Failed || s.State == deploy.Restarting })
}

// superviseCommand is what up starts: nobody else calls it.
func superviseCommand() *cobra.Command {
	return &cobra.Command{
		Use: "supervise PLAN", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			var plan deploy.Plan
			if err := json.Unmarshal(text, &plan); err != nil {
				return fmt.Errorf("read the plan %s: %w", args[0], err)
			}
			signal.Ignore(os.Interrupt, syscall.SIGHUP, syscall.SIGPIPE)
			ctx, cancel := signal.NotifyContext(cmd.Context(), syscall.SIGTERM)
			defer cancel()
			folder := filepath.Dir(args[0])
			err = deploy.Supervise(ctx, &plan, folder)
			return errors.Join(err, deploy.End(folder))
		},
	}
}

func downCommand() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "down SYSTEM [PROCESS...]",
		Short: "Stop a system that is up, or some of its processes",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			console := deploy.Console{Folder: deploy.Folder(args[0])}
			if len(args) > 1 {
				return console.StopProcesses(args[1:]...)
			}
			err := endSystem(cmd.Context(), args[0])
			if err != nil && force && !errors.Is(err, errNotUp) {
				fmt.Fprintln(cmd.ErrOrStderr(), "sinew:", err)
				return console.Forget()
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "forget hosts that are not reached: what runs there goes on")
	return cmd
}

// errNotUp says that there is nothing to stop.
var errNotUp = errors.New("is not up")

// endSystem stops a system on all hosts and removes everything that is left of it: processes, shared memory, files.
func endSystem(ctx context.Context, name string) error {
	console := deploy.Console{Folder: deploy.Folder(name)}
	err := console.Stop(ctx, func() error { return errors.Join(endCores(name), shm.Clean(name)) })
	if errors.Is(err, deploy.ErrNoSupervisor) {
		return notUp(name)
	}
	return err
}

// notUp says that a system is not up, and which others are.
func notUp(name string) error {
	if up := deploy.Systems(); len(up) > 0 {
		return fmt.Errorf("%q %w; up are: %s", name, errNotUp, strings.Join(up, ", "))
	}
	return fmt.Errorf("%q %w, and no other system is", name, errNotUp)
}

func psCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ps [SYSTEM]",
		Short: "Show the processes of the systems that are up",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = deploy.Systems()
			}
			var errs []error
			up := deploy.Systems()
			for _, name := range args {
				if !slices.Contains(up, name) {
					errs = append(errs, notUp(name))
					continue
				}
				states, err := deploy.Console{Folder: deploy.Folder(name)}.Status()
				if err != nil {
					errs = append(errs, fmt.Errorf("%s: %w", name, err))
					continue
				}
				errs = append(errs, printStates(cmd.OutOrStdout(), name, states, asJSON))
			}
			return errors.Join(errs...)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object for each system")
	return cmd
}

func printStates(w io.Writer, name string, states []deploy.Status, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(map[string]any{"system": name, "processes": states})
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\thost\tstate\tpid\tfor\trestarts\tended with\n", name)
	for _, s := range states {
		pid := "–"
		if s.PID > 0 {
			pid = fmt.Sprint(s.PID)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%d\t%s\n", s.Name, s.Host, s.State, pid, time.Since(s.Since).Round(time.Second), s.Restarts, s.Exit)
	}
	return t.Flush()
}
