package block

// Param is a parameter: a value that can be tuned while the block runs. T is plain data. It changes only between two
// steps, and all values of one change together.
type Param[T any] struct {
	value T
	given bool
}

// NewParam returns a parameter of the given first value, for blocks written as Go literals.
func NewParam[T any](v T) Param[T] { return Param[T]{value: v, given: true} }

// Value returns the parameter's present value. A slice is the parameter's memory and not to be changed.
func (p *Param[T]) Value() T { return p.value }

// Set changes the value from within the block: in Setup or in a step of its own, as an automatic tuner does.
// It does not check bounds.
func (p *Param[T]) Set(v T) { p.value, p.given = v, true }

func (p *Param[T]) isGiven() bool { return p.given }
func (p *Param[T]) give()         { p.given = true }
func (p *Param[T]) target() any   { return &p.value }
func (p *Param[T]) fixed() bool   { return false }

// Const is a parameter that is fixed when the system is built: a count, a file, the name of another block. T may be
// a string or a slice of strings besides plain data.
type Const[T any] struct {
	value T
	given bool
}

// NewConst returns a constant of the given value, for blocks written as Go literals.
func NewConst[T any](v T) Const[T] { return Const[T]{value: v, given: true} }

// Value returns the constant.
func (c *Const[T]) Value() T { return c.value }

func (c *Const[T]) isGiven() bool { return c.given }
func (c *Const[T]) give()         { c.given = true }
func (c *Const[T]) target() any   { return &c.value }
func (c *Const[T]) fixed() bool   { return true }

// parameter is what Param and Const have in common.
type parameter interface {
	isGiven() bool
	give()
	target() any // *T
	fixed() bool
}
