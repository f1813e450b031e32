package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/thread"
)

// coreCommand is what the front starts: nobody else calls it.
func coreCommand(registry *block.Registry) *cobra.Command {
	var load loadFlags
	var o thread.Options
	var path, system string
	var length time.Duration
	cmd := &cobra.Command{
		Use: "core FILE", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Until, o.Pinned = clock.At(length), true
			return serveCore(cmd.Context(), path, system, o, func() (*diagram.Net, error) {
				sys, err := load.load(args[0], registry)
				if err != nil {
					return nil, err
				}
				return sys.Net, nil
			})
		},
	}
	load.register(cmd)
	cmd.Flags().StringVar(&load.process, "process", "", "the process of the deploy section")
	cmd.Flags().StringVar(&system, "system", "", "the name space of its links to other processes")
	cmd.Flags().StringVar(&path, "boundary", "", "the memory shared with the front")
	cmd.Flags().IntVar(&o.Profile, "profile", 0, "measure the blocks' times at every n-th activation")
	cmd.Flags().DurationVar(&length, "for", 0, "stop after this time")
	return cmd
}

// serveCore executes a net in this process until it is stopped, without a garbage collector.
func serveCore(ctx context.Context, path, system string, o thread.Options, build func() (*diagram.Net, error)) error {
	signal.Ignore(syscall.SIGPIPE, syscall.SIGHUP, os.Interrupt) // those are meant for the front
	ctx, cancel := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer cancel()
	shared, err := rt.OpenShared(path)
	if err != nil {
		return err
	}
	defer shared.Close()
	if !shared.Take(coreSeat) {
		return errors.New("another core uses this memory")
	}
	net, err := build()
	if err != nil {
		return err
	}
	boundary, err := thread.LayBoundary(net, shared.Bytes())
	if err != nil {
		return err
	}
	core := thread.NewCore(net, boundary, o)
	wiring, err := wire(net, system, core, true)
	if err != nil {
		return err
	}
	defer wiring.Close()
	debug.SetMemoryLimit(coreMemory)
	debug.SetGCPercent(-1)
	if err := core.Serve(ctx); err != nil {
		return errSilent // the front tells
	}
	return nil
}
