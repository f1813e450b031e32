package block

import (
	"reflect"
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/port"
)

// eventField is an Event as nets see it: see [port.EventField].
type eventField[T any] Event[T]

func (e *eventField[T]) DataType() reflect.Type { return reflect.TypeFor[T]() }

func (e *eventField[T]) SetLen(int) {}

func (e *eventField[T]) Allocate() {}

func (e *eventField[T]) Pointer() unsafe.Pointer { return unsafe.Pointer(&e.last) }

func (e *eventField[T]) Bytes() []byte { return memory(&e.last) }

func (e *eventField[T]) Counter() *uint64 { return &e.count }

func (e *eventField[T]) At(n uint64) unsafe.Pointer {
	return unsafe.Pointer(&e.recent[(n-1)%port.MaxPendingEvents])
}

// Inject makes the event happen from outside the net: an operator does it.
func (e *eventField[T]) Inject() { (*Event[T])(e).Emit(e.last) }

func (e *eventField[T]) Push(q *lockfree.Queue) { e.remote = append(e.remote, q) }

func (e *eventField[T]) Shadow() port.OutputField { return newShadow[T](0, false) }

func (e *eventField[T]) Length() *int { return nil }

func (e *eventField[T]) Take(q *lockfree.Queue) bool { return q.Pop(memory(&e.last)) }

// handlerField is a Handler as nets see it: see [port.HandlerField].
type handlerField[T any] Handler[T]

func (h *handlerField[T]) DataType() reflect.Type { return reflect.TypeFor[T]() }

func (h *handlerField[T]) SetLen(int) {}

func (h *handlerField[T]) Allocate() {}

func (h *handlerField[T]) Pointer() unsafe.Pointer { return unsafe.Pointer(&h.scratch) }

func (h *handlerField[T]) Bytes() []byte { return memory(&h.scratch) }

func (h *handlerField[T]) Counter() *uint64 { return &h.count }

func (h *handlerField[T]) At(n uint64) unsafe.Pointer {
	return unsafe.Pointer(&h.queue[(n-1)%port.MaxPendingEvents])
}

// Inject puts an event from outside the net: a script, an operator.
func (h *handlerField[T]) Inject() { (*Handler[T])(h).receiveEvent(h.scratch) }

func (h *handlerField[T]) New() bool { return (*Handler[T])(h).New() }

func (h *handlerField[T]) Progress() port.Progress {
	count := &h.count
	return port.Progress{Count: &count, Seen: &h.taken}
}

// Deferred reports whether a function runs for waiting events at the block's turn.
func (h *handlerField[T]) Deferred() bool { return h.handle != nil }

// Subscribe links the handler to an event of the same type; false where the types differ. With a queue the events come from
// another thread.
func (h *handlerField[T]) Subscribe(src port.EventField, q *lockfree.Queue) bool {
	event, ok := src.(*eventField[T])
	switch {
	case !ok:
		return false
	case q != nil:
		event.Push(q)
		h.Drain(q)
	default:
		event.local = append(event.local, (*Handler[T])(h))
	}
	return true
}

func (h *handlerField[T]) Source() port.OutputField { return newShadow[T](0, false) }

func (h *handlerField[T]) Length() *int { return nil }

func (h *handlerField[T]) Take(q *lockfree.Queue) bool { return q.Pop(memory(&h.scratch)) }

func (h *handlerField[T]) Drain(q *lockfree.Queue) { h.remote = append(h.remote, q) }

func (h *handlerField[T]) AtOnce() bool { return h.atOnce != nil }

// Collect takes over what came from other threads.
func (h *handlerField[T]) Collect() {
	for _, q := range h.remote {
		for q.Pop(memory(&h.scratch)) {
			(*Handler[T])(h).receiveEvent(h.scratch)
		}
	}
}

// Dispatch runs the deferred handler function for everything that waits.
func (h *handlerField[T]) Dispatch() {
	if h.handle == nil {
		return
	}
	for {
		v, ok := (*Handler[T])(h).Take()
		if !ok {
			return
		}
		h.handle(v)
	}
}
