package nats

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
)

// The limits of taps.
const (
	TapLease  = 10 * time.Second // the taps of a client end unless it asks again within this time
	MaxTaps   = 4096             // of a process, and of a client
	MaxLeases = 256              // clients that tap a process
	maxRef    = 512              // bytes of a reference
	maxClient = 64               // bytes of a client's name
	leaseLook = time.Second
)

// tapBoard holds the taps of a process and their readers. Clients that want the same port at the same rate share a tap.
type tapBoard struct {
	service *Service
	mu      sync.Mutex
	taps    map[tapKey]*servedTap
	leases  map[string]*lease // by client
}

type tapKey struct {
	ref   string
	every int
}

// servedTap is a tap whose samples go to all leases that have it.
type servedTap struct {
	key tapKey
	end func()

	mu      sync.Mutex
	readers []tapReader
	last    []byte // the newest sample as [appendSample] writes it; nil: none yet
}

// tapReader is a client that reads a tap, and the client's number of it.
type tapReader struct {
	lease *lease
	id    int
}

// take gives a sample to all readers.
func (t *servedTap) take(s admin.Sample) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if b, ok := s.Value.(*admin.RawValue); ok { // base64 takes 4 bytes for 3
		s.Value = b.Without(waitingMost / 2)
	}
	t.last = appendSample(t.last[:0], s)
	for _, r := range t.readers {
		r.lease.put(r.id, t.last)
	}
}

// add adds a reader and sends it the last sample: the value may not change for long.
func (t *servedTap) add(r tapReader) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.readers = append(t.readers, r)
	if len(t.last) > 0 {
		r.lease.put(r.id, t.last)
	}
}

// remove removes a reader and reports whether it was the last one.
func (t *servedTap) remove(r tapReader) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, x := range t.readers {
		if x == r {
			t.readers = append(t.readers[:i], t.readers[i+1:]...)
			break
		}
	}
	return len(t.readers) == 0
}

// tapped is the answer to "tap": which run of the client's samples its taps belong to, how many of it were sent before the answer, and which taps cannot
// be. If the run is another one than before, or "", the process no longer has any of the client's other taps.
type tapped struct {
	Run      string         `json:"run"`
	Sent     uint64         `json:"sent,omitempty"`
	Problems map[int]string `json:"problems,omitempty"`
}

// tap begins taps for a client and prolongs those that it has.
func (b *tapBoard) tap(ctx context.Context, q tapRequest) (tapped, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.leases[q.Client]
	switch {
	case checkName("client", q.Client) != nil || len(q.Client) > maxClient:
		return tapped{}, fmt.Errorf("tap: client %.100q: wants at most %d letters, digits, _ and -", q.Client, maxClient)
	case l == nil && len(q.Taps) == 0:
		return tapped{}, nil
	case l == nil && len(b.leases) >= MaxLeases:
		return tapped{}, fmt.Errorf("tap: %d clients tap %s already", MaxLeases, b.service.id.Process)
	case l == nil:
		l = newLease(b.service.outbox, q.Client)
		b.leases[q.Client] = l
	}
	l.renewed = time.Now()
	answer := tapped{Run: l.run, Problems: map[int]string{}}
	for _, o := range q.Taps {
		if err := b.begin(ctx, l, o); err != nil {
			answer.Problems[o.ID] = err.Error()
		}
	}
	b.endIfEmpty(l)
	answer.Sent = l.sentSoFar()
	return answer, nil
}

// begin gives a lease a tap. The caller holds b.mu.
func (b *tapBoard) begin(ctx context.Context, l *lease, o tapOrder) error {
	key := tapKey{o.Ref, max(o.Every, 1)}
	switch {
	case len(o.Ref) > maxRef:
		return fmt.Errorf("tap: the reference has %d bytes, at most %d are allowed", len(o.Ref), maxRef)
	case l.taps[o.ID] != nil && l.taps[o.ID].key == key:
		return nil
	case l.taps[o.ID] != nil:
		return fmt.Errorf("tap %s: the id %d is that of %s", o.Ref, o.ID, l.taps[o.ID].key.ref)
	case len(l.taps) >= MaxTaps:
		return fmt.Errorf("tap %s: the client has %d taps already", o.Ref, MaxTaps)
	}
	t := b.taps[key]
	if t == nil {
		if len(b.taps) >= MaxTaps {
			return fmt.Errorf("tap %s: %s has %d taps already", o.Ref, b.service.id.Process, MaxTaps)
		}
		t = &servedTap{key: key}
		end, err := b.service.process.Tap(ctx, o.Ref, key.every, t.take)
		if err != nil {
			return err
		}
		t.end = end
		b.taps[key] = t
	}
	l.taps[o.ID] = t
	t.add(tapReader{l, o.ID})
	return nil
}

// untap ends taps of a client; all of them where it names none.
func (b *tapBoard) untap(q untapRequest) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.leases[q.Client]
	if l == nil {
		return
	}
	if q.IDs == nil {
		b.endAllOf(l)
	}
	for _, id := range q.IDs {
		b.end(l, id)
	}
	b.endIfEmpty(l)
}

// end ends a tap of a lease. The caller holds b.mu.
func (b *tapBoard) end(l *lease, id int) {
	t := l.taps[id]
	if t == nil {
		return
	}
	delete(l.taps, id)
	if t.remove(tapReader{l, id}) {
		t.end()
		delete(b.taps, t.key)
	}
}

func (b *tapBoard) endAllOf(l *lease) {
	for id := range l.taps {
		b.end(l, id)
	}
}

func (b *tapBoard) endIfEmpty(l *lease) {
	if len(l.taps) == 0 {
		delete(b.leases, l.client)
	}
}

// expire ends the taps of clients that have vanished.
func (b *tapBoard) expire() {
	b.endLeases(func(l *lease) bool { return time.Since(l.renewed) > TapLease })
}

// endAll ends all taps.
func (b *tapBoard) endAll() { b.endLeases(func(*lease) bool { return true }) }

func (b *tapBoard) endLeases(which func(*lease) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, l := range b.leases {
		if which(l) {
			b.endAllOf(l)
			b.endIfEmpty(l)
		}
	}
}
