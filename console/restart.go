package console

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/console/files"
	"github.com/sinew-robotics/sinew/console/systems"
	"github.com/sinew-robotics/sinew/net/admin/request"
)

// lookAgain is how often a restart looks whether the system has ended.
const lookAgain = 20 * time.Millisecond

var errCannotStart = errors.New("this console cannot start systems")

// start runs a system again that was there before, as it was run then.
func (s *Server) start(ctx context.Context, c *call, a request.Target) error {
	c.Changed(a.System, "")
	program, err := s.startable(a.System)
	if err != nil {
		return err
	}
	if _, err := s.structureSoon(ctx, a.System); err == nil {
		return fmt.Errorf("system %q is already running", a.System)
	}
	return s.options.Start(ctx, program)
}

// startable returns the program of a system that can be started.
func (s *Server) startable(name string) (systems.Program, error) {
	was := s.pool.Seen(name)
	switch {
	case s.options.Start == nil:
		return systems.Program{}, errCannotStart
	case was.File == "":
		return systems.Program{}, fmt.Errorf("system %q was not started from a file that this console has seen", name)
	case was.Inside:
		return was.Program, nil
	case len(was.Program.Command) == 0:
		return systems.Program{}, fmt.Errorf("system %q runs on other hosts; start it with sinew up on the host where it was started", name)
	}
	if _, err := os.Stat(was.Program.Command[0]); err != nil {
		return systems.Program{}, fmt.Errorf("the program of %q is missing: %w; start the system from a terminal", name, err)
	}
	return was.Program, nil
}

// restart stops a system and runs it again as it was run, from its files as they are now. Files that could not be loaded are
// refused before anything stops.
func (s *Server) restart(ctx context.Context, c *call, a request.Target) error {
	c.Changed(a.System, "")
	if _, err := s.pool.Structure(ctx, a.System); err != nil {
		return err
	}
	sys, err := s.pool.Get(a.System)
	if err != nil {
		return err
	}
	program, err := s.startable(a.System)
	if err != nil {
		return err
	}
	found, err := sys.Check(ctx, nil)
	if err == nil {
		err = files.Join(found.Errors)
	}
	if err != nil {
		return err
	}
	if program.Supervised { // Start ends all of it first
		return s.options.Start(ctx, program)
	}
	if err := sys.Stop(ctx); err != nil {
		return err
	}
	for slices.Contains(s.pool.Running(), a.System) {
		select {
		case <-time.After(lookAgain):
		case <-ctx.Done():
			return fmt.Errorf("system %q does not stop: %w", a.System, ctx.Err())
		}
	}
	return s.options.Start(ctx, program)
}
