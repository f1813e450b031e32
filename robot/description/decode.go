package description

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/sinew-robotics/sinew/robot/description/document"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// report gathers the problems of a robot's files, and what is suspicious in them.
type report struct {
	document.Report
	suspects []Problem // at most maxSuspects
}

// maxSuspects bounds how many suspects of one file are listed.
const maxSuspects = 200

// number returns a finite number from an attribute, fallback when it is not there.
func (r *report) number(e *document.Element, name string, fallback float64) float64 {
	a, ok := e.Attr(name)
	if !ok {
		return fallback
	}
	x, problem := parseNumber(a.Value)
	if problem != "" {
		r.Addf(a.Pos, "%s of <%s>: %s", name, e.Name, problem)
		return fallback
	}
	return x
}

// requiredNumber returns a finite number from an attribute that must be there.
func (r *report) requiredNumber(e *document.Element, name string) float64 {
	if _, ok := e.Attr(name); !ok {
		r.Required(e, name)
		return 0
	}
	return r.number(e, name, 0)
}

// vector returns three finite numbers from an attribute, fallback when it is not there.
func (r *report) vector(e *document.Element, name string, fallback spatial.Vec3) spatial.Vec3 {
	if x := r.numbers(e, name, 3); x != nil {
		return spatial.Vec3{X: x[0], Y: x[1], Z: x[2]}
	}
	return fallback
}

// numbers returns n finite numbers from an attribute, nil when it is not there or wrong.
func (r *report) numbers(e *document.Element, name string, n int) []float64 {
	a, ok := e.Attr(name)
	if !ok {
		return nil
	}
	fields := strings.Fields(a.Value)
	if len(fields) != n {
		r.Addf(a.Pos, "%s of <%s> needs %d numbers separated by spaces, it has %d: %q", name, e.Name, n, len(fields), document.Clip(a.Value))
		return nil
	}
	x := make([]float64, n)
	for i, f := range fields {
		var problem string
		if x[i], problem = parseNumber(f); problem != "" {
			r.Addf(a.Pos, "%s of <%s>: %s", name, e.Name, problem)
			return nil
		}
	}
	return x
}

// content returns the number that is the text of an element.
func (r *report) content(e *document.Element) float64 {
	x, problem := parseNumber(e.Text())
	if problem != "" {
		r.Addf(e.Pos, "<%s>: %s", e.Name, problem)
		return 0
	}
	return x
}

// parseNumber returns a finite number or what is wrong with its text.
func parseNumber(s string) (x float64, problem string) {
	s = strings.TrimSpace(s)
	x, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil && math.IsInf(x, 0):
		return 0, strconv.Quote(document.Clip(s)) + " is too large for a number"
	case s == "":
		return 0, "a number is missing"
	case err != nil && strings.ContainsAny(s, "$"):
		return 0, strconv.Quote(document.Clip(s)) + " is a xacro expression: expand it, or name the file .xacro"
	case err != nil && strings.Contains(s, ","):
		return 0, strconv.Quote(document.Clip(s)) + " is not a number: the decimal mark is a point"
	case err != nil && startsWithNumber(s):
		return 0, strconv.Quote(document.Clip(s)) + " is not a number: write it without a unit, in kg, m, rad and s"
	case err != nil:
		return 0, strconv.Quote(document.Clip(s)) + " is not a number"
	case math.IsNaN(x) || math.IsInf(x, 0):
		return 0, strconv.Quote(s) + " is not a finite number"
	}
	return x, ""
}

// only returns the single child of a name, nil when there is none. A second one is not read, as in other readers, and
// noted as suspect.
func (r *report) only(e *document.Element, name string) *document.Element {
	found := e.Children(name)
	if len(found) == 0 {
		return nil
	}
	if len(found) > 1 {
		r.doubtf(found[1].Pos, "<%s> has a second <%s>, which is not read; the first is at line %d", e.Name, name, found[0].Pos.Line)
	}
	return found[0]
}

// doubtf notes something that is no problem for reading on, but hardly meant.
func (r *report) doubtf(at Position, format string, args ...any) {
	if len(r.suspects) < maxSuspects {
		r.suspects = append(r.suspects, Problem{Position: at, Message: fmt.Sprintf(format, args...)})
	}
}

// suspect notes children and attributes that the format does not know but that resemble one it does. Formats
// have extensions, so an unknown name alone is no problem, nor is one beside the name that it resembles.
func (r *report) suspect(e *document.Element, children, attributes []string) {
	if len(r.suspects) >= maxSuspects {
		return
	}
	for _, c := range e.Children("") {
		if !slices.Contains(children, c.Name) && !strings.Contains(c.Name, ":") {
			if n := document.Similar(c.Name, slices.Values(children)); n != "" && e.Child(n) == nil {
				r.doubtf(c.Pos, "<%s> in <%s> is not read; did you mean <%s>?", c.Name, e.Name, n)
			}
		}
	}
	for _, a := range e.Attrs {
		if !slices.Contains(attributes, a.Name) && !strings.Contains(a.Name, ":") {
			n := document.Similar(a.Name, slices.Values(attributes))
			if _, given := e.Attr(n); n != "" && !given {
				r.doubtf(a.Pos, "attribute %s of <%s> is not read; did you mean %s?", a.Name, e.Name, n)
			}
		}
	}
}

// startsWithNumber reports whether a text is a number with a unit behind it.
func startsWithNumber(s string) bool {
	_, err := strconv.ParseFloat(strings.TrimRightFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsLetter(r) || strings.ContainsRune("°²/", r)
	}), 64)
	return err == nil
}
