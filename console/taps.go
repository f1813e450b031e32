package console

import (
	"context"
	"slices"
	"sync"

	"github.com/sinew-robotics/sinew/net/admin"
)

// taps are the taps of a system. Pages that watch the same port at the same rate share one.
type taps struct {
	system admin.System
	mu     sync.Mutex
	all    map[tapKey]*tap
	closed bool
}

type tapKey struct {
	ref   string
	every int
}

// tap hands samples on to those who watch the port.
type tap struct {
	end func()

	mu    sync.Mutex
	sinks []*sink
}

// sink is one who watches.
type sink struct{ take func(admin.Sample) }

// add makes take get what is new at a port, until end is called. It is called on a goroutine of the system and must be quick.
func (t *taps) add(ctx context.Context, ref string, every int, take func(admin.Sample)) (end func(), err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, errClosed
	}
	key, s := tapKey{ref, every}, &sink{take}
	k := t.all[key]
	if k == nil {
		k = &tap{}
		if k.end, err = t.system.Tap(ctx, ref, every, k.distribute); err != nil {
			return nil, err
		}
		if t.all == nil {
			t.all = map[tapKey]*tap{}
		}
		t.all[key] = k
	}
	k.mu.Lock()
	k.sinks = append(k.sinks, s)
	k.mu.Unlock()
	return func() { t.remove(key, k, s) }, nil
}

func (k *tap) distribute(x admin.Sample) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, s := range k.sinks {
		s.take(x)
	}
}

// remove takes a sink away, and ends the tap with the last one.
func (t *taps) remove(key tapKey, k *tap, s *sink) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k.mu.Lock()
	k.sinks = slices.DeleteFunc(k.sinks, func(x *sink) bool { return x == s })
	unused := len(k.sinks) == 0
	k.mu.Unlock()
	if unused && t.all[key] == k {
		delete(t.all, key)
		k.end()
	}
}

func (t *taps) endAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	for _, k := range t.all {
		k.end()
	}
	clear(t.all)
}
