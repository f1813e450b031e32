package deploy

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
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
	// Ask is status, watch, stop, stop_process, start_process or end_process. The latter, of the local host's supervisor when it stops
	// everything, is not remembered.
	Ask        string   `json:"ask"`
	Processes  []string `json:"processes,omitempty"`
	Dependants bool     `json:"dependants,omitempty"` // of stop_process: stop what depends on the processes first
	Elsewhere  []string `json:"elsewhere,omitempty"`  // of watch: the processes that run on other hosts

	By admin.Actor `json:"by,omitzero"` // the user that asks to stop or start; of a request to another host: of the request that this one has got
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
		case added(p.Name):
			all[i].Note = p.purpose()
		case p.ReportsReady:
			all[i].noteCore(s.plan.System)
		}
		all[i].noteScheduling(&s.plan.Processes[i], s.plan.System)
		if all[i].PID != 0 {
			all[i].LastLine = s.lastLine(all[i].Name) // that of a process which has ended was kept
		}
	}
	for _, h := range s.remotes {
		all = append(all, h.statuses()...)
	}
	for i := range all {
		all[i].noteStopped(s.plan)
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
		s.cancel(&stopCause{by: r.By})
		return nil
	case "stop_process":
		return s.stopProcesses(r)
	case "start_process":
		return s.startProcesses(r)
	case "end_process":
		s.stop(s.plan.among(r.Processes), &stopCause{by: r.By})
		return nil
	}
	return fmt.Errorf("no request %q: console and supervisor are of different versions", r.Ask)
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
