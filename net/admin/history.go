package admin

import (
	"context"
	"crypto/rand"
	"sync"
	"time"
)

// maxHistory is how many events an [EventLog] keeps, and as many log lines.
const maxHistory = 500

// History holds the newest events and log lines of a system, oldest first: at most 500 of each process.
type History struct {
	Events []Event   `json:"events"`
	Lines  []LogLine `json:"lines"`
}

// EventLog keeps the newest events and log lines of one process, at most 500 of each. The zero value is empty. Its methods may
// be called from any goroutine.
type EventLog struct {
	mu     sync.Mutex
	run    string // random, made with the first event or line
	latest time.Time
	events newest[Event]
	lines  newest[LogLine]
}

// AddEvent keeps an event and returns it with its time (At) and the run of its process. One that has a run, because another process has
// sent it, keeps its own.
func (l *EventLog) AddEvent(e Event) Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.Run == "" {
		e.At, e.Run = l.now(), l.run
	}
	l.events.add(e)
	return e
}

// AddLine keeps a log line and returns it with its time, its number and the run of its process.
func (l *EventLog) AddLine(text string) LogLine {
	l.mu.Lock()
	defer l.mu.Unlock()
	line := LogLine{At: l.now(), Run: l.run, Seq: uint64(l.lines.count) + 1, Text: text}
	l.lines.add(line)
	return line
}

// now names the run, and returns a time after all that it returned before, even where the operator has set the host's clock back.
func (l *EventLog) now() time.Time {
	if l.run == "" {
		l.run = rand.Text()
	}
	now := time.Now().Round(0)
	if !now.After(l.latest) {
		now = l.latest.Add(1)
	}
	l.latest = now
	return now
}

// History returns copies of what the log keeps.
func (l *EventLog) History() History {
	l.mu.Lock()
	defer l.mu.Unlock()
	return History{l.events.list(), l.lines.list()}
}

// newest holds the last maxHistory values.
type newest[T any] struct {
	ring  []T
	count int // of all that were ever added
}

func (n *newest[T]) add(v T) {
	if len(n.ring) < maxHistory {
		n.ring = append(n.ring, v)
	} else {
		n.ring[n.count%maxHistory] = v
	}
	n.count++
}

// list returns the values, oldest first.
func (n *newest[T]) list() []T {
	oldest := 0
	if n.count > maxHistory {
		oldest = n.count % maxHistory
	}
	return append(append(make([]T, 0, len(n.ring)), n.ring[oldest:]...), n.ring[:oldest]...)
}

// History returns the events of the system so far, without log lines: those belong to the process that executes it.
func (l *Local) History(context.Context) (History, error) { return l.events.log.History(), nil }
