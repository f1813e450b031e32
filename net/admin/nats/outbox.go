package nats

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/net/admin"
)

// outbox is where a process puts what it publishes. Putting never waits: what finds no room is lost, and its number is
// missing in what comes later.
type outbox struct {
	conn   *nats.Conn
	id     Identity
	events chan admin.Event
	lines  chan admin.LogLine
	log    admin.EventLog

	mu      sync.Mutex
	waiting []*lease      // those that have samples to send
	some    chan struct{} // holds one when the first lease waits
	many    chan struct{} // holds one when a lease should no longer wait
}

func newOutbox(conn *nats.Conn, id Identity) *outbox {
	return &outbox{conn: conn, id: id, events: make(chan admin.Event, MaxWaiting), lines: make(chan admin.LogLine, MaxWaiting),
		some: make(chan struct{}, 1), many: make(chan struct{}, 1)}
}

// wait takes down that a lease has samples to send.
func (o *outbox) wait(l *lease) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.waiting = append(o.waiting, l); len(o.waiting) == 1 {
		signal(o.some)
	}
}

// hurry makes samples sent at once.
func (o *outbox) hurry() { signal(o.many) }

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (o *outbox) event(e admin.Event) {
	select {
	case o.events <- o.log.AddEvent(e):
	default:
	}
}

// run publishes until the context ends, and looks after the leases of taps.
func (o *outbox) run(ctx context.Context, look func()) {
	ticker := time.NewTicker(leaseLook)
	defer ticker.Stop()
	send := time.NewTimer(sendPeriod)
	defer send.Stop()
	for {
		select {
		case <-o.some:
			send.Reset(sendPeriod)
		case <-o.many:
			o.publishSamples()
		case <-send.C:
			o.publishSamples()
		case e := <-o.events:
			o.publishEvent(e)
		case l := <-o.lines:
			l.Process = o.id.Process
			o.publish("log", l)
		case <-ticker.C:
			look()
		case <-ctx.Done():
			return
		}
	}
}

// publishSamples sends the messages of all leases that have any.
func (o *outbox) publishSamples() {
	o.mu.Lock()
	waiting := o.waiting
	o.waiting = nil
	o.mu.Unlock()
	for _, l := range waiting {
		l.flush(func(subject string, message []byte) { _ = o.conn.Publish(subject, message) })
	}
}

func (o *outbox) publishEvent(e admin.Event) {
	e.Process = o.id.Process
	o.publish("event", e)
}

// publish sends what a server that is away does not get.
func (o *outbox) publish(what string, v any) {
	if data, err := json.Marshal(v); err == nil {
		_ = o.conn.Publish(subject(o.id.System, o.id.Process, what), data)
	}
}

// maxLine is how many bytes of a log line are published.
const maxLine = 4096

// LogWriter publishes lines. Its methods may be called from any goroutine.
type LogWriter struct {
	outbox *outbox
	mu     sync.Mutex
	rest   []byte // of a line that has not ended
}

// Write implements io.Writer; it never fails and never waits.
func (w *LogWriter) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for line := range strings.Lines(string(text)) {
		whole := strings.HasSuffix(line, "\n")
		if room := maxLine - len(w.rest); room > 0 {
			w.rest = append(w.rest, line[:min(len(line), room)]...)
		}
		if whole {
			l := w.outbox.log.AddLine(strings.TrimSuffix(string(w.rest), "\n"))
			w.rest = w.rest[:0]
			select {
			case w.outbox.lines <- l:
			default:
			}
		}
	}
	return len(text), nil
}
