package nats

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
)

// noteRequest is what a supervisor has done.
type noteRequest struct {
	Run  string    `json:"run"`
	At   time.Time `json:"at"`
	Text string    `json:"text"`
}

// note keeps what a supervisor has done among the events of this process, with the time at which it was done, and publishes it.
func (s *Service) note(n noteRequest, by admin.Actor) error {
	if n.Run == "" || n.At.IsZero() || n.Text == "" || len(n.Text) > maxLine {
		return errors.New("a note wants its run, its time and a text of at most 4096 bytes")
	}
	s.outbox.event(admin.Event{Time: s.process.Now(), Kind: admin.EventSupervisor, Run: n.Run, At: n.At, Text: n.Text, Actor: by})
	return nil
}

// Keeper names the process that keeps what Note sends: another name after that process has ended. It is "" where none is reached.
func (c *Client) Keeper() string {
	if m := c.noteKeeper(); m != nil {
		return fmt.Sprintf("%s, process %d on %s", m.name, m.PID, m.Host)
	}
	return ""
}

// noteKeeper returns the first process, by name, that is reached; nil where there is none.
func (c *Client) noteKeeper() *member {
	for _, m := range c.list() {
		if m.conn != nil {
			return m
		}
	}
	return nil
}

// Note makes what a supervisor has done an event of the system, with the time at which it was done. Run names the supervisor: another one
// after its restart.
func (c *Client) Note(ctx context.Context, run string, at time.Time, text string) error {
	m := c.noteKeeper()
	if m == nil {
		return admin.ErrGone
	}
	return c.ask(ctx, m, "note", noteRequest{run, at, text[:min(len(text), maxLine)]}, nil)
}
