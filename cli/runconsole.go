package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/console/systems"
	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/run"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// runConsole is the console of a run. It outlives the system: one that was stopped in it or by a block in error, or whose core has died,
// may be started again, under its changed file. A nil one does nothing.
type runConsole struct {
	server  *console.Server
	systems systems.InProcess
	held    atomic.Bool     // the system was stopped in the console
	wanted  chan chan error // requests to start it again, which wait for the answer
	answer  chan error      // receives the result of the next start; nil: no request waits
}

// runUnderConsole runs a system as often as the console wants it.
func (f *runFlags) runUnderConsole(cmd *cobra.Command, path string, registry *block.Registry) error {
	if f.fast || f.load.Process != "" {
		return errors.New("--console shows a whole system in real time: not with --fast or --process")
	}
	ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	context.AfterFunc(ctx, cancel) // a second signal ends the process at once
	cmd.SetContext(ctx)
	c := &runConsole{wanted: make(chan chan error)}
	for f.shown = c; ; {
		sys, err := system.Load(path, f.load)
		if err == nil && c.server == nil {
			if err = c.open(f, cmd, sys, registry); err == nil {
				defer c.server.Close()
			}
		}
		if err == nil {
			err = f.run(cmd, sys)
		}
		waiting, held, failed := c.reply(err), c.held.Swap(false), errors.Is(err, thread.ErrCoreDied) || errors.Is(err, run.ErrStoppedByFault)
		if c.server == nil || !held && !waiting && !failed || ctx.Err() != nil {
			return err
		}
		if err != nil {
			fmt.Fprintln(cmd.ErrOrStderr(), "sinew:", err)
		}
		if failed {
			fmt.Fprintln(cmd.ErrOrStderr(), "sinew: the console stays open: start the system there, or end the console with Ctrl-C")
		}
		select {
		case c.answer = <-c.wanted:
		case <-ctx.Done():
			if failed {
				return err
			}
			return nil
		}
	}
}

// open starts the console, also for the users that the system file names.
func (c *runConsole) open(f *runFlags, cmd *cobra.Command, sys *system.System, registry *block.Registry) error {
	people, err := users(sys)
	if err != nil {
		return err
	}
	logins, err := loginsFile(sys.Name)
	if err != nil {
		return err
	}
	c.server, err = f.page.open(cmd, console.Options{Systems: &c.systems, Registry: registry, Checker: f.candidates, Start: c.start, Users: people, Record: f.record, Logins: logins, Resume: f.resume})
	return err
}

// loginsFile returns the path, without the port, of the file in which consoles of a system keep their logins, so that the pages of a front that
// takes the place of a lost one stay signed in.
func loginsFile(name string) (string, error) {
	folder, err := private.Folder()
	if err == nil {
		folder, err = private.Below(folder, "console")
	}
	if err != nil {
		return "", fmt.Errorf("keep the logins of the console: %w", err)
	}
	return filepath.Join(folder, "logins-"+url.QueryEscape(name)), nil
}

// reply answers the request that waits for the start, and reports whether there was one.
func (c *runConsole) reply(err error) bool {
	if c.answer == nil {
		return false
	}
	c.answer <- err
	c.answer = nil
	return true
}

// start implements console.Options.Start.
func (c *runConsole) start(ctx context.Context, _ systems.Program) error {
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
	c.reply(nil)
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
