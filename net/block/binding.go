package block

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Binding is a Caller's wish for an operation of another block. Whoever builds the net fulfils it.
type Binding struct {
	Peer, Operation string
	caller          interface {
		bind(o operation, direct bool) error
		bindAway(o *OperationInfo) error
		Serve()
		take(cdr []byte) bool
		asks() bool
		answer(cdr []byte, err error)
	}
}

// Resolve gives the caller its operation. A direct one is called as a function; the others wait to be served.
func (b *Binding) Resolve(o *OperationInfo, direct bool) error { return b.caller.bind(o.field, direct) }

// Serve runs the binding's request, if one waits.
func (b *Binding) Serve() { b.caller.Serve() }

// ResolveAway gives the caller an operation that runs in another process. Its requests are carried there: see [Binding.Take].
func (b *Binding) ResolveAway(o *OperationInfo) error { return b.caller.bindAway(o) }

// Take writes the arguments of a request that waits in CDR into dst, which has their size; false where none waits.
func (b *Binding) Take(dst []byte) bool { return b.caller.take(dst) }

// Asks reports whether a request that was taken has had no answer yet.
func (b *Binding) Asks() bool { return b.caller.asks() }

// Answer ends a request that was taken, with the operation's result in CDR or with its error. The error may be used again for
// the answer of the next request.
func (b *Binding) Answer(cdr []byte, err error) { b.caller.answer(cdr, err) }

func (c *Caller[A, R]) bind(o operation, direct bool) error {
	op, ok := o.(*Operation[A, R])
	if !ok {
		args, result := o.types()
		return fmt.Errorf("takes %v and returns %v, but the caller wants to pass %v and get %v",
			args, result, reflect.TypeFor[A](), reflect.TypeFor[R]())
	}
	c.op, c.direct = op, direct || op.inCaller
	c.argSlices, c.resultSlices = slicesOf[A](), slicesOf[R]()
	if _, err := allocateFields(&c.args, op.length); err != nil {
		return err
	}
	_, err := allocateFields(&c.result, op.length)
	return err
}

func (c *Caller[A, R]) bindAway(o *OperationInfo) error {
	if err := c.bind(o.field, false); err != nil {
		return err
	}
	c.direct, c.away = false, o
	return nil
}

func (c *Caller[A, R]) take(dst []byte) bool {
	if c.state.Load() != requestWaiting {
		return false
	}
	c.away.Args.Encode(dst, unsafe.Pointer(&c.args))
	c.state.Store(requestRunning)
	return true
}

func (c *Caller[A, R]) asks() bool { return c.state.Load() == requestRunning }

func (c *Caller[A, R]) answer(cdr []byte, err error) {
	if !c.asks() {
		return
	}
	if c.err = err; err == nil {
		c.err = c.away.Result.Decode(unsafe.Pointer(&c.result), cdr)
	}
	c.state.Store(requestDone)
}
