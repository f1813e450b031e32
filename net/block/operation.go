package block

import "errors"

// Errors of calls from block to block.
var (
	ErrUnbound     = errors.New("the operation is not bound: call block.Bind in Setup")
	ErrOtherThread = errors.New("the operation runs in another thread: a step must not wait for it, use Send")
	ErrBusy        = errors.New("the previous request of this caller is still under way")
	ErrCanceled    = errors.New("the request was canceled before it ran")
	ErrNoHandler   = errors.New("the block has no handler for this operation: call Handle in Setup")
	ErrLength      = errors.New("a slice in the arguments or the result has another length than the operation's")
	ErrPanicked    = errors.New("the operation panicked: its block is in error")
)

// Operation is a function of a block that others call by name. A and R are plain data; a struct A gives the arguments
// their names. It runs in the thread of its block, between two steps.
type Operation[A, R any] struct {
	handler  func(A) (R, error)
	inCaller bool
	args     A // workspace of requests from outside the thread
	result   R
	length   int
}

// Handle makes f the operation's function. Call it in Setup.
func (o *Operation[A, R]) Handle(f func(A) (R, error)) { o.handler = f }

// HandleInCaller makes f the operation's function, which runs in the thread of its caller. It must be safe to
// run beside the block's own step. Call it in Setup.
func (o *Operation[A, R]) HandleInCaller(f func(A) (R, error)) { o.handler, o.inCaller = f, true }

func (o *Operation[A, R]) call(args A) (R, error) {
	if o.handler == nil {
		var none R
		return none, ErrNoHandler
	}
	return o.handler(args)
}

func (o *Operation[A, R]) setLen(n int) { o.length = n }

func (o *Operation[A, R]) field() operationField { return (*typedOperation[A, R])(o) }
