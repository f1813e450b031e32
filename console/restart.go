package console

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"
)

// Program is what runs a system.
type Program struct {
	System  string
	Command []string // with all its arguments; nil where the system is in the console's own process
	Dir     string   // in which the command is given
	PID     int      // of the process that ran the system before

	Supervised bool // the system has a supervisor, which has to end before it is run again
}

// lookAgain is how often a restart looks whether the system has ended.
const lookAgain = 20 * time.Millisecond

var errCannotStart = errors.New("this console cannot start systems")

// start runs a system again that was there before, as it was run then.
func (s *Server) start(ctx context.Context, c *call, a systemRequest) (any, error) {
	c.changed(a.System, "")
	program, err := s.startable(a.System)
	if err != nil {
		return nil, err
	}
	if _, err := s.structureOf(ctx, a.System, listPatience); err == nil {
		return nil, fmt.Errorf("system %q runs already", a.System)
	}
	return nil, s.options.Start(ctx, program)
}

// startable returns the program of a system that can be started.
func (s *Server) startable(name string) (Program, error) {
	was := s.catalog.known(name)
	switch {
	case s.options.Start == nil:
		return Program{}, errCannotStart
	case was.file == "":
		return Program{}, fmt.Errorf("system %q was not started from a file that this console has seen", name)
	case was.inside:
		return was.program, nil
	case len(was.program.Command) == 0:
		return Program{}, fmt.Errorf("system %q runs on other hosts: start it where it was started before", name)
	}
	if _, err := os.Stat(was.program.Command[0]); err != nil {
		return Program{}, fmt.Errorf("the program that ran %q has gone: %w: start it as you did before", name, err)
	}
	return was.program, nil
}

// restart stops a system and runs it again as it was run, from its files as they are now. Files that could not be loaded are
// refused before anything stops.
func (s *Server) restart(ctx context.Context, c *call, a systemRequest) (any, error) {
	c.changed(a.System, "")
	if _, err := s.structureOf(ctx, a.System, askPatience); err != nil {
		return nil, err
	}
	sys, err := s.catalog.get(a.System)
	if err != nil {
		return nil, err
	}
	program, err := s.startable(a.System)
	if err != nil {
		return nil, err
	}
	faults, err := sys.Check(ctx, nil)
	if err == nil {
		err = joined(faults)
	}
	if err != nil {
		return nil, err
	}
	if program.Supervised { // who starts it anew ends all of it first
		return nil, s.options.Start(ctx, program)
	}
	if err := sys.Stop(ctx); err != nil {
		return nil, err
	}
	for slices.Contains(s.catalog.systems.List(), a.System) {
		select {
		case <-time.After(lookAgain):
		case <-ctx.Done():
			return nil, fmt.Errorf("system %q does not end: %w", a.System, ctx.Err())
		}
	}
	return nil, s.options.Start(ctx, program)
}
