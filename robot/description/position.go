package description

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// maxProblems bounds how many problems of one file are listed: a file of the
// wrong kind would otherwise answer with one for every line.
const maxProblems = 200

// Position is a place in a file. Line and column count from 1, the column in
// characters. The zero Position is that of something no file says.
type Position struct {
	File         string
	Line, Column int

	call *call // how a xacro macro came to be expanded here, nil outside macros
}

// call is one use of a xacro macro.
type call struct {
	macro string
	at    Position
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
	Message  string
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
		fmt.Fprintf(&b, " (in macro %s, called at %s)", c.macro, c.at)
		c = c.at.call
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

// report gathers the problems of a file while reading goes on.
type report struct {
	problems Problems
	dropped  int
	suspects []Problem
	hints    int // given so far
}

// addf notes a problem at a position.
func (r *report) addf(at Position, format string, args ...any) {
	if len(r.problems) >= maxProblems {
		r.dropped++
		return
	}
	r.problems = append(r.problems, Problem{at, fmt.Sprintf(format, args...)})
}

// count returns how many problems there are: where it is the same after a step, the step went well.
func (r *report) count() int { return len(r.problems) + r.dropped }

// err returns the problems in the order of the file, nil when there are none.
func (r *report) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(r.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Position.File, b.Position.File),
			cmp.Compare(a.Position.Line, b.Position.Line),
			cmp.Compare(a.Position.Column, b.Position.Column))
	})
	if r.dropped > 0 {
		last := r.problems[len(r.problems)-1]
		r.problems = append(r.problems, Problem{last.Position, fmt.Sprintf("%d more problems are not listed", r.dropped)})
		r.dropped = 0
	}
	return r.problems
}
