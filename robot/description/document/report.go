package document

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
)

// MaxProblems bounds how many problems of one file are listed: a file of the wrong kind would otherwise answer with one
// for every line.
const MaxProblems = 200

// A large wrong file must not take long: these bound the search for right names.
const (
	maxHints      = 200 // names for which the nearest is searched
	maxNameLength = 64  // bytes of such a name
)

// Report gathers the problems of a file while reading goes on: at most [MaxProblems]; those after them are counted. The
// zero value is ready for use.
type Report struct {
	problems Problems
	dropped  int
	hints    int // names for which the nearest was searched
}

// Addf notes a problem at a position.
func (r *Report) Addf(at Position, format string, args ...any) {
	if len(r.problems) >= MaxProblems {
		r.dropped++
		return
	}
	r.problems = append(r.problems, Problem{at, fmt.Sprintf(format, args...)})
}

// Count returns how many problems there are: where it is the same after a step, the step went well.
func (r *Report) Count() int { return len(r.problems) + r.dropped }

// Problems returns the problems that are listed so far, in the order in which they were found.
func (r *Report) Problems() Problems { return r.problems }

// Err returns the problems in the order of the file, nil when there are none.
func (r *Report) Err() error {
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

// Required returns the value of an attribute that must be there and not be empty; otherwise it notes a problem.
func (r *Report) Required(e *Element, name string) string {
	a, ok := e.Attr(name)
	switch {
	case !ok:
		r.Addf(e.Pos, "<%s> needs the attribute %s%s", e.Name, name, e.insteadOf(name))
	case strings.TrimSpace(a.Value) == "":
		r.Addf(a.Pos, "the attribute %s of <%s> is empty", name, e.Name)
	}
	return a.Value
}

// Nearest returns the candidate that a name was probably meant to be, or "" when none is near enough or when 200 names
// were searched already.
func (r *Report) Nearest(name string, candidates iter.Seq[string]) string {
	if r.hints++; r.hints > maxHints {
		return ""
	}
	return Similar(name, candidates)
}

// DidYouMean returns the end of a message about an unknown name: the nearest right one, or "".
func (r *Report) DidYouMean(name string, candidates iter.Seq[string]) string {
	if n := r.Nearest(name, candidates); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	return ""
}

// Similar returns the candidate that a name of at most 64 bytes was probably meant to be, or "" when none is near enough.
func Similar(name string, candidates iter.Seq[string]) string {
	if len(name) > maxNameLength {
		return ""
	}
	return nearest.Similar(name, candidates)
}
