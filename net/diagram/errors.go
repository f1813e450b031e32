package diagram

import (
	"fmt"
	"strings"
)

// Error is one thing that is wrong with a diagram.
type Error struct {
	Source string // where it was written, as "janus.yaml:12:3"; empty for diagrams made in Go
	Err    error
}

func (e *Error) Error() string {
	if e.Source == "" {
		return e.Err.Error()
	}
	return e.Source + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// Errors is everything that is wrong with a diagram, in the order of writing.
type Errors []*Error

func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the single errors to errors.Is and errors.As.
func (es Errors) Unwrap() []error {
	list := make([]error, len(es))
	for i, e := range es {
		list[i] = e
	}
	return list
}

func (d *Diagram) fail(source, format string, args ...any) {
	d.errs = append(d.errs, &Error{source, fmt.Errorf(format, args...)})
}
