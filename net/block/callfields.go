package block

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/schema"
)

// operation is what the operations of all types have in common.
type operation interface {
	Sized
	field() operationField
}

// operationField is an operation as nets and the inspector see it.
type operationField interface {
	port.OperationField
	types() (args, result reflect.Type)
	runsInCaller() bool
	allocate() (args, result *schema.Layout, err error)
}

// typedOperation is an Operation as nets see it: see [port.OperationField].
type typedOperation[A, R any] Operation[A, R]

func (o *typedOperation[A, R]) types() (args, result reflect.Type) {
	return reflect.TypeFor[A](), reflect.TypeFor[R]()
}

func (o *typedOperation[A, R]) runsInCaller() bool { return o.inCaller }

// allocate gives the slices of arguments and result their length and returns the layouts.
func (o *typedOperation[A, R]) allocate() (args, result *schema.Layout, err error) {
	if args, err = allocateFields(&o.args, o.length); err != nil {
		return nil, nil, err
	}
	result, err = allocateFields(&o.result, o.length)
	return args, result, err
}

func (o *typedOperation[A, R]) Serve(args, result *schema.Layout, cdr, dst []byte) (int, error) {
	if err := args.Decode(unsafe.Pointer(&o.args), cdr); err != nil {
		return 0, err
	}
	r, err := (*Operation[A, R])(o).call(o.args)
	if err != nil {
		return 0, err
	}
	o.result = r
	return result.Encode(dst, unsafe.Pointer(&o.result)), nil
}

// allocateFields gives the slices at the top level of the value at p n elements and returns its layout.
func allocateFields[T any](p *T, n int) (*schema.Layout, error) {
	v := reflect.ValueOf(p).Elem()
	makeSlice(p, n, false)
	if v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.Slice && f.CanSet() {
				f.Set(reflect.MakeSlice(f.Type(), n, n))
			}
		}
	}
	return schema.LayoutOf(v)
}

// callerField is a Caller as nets see it: see [port.CallerField].
type callerField[A, R any] Caller[A, R]

func (c *callerField[A, R]) Bind(f port.OperationField, direct bool) error {
	op, ok := f.(*typedOperation[A, R])
	if !ok {
		args, result := f.(operationField).types()
		return fmt.Errorf("takes %v and returns %v, but the caller wants to pass %v and get %v",
			args, result, reflect.TypeFor[A](), reflect.TypeFor[R]())
	}
	c.op, c.direct = (*Operation[A, R])(op), direct || op.inCaller
	c.argSlices, c.resultSlices = slicesOf[A](), slicesOf[R]()
	if _, err := allocateFields(&c.args, op.length); err != nil {
		return err
	}
	_, err := allocateFields(&c.result, op.length)
	return err
}

func (c *callerField[A, R]) BindAway(f port.OperationField, args, result *schema.Layout) error {
	if err := c.Bind(f, false); err != nil {
		return err
	}
	c.direct, c.awayArgs, c.awayResult = false, args, result
	return nil
}

func (c *callerField[A, R]) Serve() {
	if !c.state.CompareAndSwap(requestWaiting, requestRunning) {
		return
	}
	defer c.state.Store(requestDone)
	c.err = ErrPanicked // unless it returns
	result, err := c.op.call(c.args)
	if c.err = err; err == nil && !assignOwn(&c.result, result, c.resultSlices) {
		c.err = ErrLength
	}
}

func (c *callerField[A, R]) Take(dst []byte) bool {
	if c.state.Load() != requestWaiting {
		return false
	}
	c.awayArgs.Encode(dst, unsafe.Pointer(&c.args))
	c.state.Store(requestRunning)
	return true
}

func (c *callerField[A, R]) Asks() bool { return c.state.Load() == requestRunning }

func (c *callerField[A, R]) Answer(cdr []byte, err error) {
	if !c.Asks() {
		return
	}
	if c.err = err; err == nil {
		c.err = c.awayResult.Decode(unsafe.Pointer(&c.result), cdr)
	}
	c.state.Store(requestDone)
}
