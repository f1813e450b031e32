package block

import (
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/sinew-robotics/sinew/net/schema"
)

// Errors of calls from block to block.
var (
	ErrUnbound     = errors.New("the operation is not bound: call block.Bind in Setup")
	ErrOtherThread = errors.New("the operation runs in another thread: a step must not wait for it, use Send")
	ErrBusy        = errors.New("the previous request of this caller is still under way")
	ErrCanceled    = errors.New("the request was canceled before it ran")
	ErrNoHandler   = errors.New("the block has not said how to handle this operation")
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

// HandleInCaller makes f the operation's function, to be run in the thread of whoever calls it. It must be safe to
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

func (o *Operation[A, R]) types() (args, result reflect.Type) {
	return reflect.TypeFor[A](), reflect.TypeFor[R]()
}

func (o *Operation[A, R]) runsInCaller() bool { return o.inCaller }

// allocate gives the slices of arguments and result their length and returns the layouts.
func (o *Operation[A, R]) allocate() (args, result *schema.Layout, err error) {
	if args, err = allocateFields(&o.args, o.length); err != nil {
		return nil, nil, err
	}
	result, err = allocateFields(&o.result, o.length)
	return args, result, err
}

// serve runs the operation on arguments in CDR and writes the result as CDR into dst.
func (o *Operation[A, R]) serve(args, result *schema.Layout, cdr, dst []byte) (int, error) {
	if err := args.Decode(unsafe.Pointer(&o.args), cdr); err != nil {
		return 0, err
	}
	r, err := o.call(o.args)
	if err != nil {
		return 0, err
	}
	o.result = r
	return result.Encode(dst, unsafe.Pointer(&o.result)), nil
}

// allocateFields gives the slices at the top level of the value at p n elements and returns its layout.
func allocateFields[T any](p *T, n int) (*schema.Layout, error) {
	v := reflect.ValueOf(p).Elem()
	makeSlice(p, n)
	if v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.Slice && f.CanSet() {
				f.Set(reflect.MakeSlice(f.Type(), n, n))
			}
		}
	}
	return schema.LayoutOf(v)
}

// operation is what the operations of all types have in common.
type operation interface {
	Sized
	types() (args, result reflect.Type)
	runsInCaller() bool
	allocate() (args, result *schema.Layout, err error)
	serve(args, result *schema.Layout, cdr, dst []byte) (int, error)
}

// OperationInfo describes one operation of a block.
type OperationInfo struct {
	Name     string
	Doc      string
	Show     string // what pictures take it for: the tag show, as written
	InCaller bool   // runs in the thread of the caller
	Args     *schema.Layout
	Result   *schema.Layout
	field    operation
}

// Serve runs the operation on arguments in CDR, in the calling thread, and writes the result as CDR into dst.
func (o *OperationInfo) Serve(cdr, dst []byte) (n int, err error) {
	return o.field.serve(o.Args, o.Result, cdr, dst)
}

// Caller is a reference to an operation of another block. Bind it in Setup. Where both blocks are in one thread, or
// the operation runs in its caller, a call is a call of the function; otherwise it is a request that the other thread
// serves in its next activation. The request uses the caller's own memory: one at a time.
type Caller[A, R any] struct {
	op     *Operation[A, R]
	direct bool
	state  atomic.Uint32
	turn   uint32
	args   A
	result R
	err    error
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

// Send asks for the operation and returns at once with a handle.
func (c *Caller[A, R]) Send(args A) (Handle[A, R], error) {
	if c.op == nil {
		return Handle[A, R]{}, ErrUnbound
	}
	if s := c.state.Load(); s == requestWaiting || s == requestRunning {
		return Handle[A, R]{}, ErrBusy
	}
	c.turn++
	if c.direct {
		c.result, c.err = c.op.call(args)
		c.state.Store(requestDone)
	} else {
		assignFields(&c.args, &args)
		c.state.Store(requestWaiting)
	}
	return Handle[A, R]{c, c.turn}, nil
}

// Serve runs a waiting request. The thread of the operation calls it.
func (c *Caller[A, R]) Serve() {
	if !c.state.CompareAndSwap(requestWaiting, requestRunning) {
		return
	}
	c.result, c.err = c.op.call(c.args)
	c.state.Store(requestDone)
}

// Handle is a request that was sent.
type Handle[A, R any] struct {
	caller *Caller[A, R]
	turn   uint32
}

// Poll returns the result when there is one; done tells. An error of the operation comes with done.
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

// Cancel takes the request back; false where it runs already or is done.
func (h Handle[A, R]) Cancel() bool {
	return h.caller != nil && h.caller.turn == h.turn &&
		h.caller.state.CompareAndSwap(requestWaiting, requestCanceled)
}

// Bind makes c call the named operation of the named block. Names and types are checked when the diagram is built.
func Bind[A, R any](s *Setup, c *Caller[A, R], peer, operation string) {
	s.instance.Bindings = append(s.instance.Bindings, &Binding{Peer: peer, Operation: operation, caller: c})
}

// Binding is a Caller's wish for an operation of another block.
type Binding struct {
	Peer, Operation string
	caller          interface {
		bind(o operation, direct bool) error
		Serve()
	}
}

// Resolve gives the caller its operation. A direct one is called as a function; the others wait to be served.
func (b *Binding) Resolve(o *OperationInfo, direct bool) error { return b.caller.bind(o.field, direct) }

// Serve runs the binding's request, if one waits.
func (b *Binding) Serve() { b.caller.Serve() }

func (c *Caller[A, R]) bind(o operation, direct bool) error {
	op, ok := o.(*Operation[A, R])
	if !ok {
		args, result := o.types()
		return fmt.Errorf("takes %v and returns %v, but the caller wants to pass %v and get %v",
			args, result, reflect.TypeFor[A](), reflect.TypeFor[R]())
	}
	c.op, c.direct = op, direct || op.inCaller
	_, err := allocateFields(&c.args, op.length)
	return err
}

// assignFields copies plain data whose slices have memory of their own.
func assignFields[T any](dst, src *T) {
	d, s := reflect.ValueOf(dst).Elem(), reflect.ValueOf(src).Elem()
	switch d.Kind() {
	case reflect.Slice:
		reflect.Copy(d, s)
	case reflect.Struct:
		for i := range d.NumField() {
			if f := d.Field(i); f.Kind() == reflect.Slice {
				reflect.Copy(f, s.Field(i))
			} else {
				f.Set(s.Field(i))
			}
		}
	default:
		*dst = *src
	}
}
