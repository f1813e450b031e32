package diagram

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Error is one thing that is wrong with a diagram.
type Error struct {
	Source string // where it was written, as "janus.yaml:12:3"; empty for diagrams made in Go
	Err    error
}

// Error returns the place, if it is known, and the text of Err.
func (e *Error) Error() string {
	if e.Source == "" {
		return e.Err.Error()
	}
	return e.Source + ": " + e.Err.Error()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Errors is everything that is wrong with a diagram, in the order of writing.
type Errors []*Error

// Error returns the errors, a line each.
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

// MaxErrors is how many errors of a diagram, or of a system's files, are kept; the rest is counted.
const MaxErrors = 100

// Faults collects errors: the first [MaxErrors] are kept, the others are counted without being written out.
type Faults struct {
	list Errors
	more int
}

// Add adds what is wrong at a place.
func (f *Faults) Add(source string, err error) {
	if len(f.list) == MaxErrors {
		f.more++
		return
	}
	f.list = append(f.list, &Error{source, err})
}

// Addf is Add with a text that is written only if the error is kept.
func (f *Faults) Addf(source, format string, args ...any) {
	if len(f.list) == MaxErrors {
		f.more++
		return
	}
	f.Add(source, fmt.Errorf(format, args...))
}

// Full reports whether further errors are only counted.
func (f *Faults) Full() bool { return len(f.list) == MaxErrors }

// Count returns the number of errors, with those that were only counted.
func (f *Faults) Count() int { return len(f.list) + f.more }

// Any reports whether there is an error.
func (f *Faults) Any() bool { return len(f.list) > 0 }

// Join adds errors, with the number of those that were only counted.
func (f *Faults) Join(list Errors) {
	for _, e := range list {
		if counted, ok := e.Err.(more); ok {
			f.more += int(counted)
			continue
		}
		f.Add(e.Source, e.Err)
	}
}

// more is how many errors were only counted.
type more int

func (m more) Error() string { return "… and " + grouped(int(m)) + " more errors" }

// Sort brings the kept errors into the order that compare gives, those of the same place as they came.
func (f *Faults) Sort(compare func(a, b *Error) int) { slices.SortStableFunc(f.list, compare) }

// Errors returns the errors, nil where there is none. Where some were only counted the last one gives their number.
func (f *Faults) Errors() Errors {
	if f.more == 0 {
		return f.list
	}
	return append(slices.Clone(f.list), &Error{Err: more(f.more)})
}

// grouped writes a number as in 49,900.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func (d *Diagram) fail(source, format string, args ...any) { d.faults.Addf(source, format, args...) }
