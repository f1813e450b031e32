package description

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/robot/spatial"
)

// text returns an attribute that must be there and not be empty.
func (r *report) text(e *element, name string) string {
	a, ok := e.attr(name)
	switch {
	case !ok:
		r.addf(e.pos, "<%s> needs the attribute %s%s", e.name, name, e.insteadOf(name))
	case strings.TrimSpace(a.value) == "":
		r.addf(a.pos, "the attribute %s of <%s> is empty", name, e.name)
	}
	return a.value
}

// insteadOf names the attribute that was probably misspelt: one that nobody asked for.
func (e *element) insteadOf(name string) string {
	var unread []string
	for _, a := range e.attrs {
		if !a.read {
			unread = append(unread, a.name)
		}
	}
	if n := nearest(name, slices.Values(unread)); n != "" {
		return " (there is " + n + ")"
	}
	return ""
}

// optional returns an attribute or "".
func (e *element) optional(name string) string {
	a, _ := e.attr(name)
	return a.value
}

// number returns a finite number from an attribute, fallback when it is not there.
func (r *report) number(e *element, name string, fallback float64) float64 {
	a, ok := e.attr(name)
	if !ok {
		return fallback
	}
	x, problem := parseNumber(a.value)
	if problem != "" {
		r.addf(a.pos, "%s of <%s>: %s", name, e.name, problem)
		return fallback
	}
	return x
}

// requiredNumber returns a finite number from an attribute that must be there.
func (r *report) requiredNumber(e *element, name string) float64 {
	if _, ok := e.attr(name); !ok {
		r.text(e, name)
		return 0
	}
	return r.number(e, name, 0)
}

// vector returns three finite numbers from an attribute, fallback when it is not there.
func (r *report) vector(e *element, name string, fallback spatial.Vec3) spatial.Vec3 {
	if x := r.numbers(e, name, 3); x != nil {
		return spatial.Vec3{X: x[0], Y: x[1], Z: x[2]}
	}
	return fallback
}

// numbers returns n finite numbers from an attribute, nil when it is not there or wrong.
func (r *report) numbers(e *element, name string, n int) []float64 {
	a, ok := e.attr(name)
	if !ok {
		return nil
	}
	fields := strings.Fields(a.value)
	if len(fields) != n {
		r.addf(a.pos, "%s of <%s> needs %d numbers separated by spaces, it has %d: %q", name, e.name, n, len(fields), clip(a.value))
		return nil
	}
	x := make([]float64, n)
	for i, f := range fields {
		var problem string
		if x[i], problem = parseNumber(f); problem != "" {
			r.addf(a.pos, "%s of <%s>: %s", name, e.name, problem)
			return nil
		}
	}
	return x
}

// content returns the number that is the text of an element.
func (r *report) content(e *element) float64 {
	x, problem := parseNumber(e.text())
	if problem != "" {
		r.addf(e.pos, "<%s>: %s", e.name, problem)
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
		return 0, strconv.Quote(clip(s)) + " is too large for a number"
	case s == "":
		return 0, "a number is missing"
	case err != nil && strings.ContainsAny(s, "$"):
		return 0, strconv.Quote(clip(s)) + " is a xacro expression: expand it, or name the file .xacro"
	case err != nil && strings.Contains(s, ","):
		return 0, strconv.Quote(clip(s)) + " is not a number: the decimal mark is a point"
	case err != nil:
		return 0, strconv.Quote(clip(s)) + " is not a number"
	case math.IsNaN(x) || math.IsInf(x, 0):
		return 0, strconv.Quote(s) + " is not a finite number"
	}
	return x, ""
}

// clip shortens text that is quoted in a message.
func clip(s string) string {
	const longest = 60
	if len(s) <= longest {
		return s
	}
	return strings.ToValidUTF8(s[:longest], "") + "…"
}

// only returns the single child of a name, nil when there is none. A second one is not read, as in other readers, and
// noted as suspect.
func (r *report) only(e *element, name string) *element {
	found := e.children(name)
	if len(found) == 0 {
		return nil
	}
	if len(found) > 1 {
		r.doubtf(found[1].pos, "<%s> has a second <%s>, which is not read; the first is at line %d", e.name, name, found[0].pos.Line)
	}
	return found[0]
}

// doubtf notes something that is no problem for reading on, but hardly meant.
func (r *report) doubtf(at Position, format string, args ...any) {
	if len(r.suspects) < maxProblems {
		r.suspects = append(r.suspects, Problem{at, fmt.Sprintf(format, args...)})
	}
}

// suspect notes children and attributes that the format does not know but that resemble one it does. Formats
// have extensions, so an unknown name alone is no problem, nor is one beside the name that it resembles.
func (r *report) suspect(e *element, children, attributes []string) {
	if len(r.suspects) >= maxProblems {
		return
	}
	for _, c := range e.children("") {
		if !slices.Contains(children, c.name) && !strings.Contains(c.name, ":") {
			if n := nearest(c.name, slices.Values(children)); n != "" && e.child(n) == nil {
				r.doubtf(c.pos, "<%s> in <%s> is not read; did you mean <%s>?", c.name, e.name, n)
			}
		}
	}
	for _, a := range e.attrs {
		if !slices.Contains(attributes, a.name) && !strings.Contains(a.name, ":") {
			n := nearest(a.name, slices.Values(attributes))
			if _, given := e.attr(n); n != "" && !given {
				r.doubtf(a.pos, "attribute %s of <%s> is not read; did you mean %s?", a.name, e.name, n)
			}
		}
	}
}
