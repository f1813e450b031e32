package console

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
)

// maxEvents is the number of events that a console keeps.
const maxEvents = 1000

// EventKind is the kind of an event of a console.
type EventKind string

// The kinds of a console's events.
const (
	EventFault   EventKind = "fault"   // a block is in error
	EventWarning EventKind = "warning" // of a system
	EventLog     EventKind = "log"     // a line that a process has logged
	EventChange  EventKind = "change"  // of an [admin.Actor]
	EventGone    EventKind = "gone"    // a system or process has ended
	EventBack    EventKind = "back"    // a system or process runs
)

// Level is the urgency of an event.
type Level string

// The levels of events.
const (
	Info  Level = "info"
	Warn  Level = "warn"
	Error Level = "error"
)

// Event is an entry of the console's event log; all pages receive it.
type Event struct {
	Seq    uint64    `json:"seq"`
	Time   time.Time `json:"time"`
	System string    `json:"system,omitempty"`
	Kind   EventKind `json:"kind"`
	Level  Level     `json:"level"`
	Text   string    `json:"text"`
	Code   string    `json:"code,omitempty"` // of [admin.Event]
	User   string    `json:"user,omitempty"` // author of a change, as shown to people

	Action string      `json:"action,omitempty"` // of a change: an [admin.EventKind], or the console's method
	Ref    string      `json:"ref,omitempty"`    // of a change: the block, port or operation
	Actor  admin.Actor `json:"actor,omitzero"`   // of a change

	Values *admin.SetValues `json:"values,omitempty"` // of parameters that were set, as finite numbers and strings
}

// eventLog holds the last events. Their numbers follow the time of the first one in µs, so that a page which outlives a console
// never meets a number twice.
type eventLog struct {
	mu     sync.Mutex
	before uint64 // the number before the first event
	seq    uint64 // the number of the last event; 0: none
	ring   []Event
	newest map[string]newest // by system and process
}

// newest is the time of the newest event from a run of a process.
type newest struct {
	run string
	at  time.Time
}

// fresh reports whether an event of a source in a run of its process is new. Without a time it always is. Times
// of two runs are not compared: between them the clock of the host may have been set back.
func (c *eventLog) fresh(system, source, run string, at time.Time) bool {
	if at.IsZero() {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.newest == nil {
		c.newest = map[string]newest{}
	}
	key := system + "\n" + source
	if last := c.newest[key]; last.run == run && !at.After(last.at) {
		return false
	}
	c.newest[key] = newest{run, at}
	return true
}

// add gives an event its number, and the present as its time where it has none.
func (c *eventLog) add(e Event) Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seq == 0 {
		c.before = uint64(time.Now().UnixMicro())
		c.seq = c.before
	}
	c.seq++
	if e.Seq = c.seq; e.Time.IsZero() {
		e.Time = time.Now()
	}
	if len(c.ring) < maxEvents {
		c.ring = append(c.ring, e)
	} else {
		c.ring[c.place(e.Seq)] = e
	}
	return e
}

// place returns where an event is in the ring.
func (c *eventLog) place(seq uint64) uint64 { return (seq - c.before - 1) % maxEvents }

// since returns the events after a number, oldest first; those of one system where it is named. After a number that is yet to come, which
// a console gave whose clock was ahead, it returns all events.
func (c *eventLog) since(seq uint64, system string) []Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	if seq > c.seq {
		seq = 0
	}
	list := []Event{}
	for n := max(c.seq-uint64(len(c.ring)), seq) + 1; n <= c.seq; n++ {
		if e := c.ring[c.place(n)]; system == "" || e.System == system {
			list = append(list, e)
		}
	}
	return list
}

// publish adds an event to the log and sends it to all pages.
func (s *Server) publish(e Event) {
	if e.Kind != EventLog {
		s.conditions.soon()
	}
	data, err := json.Marshal(s.eventLog.add(e))
	if err != nil {
		return
	}
	for _, page := range s.sessions.All() {
		_ = s.broker.Publish(page.Subject("event"), data)
	}
}

type eventsRequest struct {
	System string `json:"system"`
	After  uint64 `json:"after"` // the number of the last event that the page knows
}

// events returns the entries of the event log after a number.
func (s *Server) events(_ context.Context, _ *call, a eventsRequest) ([]Event, error) {
	return s.eventLog.since(a.After, a.System), nil
}
