package block

import (
	"reflect"
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/lockfree"
)

// MaxPendingEvents is how many events wait in a Handler, and of how many since its last activation a tap tells. One more drops
// the oldest, and is counted.
const MaxPendingEvents = 16

// Event is a named occurrence that a block emits. Linked to Handlers of other blocks, it reaches those that handle it
// at once within Emit, and the others when their block's turn comes in its own thread. T is plain data without slices.
type Event[T any] struct {
	count  uint64
	last   T
	recent [MaxPendingEvents]T // for tools
	local  []*Handler[T]
	remote []*lockfree.Queue
	info   *Port
}

// Emit tells all handlers that the event has happened.
func (e *Event[T]) Emit(data T) {
	e.last = data
	e.recent[e.count%MaxPendingEvents] = data
	e.count++
	for _, h := range e.local {
		h.receiveEvent(data)
	}
	for _, q := range e.remote {
		q.Push(memory(&e.last))
	}
}

// Handler is where events of other blocks arrive. The block takes them with [Handler.Take] in its step, or names a
// function with Handle, which runs at the block's turn, or with HandleAtOnce, which runs within Emit.
type Handler[T any] struct {
	atOnce  func(T)
	handle  func(T)
	queue   [MaxPendingEvents]T
	count   uint64 // events that came
	taken   uint64 // events that were taken
	dropped uint64
	remote  []*lockfree.Queue
	scratch T
	info    *Port
}

// Handle makes f run for each event when the block's turn comes, in the block's thread, before its step.
// Call it in Setup.
func (h *Handler[T]) Handle(f func(T)) { h.handle = f }

// HandleAtOnce makes f run within the emitter's Emit. Emitter and handler must be in the same thread; a diagram that
// places them in different ones is refused. Call it in Setup.
func (h *Handler[T]) HandleAtOnce(f func(T)) { h.atOnce = f }

// Take returns the oldest event that waits; false where none does.
func (h *Handler[T]) Take() (T, bool) {
	if h.count == h.taken {
		var none T
		return none, false
	}
	v := h.queue[h.taken%MaxPendingEvents]
	h.taken++
	return v, true
}

// New reports whether an event waits.
func (h *Handler[T]) New() bool { return h.count != h.taken }

func (h *Handler[T]) receiveEvent(v T) {
	if h.count-h.taken == MaxPendingEvents {
		h.taken++
		h.dropped++
	}
	h.queue[h.count%MaxPendingEvents] = v
	h.count++
	if h.atOnce != nil {
		h.taken++
		h.atOnce(v)
	}
}

func (e *Event[T]) port() *Port             { return e.info }
func (e *Event[T]) describe(p *Port)        { e.info = p }
func (e *Event[T]) setLen(int)              {}
func (e *Event[T]) pointer() unsafe.Pointer { return unsafe.Pointer(&e.last) }
func (e *Event[T]) bytes() []byte           { return memory(&e.last) }
func (e *Event[T]) counter() *uint64        { return &e.count }
func (e *Event[T]) allocate()               {}
func (e *Event[T]) dataType() reflect.Type  { return reflect.TypeFor[T]() }

func (h *Handler[T]) port() *Port             { return h.info }
func (h *Handler[T]) describe(p *Port)        { h.info = p }
func (h *Handler[T]) setLen(int)              {}
func (h *Handler[T]) pointer() unsafe.Pointer { return unsafe.Pointer(&h.scratch) }
func (h *Handler[T]) bytes() []byte           { return memory(&h.scratch) }
func (h *Handler[T]) counter() *uint64        { return &h.count }
func (h *Handler[T]) allocate()               {}
func (h *Handler[T]) dataType() reflect.Type  { return reflect.TypeFor[T]() }

func (e *Event[T]) at(n uint64) unsafe.Pointer {
	return unsafe.Pointer(&e.recent[(n-1)%MaxPendingEvents])
}
func (h *Handler[T]) at(n uint64) unsafe.Pointer {
	return unsafe.Pointer(&h.queue[(n-1)%MaxPendingEvents])
}

// inject makes the event happen from outside the net: an operator does it.
func (e *Event[T]) inject() { e.Emit(e.last) }

// connectEvent links the handler to an event of the same type; false where the types differ. With a queue the
// events come from another thread.
func (h *Handler[T]) connectEvent(e emitter, q *lockfree.Queue) bool {
	event, ok := e.(*Event[T])
	switch {
	case !ok:
		return false
	case q != nil:
		event.push(q)
		h.buffer(q)
	default:
		event.local = append(event.local, h)
	}
	return true
}

func (e *Event[T]) push(q *lockfree.Queue) { e.remote = append(e.remote, q) }

func (e *Event[T]) shadow() outlet { return &Out[T]{info: e.info} }

func (h *Handler[T]) source() outlet { return &Out[T]{info: h.info} }

func (h *Handler[T]) buffer(q *lockfree.Queue) { h.remote = append(h.remote, q) }

func (h *Handler[T]) isAtOnce() bool { return h.atOnce != nil }

// collect takes over what came from other threads.
func (h *Handler[T]) collect() {
	for _, q := range h.remote {
		for q.Pop(memory(&h.scratch)) {
			h.receiveEvent(h.scratch)
		}
	}
}

// dispatch runs the deferred handler function for everything that waits.
func (h *Handler[T]) dispatch() {
	if h.handle == nil {
		return
	}
	for {
		v, ok := h.Take()
		if !ok {
			return
		}
		h.handle(v)
	}
}

// inject puts an event from outside the net: a script, an operator.
func (h *Handler[T]) inject() { h.receiveEvent(h.scratch) }
