package console

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
)

// How often a console asks systems for their condition.
const (
	conditionPeriod   = time.Second            // while a page is open
	conditionPause    = 100 * time.Millisecond // after an event, so that a burst of them costs one request
	conditionPatience = 5 * time.Second        // for an answer
)

// conditions are the conditions that pages have been sent.
type conditions struct {
	wake chan struct{} // holds one entry when something has happened
	busy sync.Map      // names of systems that are asked at present
	mu   sync.Mutex
	sent map[string][]byte // by system
}

func newConditions() *conditions {
	return &conditions{wake: make(chan struct{}, 1), sent: map[string][]byte{}}
}

// soon makes the console ask for conditions before the period is over.
func (c *conditions) soon() {
	select {
	case c.wake <- struct{}{}:
	default: // it will anyway
	}
}

// changed reports whether the condition of a system differs from what was sent last, and keeps it.
func (c *conditions) changed(system string, data []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if bytes.Equal(c.sent[system], data) {
		return false
	}
	c.sent[system] = data
	return true
}

// forget makes the next condition of a system a change.
func (c *conditions) forget(system string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.sent, system)
}

// conditionMessage is what pages receive.
type conditionMessage struct {
	System    string           `json:"system"`
	Condition *admin.Condition `json:"condition"`
}

// followConditions sends pages the conditions of running systems when they change.
func (s *Server) followConditions() {
	ticker := time.NewTicker(conditionPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-s.conditions.wake:
			select {
			case <-time.After(conditionPause):
			case <-s.ctx.Done():
				return
			}
		case <-s.ctx.Done():
			return
		}
		if len(s.sessions.All()) == 0 {
			continue
		}
		for _, name := range s.pool.Running() {
			if _, busy := s.conditions.busy.LoadOrStore(name, true); !busy { // one that does not answer delays no other
				if !s.goes(func() {
					defer s.conditions.busy.Delete(name)
					s.sendCondition(name)
				}) {
					return
				}
			}
		}
	}
}

// sendCondition sends pages the condition of a system if it has changed.
func (s *Server) sendCondition(name string) {
	ctx, cancel := context.WithTimeout(s.ctx, conditionPatience)
	defer cancel()
	sys, err := s.find(name)
	if err != nil {
		return // it has ended: the page receives that as an event
	}
	now, err := sys.Condition(ctx)
	if err != nil {
		return
	}
	data, err := json.Marshal(conditionMessage{name, now})
	if err != nil || !s.conditions.changed(name, data) {
		return
	}
	for _, page := range s.sessions.All() {
		if !page.Slow() {
			s.send(page.Subject("condition"), data)
		}
	}
}
