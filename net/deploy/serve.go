package deploy

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// The limits of a supervisor's socket.
const (
	maxConnections = 16      // consoles that ask at a time; others wait
	maxRequest     = 1 << 18 // bytes of a line
	// A connection without a request for this time is closed: the way to its other end may have been cut. Those that watch ask at least
	// once in calmPeriod.
	idleTime = time.Minute
)

// request is what a console or another supervisor asks, a line of JSON; the answer is another.
type request struct {
	Ask       string   `json:"ask"` // status, watch, stop, stop_process, start_process
	Processes []string `json:"processes,omitempty"`
	Elsewhere []string `json:"elsewhere,omitempty"` // of watch: the processes that run on other hosts
}

type response struct {
	Error     string   `json:"error,omitempty"`
	Processes []Status `json:"processes,omitempty"`
}

// serve answers the requests of one connection.
func (s *supervisor) serve(conn net.Conn) {
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, maxRequest)
	for {
		_ = conn.SetReadDeadline(time.Now().Add(cmp.Or(s.idle, idleTime)))
		if s.ctx.Err() != nil || !lines.Scan() { // the end of the context sets a deadline too, perhaps before this one
			return
		}
		var r request
		err := json.Unmarshal(lines.Bytes(), &r)
		if err == nil {
			err = s.do(&r)
		}
		answer := response{Processes: s.statuses()}
		if err != nil {
			answer.Error = err.Error()
		}
		_ = conn.SetWriteDeadline(time.Now().Add(5 * time.Second))
		if json.NewEncoder(conn).Encode(answer) != nil {
			return
		}
	}
}

// statuses returns the states of all processes that this supervisor knows of.
func (s *supervisor) statuses() []Status {
	s.mu.Lock()
	all := s.list()
	s.mu.Unlock()
	for i := range all {
		switch p := &s.plan.Processes[i]; {
		case p.added():
			all[i].Note = p.purpose()
		case p.ReportsReady:
			all[i].noteCore(s.plan.System)
		}
	}
	for _, h := range s.remotes {
		all = append(all, h.statuses()...)
	}
	return all
}

// do does what a request asks.
func (s *supervisor) do(r *request) error {
	switch r.Ask {
	case "status":
		return nil
	case "watch":
		s.mu.Lock()
		defer s.mu.Unlock()
		s.word, s.elsewhere = time.Now(), r.Elsewhere
		return nil
	case "stop":
		s.cancel()
		return nil
	case "stop_process", "start_process":
		return s.doProcesses(r)
	}
	return fmt.Errorf("no request %q: console and supervisor are of different versions", r.Ask)
}

// doProcesses starts or stops processes, each on its host.
func (s *supervisor) doProcesses(r *request) error {
	var errs []error
	known := map[string]bool{}
	var here []string
	for _, name := range r.Processes {
		if s.plan.process(name) != nil {
			known[name] = true
			here = append(here, name)
		}
	}
	for _, h := range s.remotes {
		var there []string
		for _, name := range r.Processes {
			if h.plan.Plan.process(name) != nil {
				known[name] = true
				there = append(there, name)
			}
		}
		if there != nil {
			errs = append(errs, h.ask(request{Ask: r.Ask, Processes: there}))
		}
	}
	for _, name := range r.Processes {
		if !known[name] {
			errs = append(errs, fmt.Errorf("no process %q", name))
		}
	}
	if r.Ask == "stop_process" {
		s.stop(here)
		return errors.Join(errs...)
	}
	for _, name := range here {
		s.mu.Lock()
		state, retry := s.states[name].State, s.retries[name]
		s.mu.Unlock()
		switch state {
		case Starting, Running:
			errs = append(errs, fmt.Errorf("process %q runs already", name))
		case Waiting:
			errs = append(errs, fmt.Errorf("process %q waits already for the processes that it needs", name))
		case Restarting:
			select {
			case retry <- struct{}{}:
			default: // it was asked to already
			}
		default:
			s.launch(s.plan.process(name))
		}
	}
	return errors.Join(errs...)
}

// accept serves consoles until the listener is closed.
func (s *supervisor) accept(listener net.Listener) {
	free := make(chan struct{}, maxConnections)
	var consoles sync.WaitGroup
	defer consoles.Wait()
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		free <- struct{}{}
		consoles.Go(func() {
			defer func() { <-free }()
			defer context.AfterFunc(s.ctx, func() { _ = conn.SetReadDeadline(time.Now()) })() // no further request
			s.serve(conn)
		})
	}
}
