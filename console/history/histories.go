package history

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/console/systems"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/clock"
)

// The limits of requests.
const (
	maxSignals = 4096
	maxPoints  = 1 << 15 // of one signal in an answer
	maxAnswer  = 1 << 19 // times and values of an answer, of all signals together
)

// maxEnded is of how many systems that have ended a history is kept, of at most 186 MB each; of more, that of the first to end is dropped.
const maxEnded = 2

// Systems gives access to the systems that the console shows.
type Systems interface {
	// Get returns a running system.
	Get(name string) (*systems.System, error)
}

// Histories are the histories of the systems that pages look at, and of the last ones that have ended.
type Histories struct {
	systems Systems
	ctx     context.Context
	cancel  context.CancelFunc
	work    sync.WaitGroup

	mu     sync.Mutex
	all    map[string]*kept
	begun  uint64   // histories
	ended  []string // systems whose history is complete, in the order of their ends
	closed bool
}

// kept is a history that is being kept.
type kept struct {
	live *Live
	end  context.CancelFunc
}

// New returns no histories yet.
func New(systems Systems) *Histories {
	h := &Histories{systems: systems, all: map[string]*kept{}}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	return h
}

// of returns the source of a running system, and begins to keep it: the history of an earlier run is dropped. Of a system that does not
// run it returns the history of the last run, and fails where there is none.
func (h *Histories) of(name string) (Source, error) {
	sys, err := h.systems.Get(name)
	h.mu.Lock()
	defer h.mu.Unlock()
	k := h.all[name]
	switch {
	case h.closed:
		return nil, systems.ErrClosed
	case err != nil && k == nil:
		return nil, err
	case err != nil:
		return k.live, nil
	case k == nil || k.live.system != sys:
		h.drop(name)
		k = h.begin(name, sys)
	}
	k.live.asked.Store(time.Now().UnixNano())
	return k.live, nil
}

// begin keeps a system. The caller holds h.mu.
func (h *Histories) begin(name string, sys *systems.System) *kept {
	ctx, end := context.WithCancel(h.ctx)
	h.begun = max(h.begun+1, uint64(time.Now().UnixMilli())) // other than those of an earlier process
	k := &kept{newLive(sys, h.begun), end}
	k.live.asked.Store(time.Now().UnixNano())
	h.all[name] = k
	h.work.Go(func() {
		defer end()
		k.live.keep(ctx)
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.all[name] == k && ctx.Err() == nil { // no page has asked
			h.drop(name)
		}
	})
	return k
}

// drop forgets the history of a system, if there is one. The caller holds h.mu.
func (h *Histories) drop(name string) {
	if k := h.all[name]; k != nil {
		k.end()
		delete(h.all, name)
	}
	h.ended = slices.DeleteFunc(h.ended, func(x string) bool { return x == name })
}

// End completes the history of a system that has ended. It stays until the system's next run is asked for, and at most two such histories are
// kept. End returns the systems of which nothing is kept any more: this one if no page has looked at it, and one whose history was dropped for
// this one's.
func (h *Histories) End(name string) (dropped []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	k := h.all[name]
	if k == nil {
		return []string{name}
	}
	k.end()
	h.ended = append(slices.DeleteFunc(h.ended, func(x string) bool { return x == name }), name)
	for len(h.ended) > maxEnded {
		dropped = append(dropped, h.ended[0])
		h.drop(h.ended[0])
	}
	return dropped
}

// Close ends all histories and waits for their goroutines.
func (h *Histories) Close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.cancel()
	h.work.Wait()
}

// Span describes the time that the console has of a system, and keeps a running one for another ten minutes. It fails for a system that does not
// run and has no history.
func (h *Histories) Span(_ context.Context, system string) (Span, error) {
	s, err := h.of(system)
	if err != nil {
		return Span{}, err
	}
	return s.Span(), nil
}

// AtRequest asks for the values of ports at a time.
type AtRequest struct {
	System string     `json:"system"`
	Refs   []string   `json:"refs"` // "block.port", at most 4,096
	Time   clock.Time `json:"time_ns"`
}

// AtReply holds values by port; those that the console does not have are missing.
type AtReply struct {
	Values map[string]value `json:"values"`
}

// Length returns how many elements the value of a port has; list is false for a single number, and for none.
func (r *AtReply) Length(ref string) (n int, list bool) {
	elements, list := r.Values[ref].any.([]any)
	return len(elements), list
}

// value is written as JSON with "NaN", "+Inf" and "-Inf".
type value struct{ any }

// MarshalJSON implements json.Marshaler.
func (v value) MarshalJSON() ([]byte, error) { return admin.AppendValue(nil, v.any), nil }

// At returns the values of ports at a time. It fails for a system that does not run and has no history, or for too many ports.
func (h *Histories) At(_ context.Context, q AtRequest) (*AtReply, error) {
	s, err := h.of(q.System)
	switch {
	case err != nil:
		return nil, err
	case len(q.Refs) > maxSignals:
		return nil, fmt.Errorf("history.at: %d ports: at most %d are possible", len(q.Refs), maxSignals)
	}
	reply := &AtReply{map[string]value{}}
	for _, ref := range q.Refs {
		if v, ok := s.At(ref, q.Time); ok {
			reply.Values[ref] = value{v}
		}
	}
	return reply, nil
}

// Signal names a port that is a number, or an element of one.
type Signal struct {
	Ref     string `json:"ref"`
	Element *int   `json:"element,omitempty"` // of a list, from 0
}

// number is what a signal names; element is -1 for a port that is a number.
type number struct {
	ref     string
	element int
}

func (s Signal) number() number {
	if s.Element == nil {
		return number{s.Ref, -1}
	}
	return number{s.Ref, *s.Element}
}

// ReadRequest asks what signals were in a span of time.
type ReadRequest struct {
	System  string     `json:"system"`
	Signals []Signal   `json:"signals"` // at most 4,096, each once
	From    clock.Time `json:"from_ns"`
	To      clock.Time `json:"to_ns"`
	Points  int        `json:"points"` // most of each signal, 2 to 32,768, and 262,144 of all; of more samples the extremes stay
}

// ReadReply holds what signals were; those that the console does not have are missing.
type ReadReply struct {
	Series [][3]any `json:"s"` // the signal's index in the request, its times in ns, its values
}

// Each calls f for each signal that the console has, with its index in the request.
func (r *ReadReply) Each(f func(signal int, times []int64, values []float64)) {
	for _, s := range r.Series {
		f(s[0].(int), s[1].([]int64), s[2].(admin.Numbers))
	}
}

// Read returns what signals were in a span of time. It fails for a system that does not run and has no history, unless from_ns < to_ns, for too many
// signals, and for one that is named twice.
func (h *Histories) Read(ctx context.Context, q ReadRequest) (*ReadReply, error) {
	return h.ReadAtMost(ctx, q, maxAnswer)
}

// ReadAtMost returns what Read does, with another limit on the times and values of all signals together.
func (h *Histories) ReadAtMost(ctx context.Context, q ReadRequest, numbers int) (*ReadReply, error) {
	s, err := h.of(q.System)
	switch {
	case err != nil:
		return nil, err
	case q.To <= q.From:
		return nil, errors.New("history.read: wants from_ns < to_ns")
	case len(q.Signals) > maxSignals:
		return nil, fmt.Errorf("history.read: %d signals: at most %d are possible", len(q.Signals), maxSignals)
	}
	points := max(min(q.Points, maxPoints, numbers/2/max(len(q.Signals), 1)), 2)
	reply := &ReadReply{Series: [][3]any{}}
	named := map[number]int{}
	for i, g := range q.Signals {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := g.number()
		if first, twice := named[n]; twice {
			return nil, fmt.Errorf("history.read: the signals %d and %d are the same, %s: name each once", first, i, g.Ref)
		}
		named[n] = i
		if times, values, ok := s.Curve(n.ref, n.element, q.From, q.To, points); ok {
			reply.Series = append(reply.Series, [3]any{i, times, admin.Numbers(values)})
		}
	}
	return reply, nil
}
