package block

import (
	"sync/atomic"

	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/schema"
)

// Caller is a reference to an operation of another block. Bind it in Setup. If both blocks are in one thread, or the operation
// runs in its caller, a call is a call of the function; otherwise it is a request that the other thread serves in its next
// activation, also in another process or on another host. The request uses the caller's own memory: one at a time.
type Caller[A, R any] struct {
	op     *Operation[A, R]
	direct bool
	state  atomic.Uint32
	turn   uint32
	args   A
	result R
	err    error

	awayArgs, awayResult    *schema.Layout // of an operation in another process; else nil
	argSlices, resultSlices []sliceAt
}

// The states of a request.
const (
	requestNone uint32 = iota
	requestWaiting
	requestRunning
	requestDone
	requestCanceled
)

// Call runs the operation and returns its result. In a step it may not wait: an operation that runs in another
// thread gives ErrOtherThread.
func (c *Caller[A, R]) Call(args A) (R, error) {
	var none R
	switch {
	case c.op == nil:
		return none, ErrUnbound
	case !c.direct:
		return none, ErrOtherThread
	}
	return c.op.call(args)
}

// Send asks for the operation and returns at once with a handle. It fails with [ErrUnbound] if the caller is not bound, with
// [ErrBusy] while the last request waits, and with [ErrLength] if a slice has the wrong length.
func (c *Caller[A, R]) Send(args A) (Handle[A, R], error) {
	if c.op == nil {
		return Handle[A, R]{}, ErrUnbound
	}
	if s := c.state.Load(); s == requestWaiting || s == requestRunning {
		return Handle[A, R]{}, ErrBusy
	}
	if !c.direct && !assignOwn(&c.args, args, c.argSlices) {
		return Handle[A, R]{}, ErrLength
	}
	c.turn++
	if c.direct {
		c.result, c.err = c.op.call(args)
		c.state.Store(requestDone)
	} else {
		c.state.Store(requestWaiting)
	}
	return Handle[A, R]{c, c.turn}, nil
}

// Handle is a request that was sent.
type Handle[A, R any] struct {
	caller *Caller[A, R]
	turn   uint32
}

// Poll returns the result; done reports whether there is one. An error of the operation comes with done; an error from another
// process is valid until the next Send: keep its text, not the error.
func (h Handle[A, R]) Poll() (result R, done bool, err error) {
	if h.caller == nil || h.caller.turn != h.turn {
		return result, true, ErrCanceled
	}
	switch h.caller.state.Load() {
	case requestDone:
		return h.caller.result, true, h.caller.err
	case requestCanceled:
		return result, true, ErrCanceled
	}
	return result, false, nil
}

// Cancel takes the request back, and reports whether it did: not where the request runs already or is done. A request on its way
// to another process is given up, so that the next can be sent: whether it has run or will run is unknown, and Cancel returns false.
func (h Handle[A, R]) Cancel() bool {
	c := h.caller
	if c == nil || c.turn != h.turn {
		return false
	}
	if c.awayArgs != nil {
		c.state.CompareAndSwap(requestRunning, requestCanceled)
	}
	return c.state.CompareAndSwap(requestWaiting, requestCanceled)
}

// Bind makes c call the named operation of the named block. Names and types are checked when the diagram is built.
func Bind[A, R any](s *Setup, c *Caller[A, R], peer, operation string) {
	s.instance.Bindings = append(s.instance.Bindings, &port.Binding{Peer: peer, Operation: operation, CallerField: (*callerField[A, R])(c)})
}
