package diagram

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Timeout watches the age of what a link brings to an input.
type Timeout struct {
	Link    Link
	Input   *block.Port
	written *clock.Time // when what the input has was written; 0 where it has nothing: the start counts
	due     clock.Time  // see Due
}

func newTimeout(l *link, written *clock.Time) *Timeout {
	return &Timeout{Link: l.Link, Input: l.to, written: written}
}

// Begin says when the system starts.
func (t *Timeout) Begin(now clock.Time) {
	if *t.written == 0 {
		*t.written = now
	}
	t.due = t.written.Add(t.Link.Timeout) + 1
}

// Late reports whether the value is too old at the time now. The input reads NoData while it is.
func (t *Timeout) Late(now clock.Time) bool {
	late := t.Input.Lapse(now.Sub(*t.written) > t.Link.Timeout)
	if t.due = t.written.Add(t.Link.Timeout) + 1; t.due <= now {
		t.due = now.Add(t.Link.Timeout)
	}
	return late
}

// Due returns when to ask again, at the latest, where nothing comes: when the value becomes too old, and from then on as
// often as it might have come.
func (t *Timeout) Due() clock.Time { return t.due }
