package deploy

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/internal/proc"
	"github.com/sinew-robotics/sinew/net/cores"
)

// stopAll stops all processes of all hosts, those first that others do not need, and last those that sinew has added.
func (s *supervisor) stopAll() {
	type placed struct {
		*PlannedProcess
		on *remoteHost // nil: here
	}
	var left []placed
	for i := range s.plan.Processes {
		left = append(left, placed{&s.plan.Processes[i], nil})
	}
	for _, h := range s.remotes {
		for i := range h.plan.Plan.Processes {
			left = append(left, placed{&h.plan.Plan.Processes[i], h})
		}
	}
	for len(left) > 0 {
		needed := map[string]bool{}
		for _, p := range left {
			for _, n := range p.Needs {
				needed[n] = true
			}
		}
		users := slices.ContainsFunc(left, func(p placed) bool { return !p.added() })
		var later []placed
		now := map[*remoteHost][]string{}
		for _, p := range left {
			if needed[p.Name] || users && p.added() {
				later = append(later, p)
			} else {
				now[p.on] = append(now[p.on], p.Name)
			}
		}
		var hosts sync.WaitGroup
		for h, names := range now {
			if h != nil {
				hosts.Go(func() { _ = h.ask(request{Ask: "stop_process", Processes: names}) })
			}
		}
		s.stop(now[nil])
		hosts.Wait()
		left = later
	}
	s.all.Wait()
}

// stopSteps is how many times StopGrace a process may take to stop: its front, its core, and what both have started.
const stopSteps = 3

// stop stops processes of this host and waits until they have ended.
func (s *supervisor) stop(names []string) {
	for _, name := range names {
		s.mu.Lock()
		stop := s.stops[name]
		s.mu.Unlock()
		stop()
	}
	for _, name := range names {
		s.awaitStop(name)
	}
	for _, name := range names { // a core goes on where its front was killed
		if s.plan.process(name).ReportsReady && len(members(s.folder, name)) > 0 {
			s.sweep(s.plan.process(name), os.Stdout)
			s.set(name, func(x *Status) { x.State = Stopped })
		}
	}
}

func (s *supervisor) awaitStop(name string) {
	for end := time.Now().Add(stopSteps * StopGrace); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		pid := s.states[name].PID
		s.mu.Unlock()
		if pid == 0 {
			return
		}
	}
}

// sweep ends what is left of a process that was stopped: a core that has lost its front, and programs that have left the
// group of the one that started them. Cores are brought to rest.
func (s *supervisor) sweep(p *PlannedProcess, log io.Writer) {
	killed, err := proc.End(func() []*proc.Process { return members(s.folder, p.Name) }, StopGrace)
	s.report(errors.Join(err, cores.Killed(p.Name, killed, StopGrace)), log)
}

// report writes what did not end in order to the log of a process, and to the console that stops everything; nil is nothing.
func (s *supervisor) report(err error, log io.Writer) {
	if err == nil {
		return
	}
	fmt.Fprintln(log, "sinew:", err)
	s.note("", "%v", err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.killed = append(s.killed, err)
}
