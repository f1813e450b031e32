package admin

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nuid"
)

// The limits of taps.
const (
	TapLease       = 10 * time.Second // a tap ends when no client has asked for it again for so long
	MaxTaps        = 4096             // of a process
	maxLeases      = 256              // clients of one tap
	maxRef         = 512              // bytes of a reference in a subject
	leaseLook      = time.Second
	samplesPerSend = 64
)

// tapBoard holds the taps of a process. Clients that want the same share one.
type tapBoard struct {
	service *Service
	mu      sync.Mutex
	taps    map[string]*servedTap // by subject
}

// servedTap is a tap whose samples are published as long as somebody has a lease on it.
type servedTap struct {
	subject string
	run     string
	end     func()
	seq     atomic.Uint64
	last    atomic.Pointer[numbered]
	leases  map[string]time.Time // by client; guarded by the board's mu
}

// lease begins or prolongs a tap. Its last sample is published again for a new client, so that nobody waits for a value
// that does not change; those who have seen it know it by its number.
func (b *tapBoard) lease(ctx context.Context, q request) (any, error) {
	if len(q.Ref) > maxRef {
		return nil, fmt.Errorf("tap: the reference has %d bytes, at most %d are allowed", len(q.Ref), maxRef)
	}
	id := b.service.id
	every := max(q.Every, 1)
	subject := tapSubject(id.System, id.Process, q.Ref, every)
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.taps[subject]
	if t == nil {
		if len(b.taps) >= MaxTaps {
			return nil, fmt.Errorf("tap %s: %s has %d taps already", q.Ref, id.Process, MaxTaps)
		}
		t = &servedTap{subject: subject, run: nuid.Next(), leases: map[string]time.Time{}}
		end, err := b.service.process.Tap(ctx, q.Ref, every, func(s Sample) { b.service.outbox.sample(t, s) })
		if err != nil {
			return nil, err
		}
		t.end = end
		b.taps[subject] = t
	}
	if len(t.leases) >= maxLeases && t.leases[q.Client].IsZero() {
		return nil, fmt.Errorf("tap %s: it has %d clients already", q.Ref, maxLeases)
	}
	if last := t.last.Load(); last != nil && t.leases[q.Client].IsZero() {
		b.service.outbox.put(t, *last)
	}
	t.leases[q.Client] = time.Now()
	return nil, nil
}

// release gives a lease up.
func (b *tapBoard) release(q request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.taps[tapSubject(b.service.id.System, b.service.id.Process, q.Ref, max(q.Every, 1))]; t != nil {
		delete(t.leases, q.Client)
		b.endUnused(t)
	}
}

// expire ends the taps of clients that have vanished.
func (b *tapBoard) expire() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.taps {
		for client, since := range t.leases {
			if time.Since(since) > TapLease {
				delete(t.leases, client)
			}
		}
		b.endUnused(t)
	}
}

// endUnused ends a tap without leases. The caller holds b.mu.
func (b *tapBoard) endUnused(t *servedTap) {
	if len(t.leases) == 0 {
		t.end()
		delete(b.taps, t.subject)
	}
}

func (b *tapBoard) endAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.taps {
		t.end()
	}
	clear(b.taps)
}
