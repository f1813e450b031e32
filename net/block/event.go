package block

import (
	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/port"
)

// Event is a named occurrence that a block emits. Linked to Handlers of other blocks, it reaches those that handle it
// at once within Emit, and the others when their block's turn comes in its own thread. T is plain data without slices.
type Event[T any] struct {
	count  uint64
	last   T
	recent [port.MaxPendingEvents]T // for tools
	local  []*Handler[T]
	remote []*lockfree.Queue
	info   *port.Port
}

// Emit makes the event happen: all handlers get data.
func (e *Event[T]) Emit(data T) {
	e.last = data
	e.recent[e.count%port.MaxPendingEvents] = data
	e.count++
	for _, h := range e.local {
		h.receiveEvent(data)
	}
	for _, q := range e.remote {
		q.Push(memory(&e.last))
	}
}

// Handler is where events of other blocks arrive. The block takes them with [Handler.Take] in its step, or names a
// function with Handle, which runs at the block's turn, or with HandleAtOnce, which runs within Emit. At most 16 events wait; one more
// drops the oldest.
type Handler[T any] struct {
	atOnce  func(T)
	handle  func(T)
	queue   [port.MaxPendingEvents]T
	count   uint64 // events that came
	taken   uint64 // events that were taken
	dropped uint64
	remote  []*lockfree.Queue
	scratch T
	info    *port.Port
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
	v := h.queue[h.taken%port.MaxPendingEvents]
	h.taken++
	return v, true
}

// New reports whether an event waits.
func (h *Handler[T]) New() bool { return h.count != h.taken }

func (h *Handler[T]) receiveEvent(v T) {
	if h.count-h.taken == port.MaxPendingEvents {
		h.taken++
		h.dropped++
	}
	h.queue[h.count%port.MaxPendingEvents] = v
	h.count++
	if h.atOnce != nil {
		h.taken++
		h.atOnce(v)
	}
}

func (e *Event[T]) port() *port.Port { return e.info }

func (e *Event[T]) describe(p *port.Port) { e.info = p }

func (e *Event[T]) setLen(int) {}

func (e *Event[T]) field() port.Field { return (*eventField[T])(e) }

func (h *Handler[T]) port() *port.Port { return h.info }

func (h *Handler[T]) describe(p *port.Port) { h.info = p }

func (h *Handler[T]) setLen(int) {}

func (h *Handler[T]) field() port.Field { return (*handlerField[T])(h) }
