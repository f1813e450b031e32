package systems

import (
	"context"
	"slices"
	"sync"

	"github.com/sinew-robotics/sinew/net/admin"
)

// taps are the taps of a system. Callers that watch the same port at the same rate share one.
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

// tap passes samples of a port on to all that watch it.
type tap struct {
	ready chan struct{} // closed when the system has answered
	end   func()
	err   error
	users int // guarded by the taps' mu

	mu      sync.Mutex
	sinks   []*sink
	last    admin.Sample
	samples uint64 // until now; 0: there is no last one
	read    bool   // the last one was read, see [System.keepFresh]
}

// sink takes the samples of one watched signal.
type sink struct{ take func(admin.Sample) }

// add calls take with the last sample of a port and with each new one, until end is called. Take runs on a goroutine of the system and must not
// wait.
func (t *taps) add(ctx context.Context, ref string, every int, take func(admin.Sample)) (end func(), err error) {
	key, s := tapKey{ref, every}, &sink{take}
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return nil, ErrClosed
	}
	k := t.all[key]
	first := k == nil
	if first {
		k = &tap{ready: make(chan struct{})}
		if t.all == nil {
			t.all = map[tapKey]*tap{}
		}
		t.all[key] = k
	}
	k.users++
	t.mu.Unlock()

	k.mu.Lock()
	k.sinks = append(k.sinks, s)
	if k.samples > 0 {
		take(k.last) // of a value that does not change, no other sample comes
	}
	k.mu.Unlock()
	if first {
		end, err := t.system.Tap(ctx, ref, every, k.distribute)
		if k.err = err; err == nil {
			k.end = sync.OnceFunc(end)
		}
		close(k.ready)
	}
	<-k.ready
	if k.err != nil {
		t.remove(key, k, s)
		return nil, k.err
	}
	return func() { t.remove(key, k, s) }, nil
}

// distribute passes a sample of the system on, unless one that is newer was read while it was on the way.
func (k *tap) distribute(x admin.Sample) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.read && int32(x.Count-k.last.Count) <= 0 {
		return
	}
	k.read = false
	k.pass(x)
}

// pass gives a sample to all that watch the port. The caller holds k.mu.
func (k *tap) pass(x admin.Sample) {
	k.last = x
	k.samples++
	for _, s := range k.sinks {
		s.take(x)
	}
}

// remove takes a sink away, and ends the tap with the last one.
func (t *taps) remove(key tapKey, k *tap, s *sink) {
	k.mu.Lock()
	k.sinks = slices.DeleteFunc(k.sinks, func(x *sink) bool { return x == s })
	k.mu.Unlock()
	t.mu.Lock()
	k.users--
	unused := k.users == 0
	if unused && t.all[key] == k {
		delete(t.all, key)
	}
	t.mu.Unlock()
	if unused && k.end != nil {
		k.end()
	}
}

func (t *taps) endAll() {
	t.mu.Lock()
	t.closed = true
	all := t.all
	t.all = nil
	t.mu.Unlock()
	for _, k := range all {
		<-k.ready
		if k.end != nil {
			k.end()
		}
	}
}
