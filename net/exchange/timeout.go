package exchange

import (
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// Timeout watches the age of the value that a link brings to an input.
type Timeout struct {
	Link    string        // as it is written: a.out -> b.in
	Limit   time.Duration // age from which on the value is too old
	Input   *port.Port
	written *clock.Time // when what the input has was written; 0 where it has nothing: the start counts
	due     clock.Time  // see Due
}

// NewTimeout returns the time-out of an input whose value was written at the time kept in written.
func NewTimeout(link string, limit time.Duration, input *port.Port, written *clock.Time) *Timeout {
	return &Timeout{Link: link, Limit: limit, Input: input, written: written}
}

// Begin starts the time-out at the time at which the system starts.
func (t *Timeout) Begin(now clock.Time) {
	if *t.written == 0 {
		*t.written = now
	}
	t.due = t.written.Add(t.Limit) + 1
}

// Late reports whether the value is too old at the time now. While it is, the input reads NoData.
func (t *Timeout) Late(now clock.Time) bool {
	late := t.Input.Lapse(now.Sub(*t.written) > t.Limit)
	if t.due = t.written.Add(t.Limit) + 1; t.due <= now {
		t.due = now.Add(t.Limit)
	}
	return late
}

// Due returns when Late must be called again if no value arrives: when the value becomes too old, and after that at each time
// at which it could have arrived.
func (t *Timeout) Due() clock.Time { return t.due }
