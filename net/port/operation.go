package port

import "github.com/sinew-robotics/sinew/net/schema"

// Operation describes one operation of a block.
type Operation struct {
	Name     string
	Doc      string
	Unit     string // of its argument or, where that is a struct, of the fields that state none
	Show     string // what pictures take it for: the tag show, as written
	InCaller bool   // runs in the thread of the caller
	Args     *schema.Layout
	Result   *schema.Layout
	field    OperationField
	limits   limits
}

// OperationField is the field of an operation. Package block implements it.
type OperationField interface {
	// Serve runs the operation on arguments in CDR and writes the result as CDR into dst.
	Serve(args, result *schema.Layout, cdr, dst []byte) (int, error)
}

// NewOperation completes the description of an operation with its field.
func NewOperation(o Operation, f OperationField) *Operation {
	o.field, o.limits = f, outsideLimits(o.Name, "")
	return &o
}

// Admits returns an error where a number in the arguments, which come from a tool, is not finite or beyond [MaxMagnitude]. It
// does not allocate.
func (o *Operation) Admits(args []byte) error { return o.limits.check(o.Args, args) }

// CheckArgs is [Operation.Admits] with an error that names the number. It allocates.
func (o *Operation) CheckArgs(args []byte) error {
	return o.limits.explain(o.Name, "", o.Args, args)
}

// Serve runs the operation on arguments in CDR, in the calling thread, and writes the result as CDR into dst.
func (o *Operation) Serve(cdr, dst []byte) (n int, err error) {
	return o.field.Serve(o.Args, o.Result, cdr, dst)
}
