package nats

import (
	"sync"
	"time"

	"github.com/nats-io/nuid"
)

// How samples are gathered to messages.
const (
	sendPeriod  = 10 * time.Millisecond // between two messages to a client: no sample waits longer
	manyBytes   = 1 << 16               // of samples: they are sent at once
	waitingMost = 1 << 18               // bytes of a client's next message; more samples are lost and counted

	aroundSample = 128 // bytes: a sample's id, and what stands around the samples of a message
)

// lease is what one client taps in this process. The samples of all its taps go to it in common messages.
type lease struct {
	client, subject, run string
	outbox               *outbox
	room                 int                // bytes that a message may have
	renewed              time.Time          // when the client has asked last; guarded by the board's mu
	taps                 map[int]*servedTap // by the client's number; guarded by the board's mu

	mu      sync.Mutex
	message []byte // what waits to be sent; empty: no sample
	samples int    // in the message
	missed  int    // samples after those, for which there was no room
	seq     uint64 // samples before the message
	sent    uint64 // samples of all messages that were sent, with those for which there was no room
	spare   []byte // a buffer for the next message
}

func newLease(o *outbox, client string) *lease {
	return &lease{client: client, subject: tapSubject(o.id.System, o.id.Process, client), run: nuid.Next(), outbox: o,
		room: min(waitingMost, int(o.conn.MaxPayload())), taps: map[int]*servedTap{}}
}

// put takes a sample as [appendSample] writes it. It never waits.
func (l *lease) put(id int, sample []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.missed > 0 || len(l.message)+len(sample)+aroundSample > l.room:
		l.missed++ // until the message is sent, so that those in it are numbered without gaps
		if l.samples == 0 && l.missed == 1 {
			l.outbox.wait(l)
		}
		return
	case l.samples == 0:
		l.message = beginTelemetry(l.message[:0], l.run, l.seq)
		l.outbox.wait(l)
	}
	before := len(l.message)
	l.message = appendTapped(l.message, id, sample)
	l.samples++
	if before < manyBytes && len(l.message) >= manyBytes {
		l.outbox.hurry()
	}
}

// flush gives the message that waits to send.
func (l *lease) flush(send func(subject string, message []byte)) {
	l.mu.Lock()
	message, samples := l.message, l.samples
	l.seq += uint64(l.samples + l.missed)
	seq := l.seq
	l.message, l.spare = l.spare[:0], nil
	l.samples, l.missed = 0, 0
	l.mu.Unlock()
	if samples > 0 {
		send(l.subject, endTelemetry(message))
	}
	l.mu.Lock()
	l.spare, l.sent = message, seq
	l.mu.Unlock()
}

// sentSoFar returns how many samples of the run were sent before. An answer that is sent now comes after them.
func (l *lease) sentSoFar() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sent
}
