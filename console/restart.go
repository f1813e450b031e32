package console

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// lookAgain is how often a restart looks whether the system has ended.
const lookAgain = 20 * time.Millisecond

var errCannotStart = errors.New("this console cannot start systems")

// start runs a system again that was there before.
func (s *Server) start(ctx context.Context, c *call, a systemRequest) (any, error) {
	c.changed(a.System, "")
	file, err := s.startable(a.System)
	if err != nil {
		return nil, err
	}
	if slices.Contains(s.catalog.systems.List(), a.System) {
		return nil, fmt.Errorf("system %q runs already", a.System)
	}
	return nil, s.options.Start(ctx, a.System, file)
}

// startable returns the file of a system that can be started.
func (s *Server) startable(name string) (string, error) {
	known := s.catalog.known(name)
	switch {
	case s.options.Start == nil:
		return "", errCannotStart
	case known.file == "":
		return "", fmt.Errorf("system %q was not started from a file that this console has seen", name)
	case known.parts > 1:
		return "", fmt.Errorf("system %q has %d processes: start it with sinew up", name, known.parts)
	}
	return known.file, nil
}

// restart stops a system and runs it again, from its file as it is now. A file that could not be loaded is refused
// before anything stops.
func (s *Server) restart(ctx context.Context, c *call, a systemRequest) (any, error) {
	c.changed(a.System, "")
	sys, err := s.catalog.get(a.System)
	if err != nil {
		return nil, err
	}
	if _, err := s.structureOf(ctx, a.System, askPatience); err != nil {
		return nil, err
	}
	file, err := s.startable(a.System)
	if err != nil {
		return nil, err
	}
	if faults := s.faultsOf(file); len(faults) > 0 {
		return nil, fmt.Errorf("%s:%d:%d: %s", file, faults[0].Line, faults[0].Column, faults[0].Text)
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
	return nil, s.options.Start(ctx, a.System, file)
}
