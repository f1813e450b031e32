package block

import (
	"errors"
	"reflect"
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
