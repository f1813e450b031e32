package fleet

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/verb"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/deploy"
	"github.com/sinew-robotics/sinew/net/system"
)

// upTimeout is how long up waits for all processes to run.
const upTimeout = deploy.ReadyTimeout + 30*time.Second

func upCommand(registry *block.Registry) *cobra.Command {
	load := system.Options{Registry: registry}
	var deployment string
	var asJSON, keep bool
	cmd := &cobra.Command{
		Use:   "up FILE [PROCESS|SUBSYSTEM...]",
		Short: "Start all processes of a system, and leave them running under a supervisor",
		Long: `Start the processes that the deploy section of a system file names, foreign programs among them, each when those are ready
that it needs. They run on under a supervisor when this command has ended: sinew ps shows them, sinew logs their output, sinew
down stops them. Where one does not start all are stopped again. With names of processes, or of included systems, it starts those of a system that is
up already, with what they need, and names what has changed in its files since it was started. Where the supervisor of a system was killed a new one takes up what goes on.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if deployment != "" {
				load.Overlays = append(load.Overlays, deployment)
			}
			sys, err := system.Load(args[0], load)
			if err != nil {
				return err
			}
			var client deploy.Client
			if len(args) > 1 {
				client, err = startProcesses(cmd, sys, &load, args[1:])
			} else {
				client, err = start(cmd, sys, &load)
			}
			if err != nil {
				return err
			}
			states, err := awaitRunning(cmd.Context(), sys.Name, client)
			if printErr := printStates(cmd.OutOrStdout(), sys.Name, states, asJSON); printErr != nil {
				return printErr
			}
			if err != nil && len(args) == 1 && !keep {
				return errors.Join(err, End(cmd.Context(), sys.Name), errors.New("everything was stopped again: --keep leaves the rest running, to look at its logs"))
			}
			return err
		},
	}
	verb.AddLoadFlags(cmd, &load)
	cmd.Flags().BoolVar(&keep, "keep", false, "where a process does not start leave the others running")
	cmd.Flags().StringVar(&deployment, "deploy", "", "a `file` with the deploy section")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// startProcesses starts processes of a system that is up. It warns of what has changed since the system was started.
func startProcesses(cmd *cobra.Command, sys *system.System, load *system.Options, names []string) (deploy.Client, error) {
	client, err := deploy.At(sys.Name)
	if err != nil {
		return client, err
	}
	launch, err := launchOf(sys, load)
	if err != nil {
		return client, err
	}
	changes, err := client.Changes(launch)
	if err != nil {
		return client, err
	}
	if changes != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "sinew: %q runs as it was started, and has changed since then: %s. Processes start by the former plan; those with threads of the system read its files as they are now. sinew down %s and sinew up take all changes\n",
			sys.Name, strings.Join(changes, "; "), sys.Name)
	}
	return client, client.StartProcesses(names...)
}

func launchOf(sys *system.System, load *system.Options) (deploy.Launch, error) {
	self, err := os.Executable()
	return deploy.Launch{System: sys, Sinew: self, Overlays: load.Overlays, Params: load.Params}, err
}

// start starts a system on its hosts, or gives one that has lost its supervisor a new one.
func start(cmd *cobra.Command, sys *system.System, load *system.Options) (deploy.Client, error) {
	ctx := cmd.Context()
	launch, err := launchOf(sys, load)
	if err != nil {
		return deploy.Client{}, err
	}
	if client, taken, err := deploy.TakeUp(sys.Name, launch.Sinew); taken {
		fmt.Fprintf(cmd.ErrOrStderr(), "sinew: %s had lost its supervisor: a new one takes up what runs, as it was started; changes of %s since then need sinew down %s first\n", sys.Name, sys.Path, sys.Name)
		return client, err
	}
	for _, n := range deploy.Notices(sys) {
		fmt.Fprintln(cmd.ErrOrStderr(), "sinew: notice:", n)
	}
	plan, err := deploy.NewPlan(launch)
	if err != nil {
		return deploy.Client{}, err
	}
	return deploy.Up(ctx, sys, plan, launch.Sinew, func() error { return End(ctx, sys.Name) })
}

// awaitRunning waits until all processes of a system run; the error names those that do not.
func awaitRunning(ctx context.Context, system string, client deploy.Client) (states []deploy.Status, err error) {
	ctx, cancel := signal.NotifyContext(ctx, os.Interrupt)
	defer cancel()
	for end := time.Now().Add(upTimeout); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		states, err = client.Status()
		if errors.Is(err, deploy.ErrNoSupervisor) {
			return nil, errors.New("the supervisor was killed: sinew ps shows what goes on, sinew down ends it")
		}
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
		unexpected := !s.Fulfils() && s.State != deploy.Ended && s.State != deploy.Stopped
		if s.HasFailed() || ctx.Err() == nil && unexpected && !anyFailed(states) {
			errs = append(errs, notRunning(system, s))
		}
	}
	return states, errors.Join(errs...)
}

// notRunning is the error for a process of a system that does not run: how it ended, or why its host is not reached, and the last line that it printed. Where
// neither is known it names the log to look at: that of its host's supervisor for a process that was not started yet.
func notRunning(system string, s deploy.Status) error {
	reason := strings.Join(slices.DeleteFunc([]string{s.Exit, s.LastLine}, func(x string) bool { return x == "" }), ": ")
	switch {
	case reason != "":
	case s.State == deploy.Waiting:
		reason = fmt.Sprintf("`sinew logs %s %s` shows what host %s has started, and what failed", system, deploy.SupervisorLog, s.Host)
	default:
		reason = fmt.Sprintf("`sinew logs %s %s` shows what it has printed", system, s.Name)
	}
	return fmt.Errorf("process %q is %s: %s", s.Name, s.State, reason)
}

func anyFailed(states []deploy.Status) bool {
	return slices.ContainsFunc(states, deploy.Status.HasFailed)
}

// superviseCommand is what up starts; it has no other callers.
func superviseCommand() *cobra.Command {
	return &cobra.Command{
		Use: "supervise PLAN", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			plan, err := deploy.ReadPlanFile(args[0])
			if err != nil {
				return err
			}
			signal.Ignore(os.Interrupt, syscall.SIGHUP, syscall.SIGPIPE)
			ctx, cancel := signal.NotifyContext(cmd.Context(), syscall.SIGTERM)
			defer cancel()
			return deploy.Supervise(ctx, plan, filepath.Dir(args[0]), publishNotes(plan.System))
		},
	}
}
