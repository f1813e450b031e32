package system

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/net/diagram"
)

// noParam is the error of a name, as in ${side}, that is no parameter.
type noParam struct{ name, reason string }

func (e *noParam) Error() string { return fmt.Sprintf("${%s}: %s", e.name, e.reason) }

// noteTexts notes which texts of a value have names in them that are no parameters, and which look like numbers only because a parameter stands in them, as "-${a}"
// does. at is where errors about the value are reported.
func (l *loader) noteTexts(value *yaml.Node, at string) {
	if value.Kind == yaml.ScalarNode && placeholder.MatchString(value.Value) {
		l.unresolved[at] = true
	}
	if written, ok := l.composedOf[value]; ok {
		if _, err := strconv.ParseFloat(value.Value, 64); err == nil {
			l.numbers[[2]string{at, value.Value}] = written
		}
	}
	for _, c := range value.Content {
		l.noteTexts(c, at)
	}
}

var withoutQuotes = regexp.MustCompile(`: write (\S+) without quotes$`)

// causes leaves out what follows from a name that is no parameter, and which its error reports already: an error at its place that quotes the name. A number that a parameter
// made a text gets the remedy for that.
func (l *loader) causes(errs diagram.Errors) diagram.Errors {
	var unknown []string
	for _, e := range errs {
		if p := (*noParam)(nil); errors.As(e, &p) {
			unknown = append(unknown, "${"+p.name+"}")
			l.unresolved[e.Source] = true
		}
	}
	var kept diagram.Errors
	for _, e := range errs {
		text := e.Err.Error()
		follows := func(name string) bool { return strings.Contains(text, name) }
		if p := (*noParam)(nil); !errors.As(e, &p) && l.unresolved[e.Source] && slices.ContainsFunc(unknown, follows) {
			continue
		}
		if m := withoutQuotes.FindStringSubmatch(text); m != nil {
			if written, ok := l.numbers[[2]string{e.Source, m[1]}]; ok {
				e = &diagram.Error{Source: e.Source, Err: fmt.Errorf("%s: %q is a text, because a parameter is a number only where it stands alone: write %s, or a parameter of that value",
					strings.TrimSuffix(text, m[0]), written, m[1])}
			}
		}
		kept = append(kept, e)
	}
	return kept
}
