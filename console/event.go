package console

import (
	"context"
	"encoding/json"
	"sync"
	"time"
)

// maxEvents is how many events a console remembers.
const maxEvents = 1000

// Event is something that pages are told of.
type Event struct {
	Seq    uint64    `json:"seq"`
	Time   time.Time `json:"time"`
	System string    `json:"system,omitempty"`
	Kind   string    `json:"kind"` // fault, warning, log, change, gone, back
	Level  string    `json:"level"`
	Text   string    `json:"text"`
	User   string    `json:"user,omitempty"` // who has changed something
}

// chronicle holds the last events.
type chronicle struct {
	mu   sync.Mutex
	seq  uint64
	ring []Event
	told map[string]time.Time // by system and process: what it has told up to then is here
}

// fresh reports whether a process tells something for the first time. What it tells without a time is always new.
func (c *chronicle) fresh(system, process string, at time.Time) bool {
	if at.IsZero() {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.told == nil {
		c.told = map[string]time.Time{}
	}
	if source := system + "\n" + process; at.After(c.told[source]) {
		c.told[source] = at
		return true
	}
	return false
}

// add gives an event its number, and the present as its time where it has none.
func (c *chronicle) add(e Event) Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq++
	if e.Seq = c.seq; e.Time.IsZero() {
		e.Time = time.Now()
	}
	if len(c.ring) < maxEvents {
		c.ring = append(c.ring, e)
	} else {
		c.ring[(e.Seq-1)%maxEvents] = e
	}
	return e
}

// since returns the events after a number, oldest first; those of one system where it is named.
func (c *chronicle) since(seq uint64, system string) []Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := []Event{}
	first := uint64(1)
	if c.seq > maxEvents {
		first = c.seq - maxEvents + 1
	}
	for n := max(first, seq+1); n <= c.seq; n++ {
		if e := c.ring[(n-1)%maxEvents]; system == "" || e.System == system {
			list = append(list, e)
		}
	}
	return list
}

// publish tells all pages of an event.
func (s *Server) publish(e Event) {
	data, err := json.Marshal(s.chronicle.add(e))
	if err != nil {
		return
	}
	for _, page := range s.sessions.list() {
		_ = s.broker.conn.Publish(page.subject("event"), data)
	}
}

type eventsRequest struct {
	System string `json:"system"`
	After  uint64 `json:"after"` // the number of the last event that the page knows
}

// events returns what happened before.
func (s *Server) events(_ context.Context, _ *call, a eventsRequest) (any, error) {
	return s.chronicle.since(a.After, a.System), nil
}
