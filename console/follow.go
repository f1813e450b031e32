package console

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
)

// lookPeriod is how often a console looks which systems are there.
const lookPeriod = 500 * time.Millisecond

// lookAfterSystems tells pages of systems that come and go, and lets their watches go on when one has come back.
func (s *Server) lookAfterSystems() {
	ticker := time.NewTicker(lookPeriod)
	defer ticker.Stop()
	before := s.catalog.systems.List()
	for {
		select {
		case <-ticker.C:
		case <-s.ctx.Done():
			return
		}
		now := s.catalog.systems.List()
		for _, name := range before {
			if !slices.Contains(now, name) {
				s.catalog.forget(name)
				s.publish(Event{System: name, Kind: "gone", Level: "warn", Text: name + " has ended, or is out of reach"})
			}
		}
		for _, name := range now {
			if !slices.Contains(before, name) {
				s.publish(Event{System: name, Kind: "back", Level: "info", Text: name + " runs"})
			}
			if _, busy := s.attended.LoadOrStore(name, true); !busy { // one that does not answer delays no other
				s.goes(func() {
					defer s.attended.Delete(name)
					s.attend(name)
				})
			}
		}
		before = now
	}
}

// attend opens a system and lets the watches of it follow.
func (s *Server) attend(name string) {
	sys, err := s.catalog.get(name)
	if err != nil {
		return // it is tried again
	}
	for _, page := range s.sessions.list() {
		for _, w := range page.watchesOf(name) {
			w.follow(s.ctx, sys)
		}
	}
}

// watchesOf returns the session's watches of a system.
func (s *session) watchesOf(system string) (list []*watch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.watches {
		if w.request.System == system {
			list = append(list, w)
		}
	}
	return list
}

// listen makes the events and logs of a system those of the console, as far as it tells any. They end with the system.
func (s *Server) listen(sys *shown) {
	var errs []error
	if x, ok := sys.unwrapped().(interface {
		FollowEvents(func(admin.Event)) (func(), error)
	}); ok {
		_, err := x.FollowEvents(func(e admin.Event) { s.heard(sys.name, e) })
		errs = append(errs, err)
	}
	if x, ok := sys.unwrapped().(interface {
		FollowLogs(func(admin.LogLine)) (func(), error)
	}); ok {
		_, err := x.FollowLogs(func(l admin.LogLine) { s.Report(sys.name, l.Text) })
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		s.log.Warn("console: the events of a system are not heard", "system", sys.name, "error", err)
	}
}

// heard turns an event of the control plane into one of the console. What this console has changed is told already.
func (s *Server) heard(system string, e admin.Event) {
	switch e.Kind {
	case "fault":
		s.publish(Event{System: system, Kind: "fault", Level: "error", Text: fmt.Sprintf("block %q is in error: %s", e.Ref, e.Text)})
	case "warning":
		s.publish(Event{System: system, Kind: "warning", Level: "warn", Text: e.Text})
	case "started":
		s.publish(Event{System: system, Kind: "back", Level: "info", Text: fmt.Sprintf("process %s runs", e.Process)})
	case "stopped":
		s.publish(Event{System: system, Kind: "gone", Level: "warn", Text: fmt.Sprintf("process %s has ended", e.Process)})
	default:
		if !strings.HasSuffix(e.By, fmt.Sprintf("process %d", os.Getpid())) {
			s.publish(Event{System: system, Kind: "change", Level: "info", Text: strings.TrimSpace(e.Kind + " " + e.Ref + " " + e.Text), User: e.By})
		}
	}
}

// Report tells pages of a line that a system has logged.
func (s *Server) Report(system, line string) {
	if line = strings.TrimSpace(line); line != "" {
		s.publish(Event{System: system, Kind: "log", Level: "info", Text: line})
	}
}

// LogWriter returns where the lines of a system go that pages are to see. Writing never waits.
func (s *Server) LogWriter(system string) io.Writer { return &lineWriter{server: s, system: system} }

type lineWriter struct {
	server *Server
	system string
}

func (w *lineWriter) Write(text []byte) (int, error) {
	for line := range strings.Lines(string(text)) {
		w.server.Report(w.system, line)
	}
	return len(text), nil
}
