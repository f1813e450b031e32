package console

import (
	"io"
	"slices"
	"strings"
	"time"
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

// Report tells pages of a line that a system has logged.
func (s *Server) Report(system, line string) {
	if e, ok := lineOf(system, line); ok {
		s.publish(e)
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
