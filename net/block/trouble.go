package block

// Trouble is an error of a step that passes without help, such as a device that is unplugged. While a step returns it, the outputs of the
// block have their safe values, the operator reads a warning with the reason, and the block is executed further. The warning ends with the
// first step that returns nil. A block makes its Trouble beforehand and changes Why, so that its step allocates nothing.
type Trouble struct{ Why error }

// Error implements error.
func (t *Trouble) Error() string { return t.Why.Error() }

// Unwrap returns the reason.
func (t *Trouble) Unwrap() error { return t.Why }
