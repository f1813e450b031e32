package port

import "io/fs"

// Given is the configuration of a block.
type Given struct {
	Params map[string]any // by name, as a configuration file holds them
	Files  fs.FS          // where the paths in constants lead; may be nil
}

// ParamError reports a mistake in one parameter of a configuration.
type ParamError struct {
	Param string
	Known []string // where there is no such parameter: those there are
	Err   error
}

// Error returns the text of Err.
func (e *ParamError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *ParamError) Unwrap() error { return e.Err }
