package deploy

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
)

// stopProcesses stops processes, of any host, on request of an operator: after those that depend on them. They stay stopped
// until an operator starts them.
func (s *supervisor) stopProcesses(r *request) error {
	s.operation.Lock()
	defer s.operation.Unlock()
	states := s.statuses()
	names, err := s.plan.toStop(r.Processes, r.Dependants, func(name string) bool {
		return slices.ContainsFunc(states, func(x Status) bool { return x.Name == name && x.active() })
	})
	if err != nil || len(names) == 0 {
		return err
	}
	if err := s.keepStopped(append(s.stoppedNames(), names...)); err != nil {
		return fmt.Errorf("stop %v: %w", names, err)
	}
	return s.stopInOrder(names, "stop_process", &stopCause{by: r.By})
}

// stopInOrder stops processes of all hosts, each after those that need it. ask is the request to other hosts.
func (s *supervisor) stopInOrder(names []string, ask string, cause *stopCause) error {
	var errs []error
	for _, group := range s.plan.stopOrder(names) {
		failed := make([]error, len(s.remotes))
		var hosts sync.WaitGroup
		for i, h := range s.remotes {
			if there := h.plan.Plan.among(group); there != nil {
				hosts.Go(func() { failed[i] = h.ask(request{Ask: ask, Processes: there, Dependants: true, By: cause.by}) })
			}
		}
		s.stop(s.plan.among(group), cause)
		hosts.Wait()
		errs = append(errs, failed...)
	}
	return errors.Join(errs...)
}

// startProcesses starts processes, of any host, on request of an operator, and what they need.
func (s *supervisor) startProcesses(r *request) error {
	s.operation.Lock()
	defer s.operation.Unlock()
	names, err := s.plan.resolve(r.Processes)
	if err != nil || len(names) == 0 {
		return err
	}
	needed := s.plan.needs(names)
	states := s.statuses()
	missing := func(x Status) bool { return slices.Contains(needed, x.Name) && !x.active() && x.State != Done }
	waits := slices.ContainsFunc(states, missing)
	start := map[string][]string{} // by host
	var starts []string
	for _, x := range states {
		if missing(x) || slices.Contains(names, x.Name) && (x.State != Waiting || !waits) {
			start[x.Host] = append(start[x.Host], x.Name)
			starts = append(starts, x.Name)
		}
	}
	if err := s.keepStopped(slices.DeleteFunc(s.stoppedNames(), func(name string) bool { return slices.Contains(starts, name) })); err != nil {
		return fmt.Errorf("start %v: %w", starts, err)
	}
	var errs []error
	for _, h := range s.remotes {
		if there := start[h.plan.Plan.Host]; there != nil {
			errs = append(errs, h.ask(request{Ask: "start_process", Processes: there, By: r.By}))
		}
	}
	for _, name := range start[s.plan.Host] {
		errs = append(errs, s.begin(name, r.By))
	}
	return errors.Join(errs...)
}

// begin starts a process of this host, or ends its pause before a restart.
func (s *supervisor) begin(name string, by admin.Actor) error {
	s.mu.Lock()
	state, kept := s.states[name].State, s.kept[name]
	s.mu.Unlock()
	switch state {
	case Starting, Running:
		return fmt.Errorf("process %q runs already", name)
	case Waiting:
		return fmt.Errorf("process %q waits already for the processes that it needs", name)
	case Restarting:
		s.note(name, "starts again%s", byActor(by))
		select {
		case kept.retry <- struct{}{}:
		default: // it was asked to already
		}
	default:
		s.note(name, "starts again%s", byActor(by))
		s.launch(s.plan.process(name))
	}
	return nil
}

// stoppedNames returns the processes that an operator has stopped.
func (s *supervisor) stoppedNames() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.stopped)
}

// keepStopped replaces the list of the processes that an operator has stopped, here and on the disk.
func (s *supervisor) keepStopped(names []string) error {
	if err := writeStopped(s.folder, names); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = names
	return nil
}

// launchAll begins to keep the processes of this host, except those that an operator has stopped, and those that need one of them and do
// not run. Of the former it ends what a supervisor that was killed has left running.
func (s *supervisor) launchAll() {
	dependants := s.plan.dependants(s.stopped)
	var left []*PlannedProcess
	for i := range s.plan.Processes {
		p := &s.plan.Processes[i]
		state, runs := Waiting, len(members(s.folder, p.Name)) > 0
		switch stopped := slices.Contains(s.stopped, p.Name); {
		case stopped && runs:
			left = append(left, p)
			state = Stopped
		case stopped, !runs && slices.Contains(dependants, p.Name):
			state = Stopped
		}
		s.states[p.Name] = &Status{Name: p.Name, Host: s.plan.Host, State: state, Since: time.Now()}
		if state == Stopped {
			s.note(p.Name, "stays stopped, because an operator has stopped it or what it needs")
		}
	}
	for i := range s.plan.Processes {
		if p := &s.plan.Processes[i]; s.states[p.Name].State == Waiting {
			s.launch(p)
		}
	}
	if left == nil {
		return
	}
	s.operation.Lock()
	s.all.Go(func() {
		defer s.operation.Unlock()
		for _, p := range left {
			s.sweep(p, os.Stdout)
		}
	})
}
