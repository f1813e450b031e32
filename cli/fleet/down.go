package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/cores"
	"github.com/sinew-robotics/sinew/net/deploy"
	"github.com/sinew-robotics/sinew/net/link/shm"
)

func downCommand() *cobra.Command {
	var force, dependants bool
	cmd := &cobra.Command{
		Use:   "down SYSTEM [PROCESS|SUBSYSTEM...]",
		Short: "Stop a system, or some of its processes",
		Long: `Stop a system that is up, or that sinew run has started, in order: its blocks are brought to rest, and nothing of it is left.
A process that does not end within 7 s is killed; down reports it, and its exit code is 1. It also ends what a killed supervisor or a killed
front has left running.
With names of processes it stops those only, and with that of an included system its processes. They stay stopped, also under a new supervisor, until sinew up FILE PROCESS starts them. Where
others that run need them it fails with their names, and --dependants stops those first.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 1 && dependants:
				return fmt.Errorf("--dependants is for processes that are named: sinew down %s PROCESS --dependants", args[0])
			case len(args) > 1 && force:
				return fmt.Errorf("--force is for whole systems: sinew down %s --force", args[0])
			case len(args) > 1:
				return endProcesses(args[0], args[1:], dependants)
			}
			err := End(cmd.Context(), args[0])
			if err != nil && force && !errors.Is(err, ErrNotUp) {
				fmt.Fprintln(cmd.ErrOrStderr(), "sinew:", err)
				console, atErr := deploy.At(args[0])
				if atErr != nil {
					return atErr
				}
				return console.Forget()
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&dependants, "dependants", false, "stop the processes first that need the named ones, in reverse order of their needs")
	cmd.Flags().BoolVar(&force, "force", false, "forget hosts that are not reached: what runs there goes on")
	return cmd
}

// ErrNotUp is wrapped by the error of [End] for a system that does not run: there is nothing to stop.
var ErrNotUp = errors.New("is not up")

// End stops a system on all hosts and removes everything that is left of it: processes, shared memory, files. For a system that
// does not run the error wraps [ErrNotUp].
func End(ctx context.Context, name string) error {
	clean := func() error {
		return errors.Join(cores.End(name, deploy.StopGrace), shm.Clean(name), nats.Forget(name))
	}
	console, err := deploy.At(name)
	if err != nil {
		return err
	}
	console.By, _ = admin.ActorOf(ctx) // of a console's request
	if err = console.Stop(ctx, clean); !errors.Is(err, deploy.ErrNoSupervisor) {
		return err
	}
	running, err := nats.List()
	if err != nil {
		return err
	}
	switch {
	case len(cores.List(name)) > 0: // sinew run has started it
		return clean()
	case slices.Contains(running, name): // in one process
		return (&live.Reach{}).OnSystem(ctx, name, func(c *nats.Client) error { return c.Stop(ctx) })
	}
	return errors.Join(notUp(name), clean())
}

// endProcesses stops processes of a system that is up, or that were started by hand.
func endProcesses(system string, names []string, dependants bool) error {
	var errs []error
	var rest []string
	console, err := deploy.At(system)
	if err != nil {
		return err
	}
	systems, err := deploy.Systems()
	if err != nil {
		return err
	}
	up := slices.Contains(systems, system)
	for _, name := range names {
		if c := cores.Find(system + "." + name); !up && (c.Runs || c.Front) {
			errs = append(errs, c.End(deploy.StopGrace))
		} else {
			rest = append(rest, name)
		}
	}
	if rest != nil {
		errs = append(errs, console.StopProcesses(dependants, rest...))
	}
	return errors.Join(errs...)
}

// notUp returns the error for a system that is not up; it names the systems that are.
func notUp(name string) error {
	if up, _ := runningSystems(); len(up) > 0 {
		return fmt.Errorf("%q %w; up are: %s", name, ErrNotUp, strings.Join(up, ", "))
	}
	return fmt.Errorf("%q %w, and no other system is", name, ErrNotUp)
}
