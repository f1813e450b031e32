package admin

import (
	"context"
	"errors"
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
	begun   chan struct{} // closed when end and err are known
	end     func()
	err     error
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
	t := b.taps[subject]
	first := t == nil
	if first {
		if len(b.taps) >= MaxTaps {
			b.mu.Unlock()
			return nil, fmt.Errorf("tap %s: %s has %d taps already", q.Ref, id.Process, MaxTaps)
		}
		t = &servedTap{subject: subject, run: nuid.Next(), begun: make(chan struct{}), leases: map[string]time.Time{}}
		b.taps[subject] = t
	}
	fresh := t.leases[q.Client].IsZero()
	if fresh && len(t.leases) >= maxLeases {
		b.mu.Unlock()
		return nil, fmt.Errorf("tap %s: it has %d clients already", q.Ref, maxLeases)
	}
	t.leases[q.Client] = time.Now()
	b.mu.Unlock()
	if first {
		b.begin(ctx, t, q.Ref, every)
	}
	select {
	case <-t.begun:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if last := t.last.Load(); t.err == nil && fresh && last != nil {
		b.service.outbox.put(t, *last)
	}
	return nil, t.err
}

// errTapEnded is the answer for a tap that nobody wanted any longer before it had begun.
var errTapEnded = errors.New("the tap was ended before it had begun")

// begin begins a tap. That takes until the thread of the port has seen it, and other taps need not wait for it.
func (b *tapBoard) begin(ctx context.Context, t *servedTap, ref string, every int) {
	end, err := b.service.process.Tap(ctx, ref, every, func(s Sample) { b.service.outbox.sample(t, s) })
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case err != nil:
		t.err = err
		if b.taps[t.subject] == t {
			delete(b.taps, t.subject)
		}
	case b.taps[t.subject] != t:
		t.err = errTapEnded
		end()
	default:
		t.end = end
	}
	close(t.begun)
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
		if t.end != nil { // else it has not begun yet, and ends at once when it has
			t.end()
		}
		delete(b.taps, t.subject)
	}
}

func (b *tapBoard) endAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.taps {
		if t.end != nil {
			t.end()
		}
	}
	clear(b.taps)
}
