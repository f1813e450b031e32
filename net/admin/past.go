package admin

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// What a process remembers.
const (
	maxPast      = 500     // events, and as many log lines
	maxPastBytes = 1 << 18 // of log lines that an answer tells
)

// Past is what was told before somebody listened, oldest first: the newest events and log lines.
type Past struct {
	Events []Event   `json:"events"`
	Lines  []LogLine `json:"lines"`
}

// memory is what a process remembers of what it has told. The zero value is empty.
type memory struct {
	mu     sync.Mutex
	latest time.Time
	events newest[Event]
	lines  newest[LogLine]
}

// event remembers an event, whose time it notes.
func (m *memory) event(e Event) Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	e.At = m.now()
	m.events.add(e)
	return e
}

// line remembers a line, which gets its time and number.
func (m *memory) line(text string) LogLine {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := LogLine{At: m.now(), Seq: uint64(m.lines.count) + 1, Text: text}
	m.lines.add(l)
	return l
}

// now returns a time after all that it returned before, even where somebody has set the host's clock back.
func (m *memory) now() time.Time {
	now := time.Now().Round(0)
	if !now.After(m.latest) {
		now = m.latest.Add(1)
	}
	m.latest = now
	return now
}

func (m *memory) past() Past {
	m.mu.Lock()
	defer m.mu.Unlock()
	return Past{m.events.list(), m.lines.list()}
}

// newest holds the last maxPast values.
type newest[T any] struct {
	ring  []T
	count int // of all that were ever added
}

func (n *newest[T]) add(v T) {
	if len(n.ring) < maxPast {
		n.ring = append(n.ring, v)
	} else {
		n.ring[n.count%maxPast] = v
	}
	n.count++
}

// list returns the values, oldest first.
func (n *newest[T]) list() []T {
	oldest := 0
	if n.count > maxPast {
		oldest = n.count % maxPast
	}
	return append(append(make([]T, 0, len(n.ring)), n.ring[oldest:]...), n.ring[:oldest]...)
}

// Past returns the events of the system so far. It has no log of its own.
func (l *Local) Past(context.Context) (Past, error) { return l.events.memory.past(), nil }

// Past returns what the processes of the system remember, in the order of their hosts' clocks. Those that do not answer
// are left out.
func (c *Client) Past(ctx context.Context) (Past, error) {
	_, parts, errs := askAll[Past](ctx, c, "past")
	if !slices.Contains(errs, nil) {
		return Past{}, errors.Join(errs...)
	}
	var whole Past
	for _, p := range parts {
		whole.Events = append(whole.Events, p.Events...)
		whole.Lines = append(whole.Lines, p.Lines...)
	}
	slices.SortStableFunc(whole.Events, func(a, b Event) int { return a.At.Compare(b.At) })
	slices.SortStableFunc(whole.Lines, func(a, b LogLine) int { return a.At.Compare(b.At) })
	return whole, nil
}

// past says of each event and line which process it is from.
func (s *Service) past() Past {
	p := s.outbox.memory.past()
	for i := range p.Events {
		p.Events[i].Process = s.id.Process
	}
	bytes := 0
	for i := len(p.Lines) - 1; i >= 0; i-- {
		p.Lines[i].Process = s.id.Process
		if bytes += len(p.Lines[i].Text); bytes > maxPastBytes {
			p.Lines = p.Lines[i+1:]
			break
		}
	}
	return p
}
