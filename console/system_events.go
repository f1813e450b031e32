package console

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/console/systems"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/request"
)

// systemEvents emits the events and log lines of a system: first its history, then new ones as they arrive.
type systemEvents struct {
	server  *Server
	system  string
	mu      sync.Mutex
	started bool
	waiting []entry // arrived before the history
}

// entry is an event or a log line of a process.
type entry struct {
	at     time.Time // by the clock of the process' host
	source string    // events or log of a process: each arrives in the order of its times, but not both together
	run    string    // of the process
	event  Event
}

// listen adds the events and log lines of a system to the event log, where it provides them. They end with the system.
func (s *Server) listen(sys *systems.System) {
	entries := &systemEvents{server: s, system: sys.Name()}
	var errs []error
	events, hasEvents := sys.Unwrapped().(admin.Events)
	if hasEvents {
		_, err := events.FollowEvents(entries.event)
		errs = append(errs, err)
	}
	if logs, ok := sys.Unwrapped().(admin.Logs); ok {
		_, err := logs.FollowLogs(entries.line)
		errs = append(errs, err)
	}
	s.goes(func() {
		var history admin.History
		var err error
		if hasEvents {
			history, err = events.History(s.ctx)
		}
		entries.start(history)
		if err := errors.Join(append(errs, err)...); err != nil {
			s.log.Warn("console: some events of a system are not received", "system", sys.Name(), "error", err)
		}
	})
}

func (s *systemEvents) event(e admin.Event) {
	source := e.Process
	if e.Kind == admin.EventSupervisor { // its times are those of the supervisor, and several processes may keep it
		source = "supervisor on " + e.Actor.Host
	}
	if event, ok := s.server.eventOf(s.system, e); ok {
		s.emit(entry{e.At, source, e.Run, event})
	}
}

func (s *systemEvents) line(l admin.LogLine) {
	if event, ok := lineOf(s.system, l.Text); ok {
		s.emit(entry{l.At, "log of " + l.Process, l.Run, event})
	}
}

// emit publishes an entry, or holds it until the history is published.
func (s *systemEvents) emit(e entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.started {
		s.waiting = append(s.waiting[max(0, len(s.waiting)-maxEvents+1):], e)
	} else if s.server.eventLog.fresh(s.system, e.source, e.run, e.at) {
		s.server.publish(e.event)
	}
}

// start publishes the history and the entries that have arrived since. It skips those that an earlier connection to the
// system has published already.
func (s *systemEvents) start(history admin.History) {
	before := &systemEvents{server: s.server, system: s.system}
	for _, e := range history.Events {
		before.event(e)
	}
	for _, l := range history.Lines {
		before.line(l)
	}
	for i, e := range before.waiting {
		before.waiting[i].event.Time = e.at
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all := append(before.waiting, s.waiting...)
	slices.SortStableFunc(all, func(a, b entry) int { return a.at.Compare(b.at) })
	for _, e := range all {
		if s.server.eventLog.fresh(s.system, e.source, e.run, e.at) {
			s.server.publish(e.event)
		}
	}
	s.started, s.waiting = true, nil
}

// eventOf turns an event of the control plane into one of the console. ok is false where this console has made the change: then
// the page knows it already.
func (s *Server) eventOf(system string, e admin.Event) (event Event, ok bool) {
	event = Event{System: system, Kind: EventChange, Level: Info, Text: e.String(), Code: e.Code}
	switch e.Kind {
	case admin.EventFault:
		event.Kind, event.Level = EventFault, Error
	case admin.EventWarning:
		event.Kind, event.Level = EventWarning, Warn
	case admin.EventFailed:
		event.Kind, event.Level = EventGone, Error
	case admin.EventStarted:
		event.Kind = EventBack
	case admin.EventStopped:
		event.Kind, event.Level = EventGone, Warn
	default:
		var values admin.SetValues
		if e.Kind == admin.EventSet && json.Unmarshal([]byte(e.Text), &values) == nil {
			event.Text, event.Values = request.SetText(e.Ref, values.Was, values.Named), &values
		}
		event.Action, event.Ref, event.Actor, event.User = string(e.Kind), e.Ref, e.Actor, e.Actor.String()
	}
	return event, !e.Actor.Is(s.actor)
}

// lineOf turns a line that a system has logged into an event; ok is false for an empty line.
func lineOf(system, line string) (event Event, ok bool) {
	line = strings.TrimSpace(line)
	return Event{System: system, Kind: EventLog, Level: Info, Text: line}, line != ""
}
