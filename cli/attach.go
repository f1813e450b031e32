package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/net/block"
)

// attachCommand takes the place of a front that was lost.
func attachCommand(registry *block.Registry) *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:   "attach SYSTEM",
		Short: "Give a running core a new front, when its own was lost",
		Long: `A system in real time is two processes: the core goes on controlling when the front has died.
attach reads the same files again, finds the core, and serves the tools as the first front did. Ending it ends the system.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			core, start, err := attachCore(args[0])
			if err != nil {
				return err
			}
			_ = core.shared.Close()
			if err := os.Chdir(start.Dir); err != nil {
				return err
			}
			f.loadFlags = start.flags()
			sys, err := f.load(start.File, registry)
			if err != nil {
				return err
			}
			sys.Name = args[0]
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer cancel()
			context.AfterFunc(ctx, cancel) // a second signal ends the process at once
			return f.attach(ctx, &running{flags: f, cmd: cmd, sys: sys, system: start.System, stop: cancel})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.record, "record", "", "write the log from now on to this `file`, .mcap or .csv")
	flags.BoolVar(&f.json, "json", false, "print one JSON object at the end")
	flags.BoolVar(&f.quiet, "quiet", false, "show nothing while it runs")
	return cmd
}

// orphaned reports whether a core of this name goes on without a front.
func orphaned(name string) bool {
	core, _, err := attachCore(name)
	if err != nil {
		return false
	}
	defer core.shared.Close()
	return !core.shared.Taken(frontSeat)
}

// attach takes up the core of a running system.
func (f *runFlags) attach(ctx context.Context, r *running) error {
	core, _, err := attachCore(r.sys.Name)
	if err != nil {
		return err
	}
	r.sys.Script = "" // it has begun already
	if err := core.enter(r.sys.Net); err != nil {
		return errors.Join(err, core.shared.Close())
	}
	defer core.close()
	r.front = core.front
	defer context.AfterFunc(ctx, core.front.Stop)()
	return r.execute(core.follow)
}
