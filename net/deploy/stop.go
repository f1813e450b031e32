package deploy

import (
	"slices"
	"sync"
	"time"
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
}

func (s *supervisor) awaitStop(name string) {
	for end := time.Now().Add(2 * StopGrace); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		pid := s.states[name].PID
		s.mu.Unlock()
		if pid == 0 {
			return
		}
	}
}
