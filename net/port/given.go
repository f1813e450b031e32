package port

import "io/fs"

// Given is the configuration of a block.
type Given struct {
	Params map[string]any // by name, as a configuration file holds them
	Files  fs.FS          // where the paths in constants lead; may be nil

	Kept    map[string]Kept // values of parameters and state fields with the tag persist, from an earlier run
	ThisRun []string        // parameters whose value in Params counts for this run, whatever was kept
}

// Kept is a value that an earlier run has left.
type Kept struct {
	Type  string `json:"type"`  // as [schema.Type.Short] names it
	Value any    `json:"value"` // as [schema.Layout.FromValue] takes it
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
