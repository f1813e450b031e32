package console

import (
	"io"
	"slices"
	"strings"
	"time"
)

// lookPeriod is how often a console looks which systems are there.
const lookPeriod = 500 * time.Millisecond

// lookAfterSystems publishes that systems begin and end, and continues their watches when they begin again. Before are those that ran
// when the console began.
func (s *Server) lookAfterSystems(before []string) {
	ticker := time.NewTicker(lookPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-s.ctx.Done():
			return
		}
		now := s.pool.Running()
		for _, name := range before {
			if !slices.Contains(now, name) {
				s.pool.Forget(name)
				s.opened.Delete(name)
				s.conditions.forget(name)
				for _, old := range s.history.End(name) { // robots are kept as long as the history in which they move
					s.robots.Forget(old)
				}
				s.publish(Event{System: name, Kind: EventGone, Level: Warn, Text: name + " has ended or cannot be reached"})
			}
		}
		for _, name := range now {
			if !slices.Contains(before, name) {
				s.publish(Event{System: name, Kind: EventBack, Level: Info, Text: name + " is running"})
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

// attend opens a system and lets the watches of it follow. It reports one that has ended and begun again between two looks, as a restart by an
// operator does.
func (s *Server) attend(name string) {
	sys, err := s.pool.Get(name)
	if err != nil {
		return // it is tried again
	}
	if before, known := s.opened.Swap(name, sys); known && before != sys {
		s.conditions.forget(name)
		s.publish(Event{System: name, Kind: EventGone, Level: Info, Text: name + " has ended"})
		s.publish(Event{System: name, Kind: EventBack, Level: Info, Text: name + " is running again"})
	}
	s.watches.Follow(name, sys)
}

// Report publishes a line that a system has logged.
func (s *Server) Report(system, line string) {
	if e, ok := lineOf(system, line); ok {
		s.publish(e)
	}
}

// LogWriter returns the writer for the lines of a system that pages show. Writing never waits.
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
