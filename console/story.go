package console

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
)

// story is what a system tells of itself: first what it remembers, then what comes.
type story struct {
	server  *Server
	system  string
	mu      sync.Mutex
	begun   bool
	waiting []happening // what came before the story has begun
}

// happening is an event or a log line of a process.
type happening struct {
	at      time.Time // by the clock of the process' host
	process string
	event   Event
}

// listen makes the events and logs of a system those of the console, as far as it tells any. They end with the system.
func (s *Server) listen(sys *shown) {
	t := &story{server: s, system: sys.name}
	var errs []error
	if x, ok := sys.unwrapped().(interface {
		FollowEvents(func(admin.Event)) (func(), error)
	}); ok {
		_, err := x.FollowEvents(t.event)
		errs = append(errs, err)
	}
	if x, ok := sys.unwrapped().(interface {
		FollowLogs(func(admin.LogLine)) (func(), error)
	}); ok {
		_, err := x.FollowLogs(t.line)
		errs = append(errs, err)
	}
	s.goes(func() {
		var past admin.Past
		var err error
		if x, ok := sys.unwrapped().(interface {
			Past(context.Context) (admin.Past, error)
		}); ok {
			past, err = x.Past(s.ctx)
		}
		t.begin(past)
		if err := errors.Join(append(errs, err)...); err != nil {
			s.log.Warn("console: not all events of a system are heard", "system", sys.name, "error", err)
		}
	})
}

func (t *story) event(e admin.Event) {
	if told, ok := eventOf(t.system, e); ok {
		t.tell(happening{e.At, e.Process, told})
	}
}

func (t *story) line(l admin.LogLine) {
	if told, ok := lineOf(t.system, l.Text); ok {
		t.tell(happening{l.At, l.Process, told})
	}
}

func (t *story) tell(h happening) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.begun {
		t.waiting = append(t.waiting[max(0, len(t.waiting)-maxEvents+1):], h)
	} else if t.server.chronicle.fresh(t.system, h.process, h.at) {
		t.server.publish(h.event)
	}
}

// begin tells the past, and what has come since. What it has told already, to a former line to it, is left out.
func (t *story) begin(past admin.Past) {
	came := &story{system: t.system}
	for _, e := range past.Events {
		came.event(e)
	}
	for _, l := range past.Lines {
		came.line(l)
	}
	for i, h := range came.waiting {
		came.waiting[i].event.Time = h.at
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	all := append(came.waiting, t.waiting...)
	slices.SortStableFunc(all, func(a, b happening) int { return a.at.Compare(b.at) })
	for _, h := range all {
		if t.server.chronicle.fresh(t.system, h.process, h.at) {
			t.server.publish(h.event)
		}
	}
	t.begun, t.waiting = true, nil
}

// eventOf turns an event of the control plane into one of the console. What this console has changed is told already.
func eventOf(system string, e admin.Event) (told Event, ok bool) {
	switch e.Kind {
	case "fault":
		return Event{System: system, Kind: "fault", Level: "error", Text: fmt.Sprintf("block %q is in error: %s", e.Ref, e.Text)}, true
	case "warning":
		return Event{System: system, Kind: "warning", Level: "warn", Text: e.Text}, true
	case "started":
		return Event{System: system, Kind: "back", Level: "info", Text: fmt.Sprintf("process %s runs", e.Process)}, true
	case "stopped":
		return Event{System: system, Kind: "gone", Level: "warn", Text: fmt.Sprintf("process %s has ended", e.Process)}, true
	}
	return Event{System: system, Kind: "change", Level: "info", Text: strings.TrimSpace(e.Kind + " " + e.Ref + " " + e.Text), User: e.By},
		!strings.HasSuffix(e.By, fmt.Sprintf("process %d", os.Getpid()))
}

// lineOf turns a line that a system has logged into an event; an empty one is none.
func lineOf(system, line string) (told Event, ok bool) {
	line = strings.TrimSpace(line)
	return Event{System: system, Kind: "log", Level: "info", Text: line}, line != ""
}
