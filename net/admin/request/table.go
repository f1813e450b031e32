package request

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/admin"
)

// The limits of requests.
const (
	MaxBytes  = 1 << 20 // of a request
	MaxOpen   = 64      // requests that are worked on at once, of one [Slots]; more are refused
	MaxUrgent = 16      // beside them, urgent ones
)

// Options configure [NewTable].
type Options struct {
	// Place names what answers, for errors: "the console".
	Place string
	// Patience is how long a method may take that has no deadline of its own.
	Patience time.Duration
	// Holders returns the users with a role, with the verb: "ann and bob have". nil: all senders have every role.
	Holders func(Role) string
	// Panicked is called where a handler has panicked, with its stack.
	Panicked func(method string, cause any, stack []byte)
}

// Table holds methods by name and answers requests for them.
type Table[S Sender] struct {
	options Options
	ctx     context.Context
	methods map[string]Entry[S]

	mu     sync.Mutex
	closed bool
	work   sync.WaitGroup
}

// Entry is a method of a table.
type Entry[S Sender] struct {
	name   string
	role   Role
	urgent bool
	limit  time.Duration // 0: that of the table
	run    func(ctx context.Context, c *Call[S]) (answer []byte, err error)
}

// Unlimited is the deadline of a method that may take as long as it takes.
const Unlimited time.Duration = math.MaxInt64

// Method returns an entry whose handler returns a result. The arguments are decoded strictly, and only for senders with the role.
func Method[S Sender, A, R any](name string, role Role, handle func(ctx context.Context, c *Call[S], args A) (R, error)) Entry[S] {
	return Entry[S]{name: name, role: role, run: func(ctx context.Context, c *Call[S]) ([]byte, error) {
		var args A
		if err := decode(c.Data, &args); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		result, err := handle(ctx, c, args)
		if err != nil {
			return nil, err
		}
		return Encode(result)
	}}
}

// Command returns an entry whose handler has no result: the answer is null.
func Command[S Sender, A any](name string, role Role, handle func(ctx context.Context, c *Call[S], args A) error) Entry[S] {
	return Method(name, role, func(ctx context.Context, c *Call[S], args A) (*None, error) { return nil, handle(ctx, c, args) })
}

// Within returns the entry with a deadline of its own, or [Unlimited].
func (e Entry[S]) Within(limit time.Duration) Entry[S] {
	e.limit = limit
	return e
}

// InTurn returns the entry with a turn for each request, which it takes before its handler begins and gives back when its answer is made. The deadline
// includes the wait.
func (e Entry[S]) InTurn(take func(context.Context) (done func(), err error)) Entry[S] {
	run := e.run
	e.run = func(ctx context.Context, c *Call[S]) ([]byte, error) {
		done, err := take(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		defer done()
		return run(ctx, c)
	}
	return e
}

// Urgent returns the entry with the right to the urgent ones of [Slots]: it makes a system safe or lets go of it.
func (e Entry[S]) Urgent() Entry[S] {
	e.urgent = true
	return e
}

// NewTable returns a table of methods. When ctx ends their contexts do, and no more requests are accepted. Two methods of one name are a
// mistake of the program and panic.
func NewTable[S Sender](ctx context.Context, o Options, methods ...Entry[S]) *Table[S] {
	t := &Table[S]{options: o, ctx: ctx, methods: map[string]Entry[S]{}}
	for _, m := range methods {
		if _, twice := t.methods[m.name]; twice {
			panic(fmt.Sprintf("request: two methods %q", m.name))
		}
		t.methods[m.name] = m
	}
	return t
}

// Roles returns the names of the methods, each with the role that it needs.
func (t *Table[S]) Roles() map[string]Role {
	roles := map[string]Role{}
	for name, m := range t.methods {
		roles[name] = m.role
	}
	return roles
}

// Accept begins to work on a request, or refuses it at once; it never waits. In both cases it calls answer once, with the result as
// JSON or an error whose code [CodeOf] returns: at once, or on the request's own goroutine.
func (t *Table[S]) Accept(c *Call[S], slots *Slots, answer func(data []byte, err error)) {
	m, free, err := t.begin(c, slots)
	if err != nil {
		answer(nil, err)
		return
	}
	if !t.goes(func() { defer free(); answer(t.answer(m, c)) }) {
		free()
		answer(nil, t.ended())
	}
}

// begin returns the method of a request that may begin, with its slot.
func (t *Table[S]) begin(c *Call[S], slots *Slots) (m Entry[S], free func(), err error) {
	c.holders = t.options.Holders
	m, ok := t.methods[c.Method]
	switch {
	case len(c.Data) > MaxBytes:
		err = Errorf(TooLarge, "the request has %d bytes, at most %d are allowed", len(c.Data), MaxBytes)
	case !ok:
		err = fmt.Errorf("no method %q%s", c.Method, nearest.Hint(c.Method, slices.Sorted(maps.Keys(t.methods))))
	default:
		err = c.Need(m.role, c.Method)
	}
	if err == nil {
		free, err = slots.take(m.urgent)
	}
	return m, free, err
}

// goes runs work on a goroutine of its own, unless the table is closed.
func (t *Table[S]) goes(work func()) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || t.ctx.Err() != nil {
		return false
	}
	t.work.Go(work)
	return true
}

// answer runs a method with its deadline.
func (t *Table[S]) answer(m Entry[S], c *Call[S]) ([]byte, error) {
	ctx, cancel := context.WithTimeout(admin.WithActor(t.ctx, c.Sender.Actor()), cmp.Or(m.limit, t.options.Patience))
	defer cancel()
	data, err := t.recovered(ctx, m, c)
	if err != nil && t.ctx.Err() != nil {
		return nil, t.ended()
	}
	return data, err
}

func (t *Table[S]) ended() error { return Errorf(Gone, "%s has ended", t.options.Place) }

// recovered runs a method. A panic in it, as in code of a block's author, ends the request and not the process.
func (t *Table[S]) recovered(ctx context.Context, m Entry[S], c *Call[S]) (data []byte, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			t.options.Panicked(m.name, cause, debug.Stack())
			data, err = nil, fmt.Errorf("%s: panic in %s: %v; its log has the place", m.name, t.options.Place, cause)
		}
	}()
	return m.run(ctx, c)
}

// Close waits for the requests that are worked on. The owner of the table's context ends it before.
func (t *Table[S]) Close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.work.Wait()
}

// Slots limit how many requests of a sender, or of a process, are worked on at once: [MaxOpen], and [MaxUrgent] urgent ones.
// No flood of other requests delays an urgent one.
type Slots struct{ open, urgent chan struct{} }

// NewSlots returns slots that are all free.
func NewSlots() *Slots { return &Slots{make(chan struct{}, MaxOpen), make(chan struct{}, MaxUrgent)} }

// take takes a slot; free gives it back.
func (s *Slots) take(urgent bool) (free func(), err error) {
	slots := s.open
	if urgent {
		slots = s.urgent
	}
	select {
	case slots <- struct{}{}:
		return func() { <-slots }, nil
	default:
		return nil, Errorf(Busy, "%d requests are worked on already: ask again later", cap(slots))
	}
}
