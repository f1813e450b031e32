package port

import "github.com/sinew-robotics/sinew/net/schema"

// Binding is a wish of a block to call an operation of another block. Package diagram fulfils it.
type Binding struct {
	Peer, Operation string // block and operation
	CallerField            // that wishes it
}

// CallerField is the field of a block that calls an operation. Package block implements it.
type CallerField interface {
	// Bind gives the caller its operation. A direct one is called as a function; requests for the others wait to be served.
	Bind(op OperationField, direct bool) error
	// BindAway gives the caller an operation that runs in another process, with the layouts of its arguments and its result.
	BindAway(op OperationField, args, result *schema.Layout) error
	// Serve runs the request, if one waits.
	Serve()
	// Take writes the arguments of a request that waits in CDR into dst, which has their size; false where none waits.
	Take(dst []byte) bool
	// Asks reports whether a request that was taken has had no answer yet.
	Asks() bool
	// Answer ends a request that was taken, with the operation's result in CDR or with its error. The error may be used again
	// for the answer of the next request.
	Answer(cdr []byte, err error)
}

// Resolve gives the caller its operation. A direct one is called as a function; requests for the others wait to be served.
func (b *Binding) Resolve(o *Operation, direct bool) error {
	return b.CallerField.Bind(o.field, direct)
}

// ResolveAway gives the caller an operation that runs in another process. Its requests are carried there: see
// [CallerField.Take].
func (b *Binding) ResolveAway(o *Operation) error {
	return b.CallerField.BindAway(o.field, o.Args, o.Result)
}
