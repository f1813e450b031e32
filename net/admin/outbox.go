package admin

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

// outbox is where a process puts what it publishes. Putting never waits: what finds no room is lost, and its number is
// missing in what comes later.
type outbox struct {
	conn    *nats.Conn
	id      Identity
	samples chan waitingSample
	events  chan Event
	lines   chan LogLine
	lineNo  atomic.Uint64
}

type waitingSample struct {
	tap *servedTap
	numbered
}

func newOutbox(conn *nats.Conn, id Identity) *outbox {
	return &outbox{conn: conn, id: id, samples: make(chan waitingSample, MaxWaiting), events: make(chan Event, MaxWaiting), lines: make(chan LogLine, MaxWaiting)}
}

// sample takes a sample of a tap.
func (o *outbox) sample(t *servedTap, s Sample) {
	s.Value = finite(s.Value)
	n := numbered{t.seq.Add(1), s}
	t.last.Store(&n)
	o.put(t, n)
}

func (o *outbox) put(t *servedTap, n numbered) {
	select {
	case o.samples <- waitingSample{t, n}:
	default:
	}
}

func (o *outbox) event(e Event) {
	select {
	case o.events <- e:
	default:
	}
}

// run publishes until the context ends, and looks after the leases of taps.
func (o *outbox) run(ctx context.Context, look func()) {
	ticker := time.NewTicker(leaseLook)
	defer ticker.Stop()
	for {
		select {
		case s := <-o.samples:
			o.publishSamples(s)
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

// publishSamples publishes a sample together with those that wait behind it.
func (o *outbox) publishSamples(first waitingSample) {
	batches := map[*servedTap][]numbered{first.tap: {first.numbered}}
	order := []*servedTap{first.tap}
	for range samplesPerSend {
		select {
		case s := <-o.samples:
			if batches[s.tap] == nil {
				order = append(order, s.tap)
			}
			batches[s.tap] = append(batches[s.tap], s.numbered)
			continue
		default:
		}
		break
	}
	for _, t := range order {
		if data, err := json.Marshal(telemetry{t.run, batches[t]}); err == nil {
			_ = o.conn.Publish(t.subject, data)
		}
	}
}

func (o *outbox) publishEvent(e Event) {
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
			l := LogLine{Seq: w.outbox.lineNo.Add(1), Text: strings.TrimSuffix(string(w.rest), "\n")}
			w.rest = w.rest[:0]
			select {
			case w.outbox.lines <- l:
			default:
			}
		}
	}
	return len(text), nil
}
