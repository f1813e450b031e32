package document

import (
	"fmt"
	"strings"
)

// Position is a place in a file. The zero Position belongs to values that are not in a file.
type Position struct {
	File   string // as the caller of the reader named it
	Line   int    // counts from 1; 0: the file as a whole
	Column int    // in characters, counts from 1

	call *Call // of the xacro macro whose body this is a part of, nil outside macros
}

// Call is one use of a xacro macro.
type Call struct {
	Macro string   // its name
	At    Position // of the element that calls it
}

// String formats the position as file:line:column.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Problem is one thing that is wrong with a file, at its position.
type Problem struct {
	Position Position
	Message  string // one sentence without the position, in lower case
}

// Error formats the problem as file:line:column: message, followed by the
// macro calls that led there.
func (p Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.Position.String())
	b.WriteString(": ")
	b.WriteString(p.Message)
	const maxCalls = 4
	c := p.Position.call
	for n := 0; c != nil && n < maxCalls; n++ {
		fmt.Fprintf(&b, " (in macro %s, called at %s)", c.Macro, c.At)
		c = c.At.call
	}
	return b.String()
}

// Problems is everything that is wrong with a file: the error that the readers
// of this package return. Find it with errors.As.
type Problems []Problem

// Error lists the problems, one a line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].Error()
	}
	return strings.Join(lines, "\n")
}

// Under returns the position as part of a macro call. A macro that a macro defined keeps the inner call, which
// describes the place better.
func (p Position) Under(c *Call) Position {
	if p.call == nil {
		p.call = c
	}
	return p
}
