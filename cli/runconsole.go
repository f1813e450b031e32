package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
)

// runConsole is the console of a run. It outlives the system: one that was stopped in it may be started again, under its
// changed file. A nil one does nothing.
type runConsole struct {
	server  *console.Server
	systems console.InProcess
	held    atomic.Bool     // the system was stopped in the console
	wanted  chan chan error // somebody wants it started again, and waits for the answer
	answer  chan error      // to whom the next start answers; nil: nobody
}

// runUnderConsole runs a system as often as the console wants it.
func (f *runFlags) runUnderConsole(cmd *cobra.Command, path string, registry *block.Registry) error {
	if f.fast || f.process != "" {
		return errors.New("--console shows a whole system in real time: not with --fast or --process")
	}
	ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	context.AfterFunc(ctx, cancel) // a second signal ends the process at once
	cmd.SetContext(ctx)
	c := &runConsole{wanted: make(chan chan error)}
	for f.shown = c; ; {
		sys, err := f.load(path, registry)
		if err == nil && c.server == nil {
			if err = c.open(f, cmd, sys, registry); err == nil {
				defer c.server.Close()
			}
		}
		if err == nil {
			err = f.run(cmd, sys)
		}
		waiting := c.tell(err)
		if c.server == nil || !c.held.Swap(false) && !waiting || ctx.Err() != nil {
			return err
		}
		if err != nil {
			fmt.Fprintln(cmd.ErrOrStderr(), "sinew:", err)
		}
		select {
		case c.answer = <-c.wanted:
		case <-ctx.Done():
			return nil
		}
	}
}

// open starts the console, for those whom the system file names, too.
func (c *runConsole) open(f *runFlags, cmd *cobra.Command, sys *system.System, registry *block.Registry) error {
	people, err := users(sys)
	if err != nil {
		return err
	}
	c.server, err = f.page.open(cmd, console.Options{Systems: &c.systems, Registry: registry, Start: c.start, Users: people})
	return err
}

// tell answers who waits for the start, and reports whether somebody did.
func (c *runConsole) tell(err error) bool {
	if c.answer == nil {
		return false
	}
	c.answer <- err
	c.answer = nil
	return true
}

// start implements console.Options.Start.
func (c *runConsole) start(ctx context.Context, _ console.Program) error {
	answer := make(chan error, 1)
	select {
	case c.wanted <- answer:
	case <-ctx.Done():
		return fmt.Errorf("the former run has not ended: %w", ctx.Err())
	}
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// show shows a system in the console until hide is called.
func (c *runConsole) show(name string, local *admin.Local) (hide func()) {
	if c == nil {
		return func() {}
	}
	c.systems.Add(name, heldSystem{local, c})
	c.tell(nil)
	return func() { c.systems.Remove(name) }
}

// log returns where lines go that pages show.
func (c *runConsole) log(name string) io.Writer {
	if c == nil {
		return io.Discard
	}
	return c.server.LogWriter(name)
}

// heldSystem is a system whose end by the console does not end the command.
type heldSystem struct {
	*admin.Local
	console *runConsole
}

// Stop implements admin.System.
func (s heldSystem) Stop(ctx context.Context) error {
	s.console.held.Store(true)
	return s.Local.Stop(ctx)
}
