package deploy

import (
	"context"
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/net/cores"
	"github.com/sinew-robotics/sinew/net/system"
)

// core returns the core of a process as the kernel knows it.
func (s *supervisor) core(p *PlannedProcess) cores.Core {
	if !p.ReportsReady || added(p.Name) {
		return cores.Core{}
	}
	return cores.Find(s.plan.System + "." + p.Name)
}

// otherFrontPeriod is how often the supervisor looks whether a front that it has not started still serves a core.
const otherFrontPeriod = 100 * time.Millisecond

// awaitOtherFront waits while a front serves the core of a process that this supervisor has not started: sinew attach.
func (s *supervisor) awaitOtherFront(ctx context.Context, p *PlannedProcess) {
	for {
		if c := s.core(p); !c.Runs || c.Orphaned() {
			return
		}
		select {
		case <-time.After(otherFrontPeriod):
		case <-ctx.Done():
			return
		}
	}
}

// noteCore adds to the state of a process of a system what its core does without the front that the supervisor has started.
func (s *Status) noteCore(system string) {
	if s.State == Starting || s.State == Running {
		return
	}
	c := cores.Find(system + "." + s.Name)
	if !c.Runs {
		return
	}
	core, front := c.Processes()
	switch {
	case front != nil:
		s.State, s.PID, s.Exit = Running, front.PID, ""
		s.Note = "its front was attached by hand (sinew attach); the supervisor starts one when that ends and the core goes on"
	case c.Orphaned() && s.State != Waiting:
		s.State = NoFront
		if core != nil {
			s.PID = core.PID
		}
		s.Note = fmt.Sprintf("commands go on; the supervisor tries to start a new front at least every %v; `sinew up FILE %s` tries at once, `sinew down %s %s` ends the core", backOffMost, s.Name, system, s.Name)
	}
}

// StatusOf returns the state of a core and its front that were started without a supervisor.
func StatusOf(c cores.Core) Status {
	_, process := c.System()
	if process == "" {
		process = system.MainProcess
	}
	core, front := c.Processes()
	s := Status{Name: process, Host: system.LocalHost, State: Running, Since: time.Now()}
	shown := front
	switch {
	case c.Orphaned():
		s.State, s.Note, shown = NoFront, c.Advice(), core
	case !c.Runs:
		s.State = Starting
	case core != nil:
		s.Note = fmt.Sprintf("its core is process %d", core.PID)
	}
	if shown != nil {
		s.PID, s.Since = shown.PID, shown.Since
	}
	return s
}
