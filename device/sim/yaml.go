package sim

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/robot/description"
	yaml "go.yaml.in/yaml/v4"
)

// reader walks the nodes of a YAML file and gathers everything that is wrong with it.
type reader struct {
	file     string
	problems description.Problems
}

// field is a key that a section may have, and how its value is read.
type field struct {
	key      string
	required bool
	read     func(*yaml.Node)
}

// span is a range of numbers; above reports whether the lower end is excluded.
type span struct {
	lower, upper float64
	above        bool
}

func (s span) String() string {
	switch {
	case s.upper < math.Inf(1):
		return fmt.Sprintf("above %v and at most %v", s.lower, s.upper)
	case s.above:
		return "positive"
	}
	return "not negative"
}

// section reads a mapping with the given keys. what names it in messages.
func (r *reader) section(n *yaml.Node, what string, fields []field) {
	seen := make([]bool, len(fields))
	keys := make([]string, len(fields))
	for i := range fields {
		keys[i] = fields[i].key
	}
	ok := r.each(n, what, func(name string, key, value *yaml.Node) {
		i := slices.Index(keys, name)
		if i < 0 {
			r.fail(key, "%s: unknown key %q%s", what, name, hint(name, keys))
			return
		}
		seen[i] = true
		fields[i].read(value)
	})
	for i := range fields {
		if ok && fields[i].required && !seen[i] {
			r.fail(n, "%s: %s is missing", what, fields[i].key)
		}
	}
}

// each calls entry for the entries of a mapping, in order; false if n is no mapping.
func (r *reader) each(n *yaml.Node, what string, entry func(name string, key, value *yaml.Node)) bool {
	n = target(n)
	if n.Kind != yaml.MappingNode {
		r.fail(n, "%s: expected keys with values, found %s", what, describe(n))
		return false
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			r.fail(key, "%s: a key must be a name, found %s", what, describe(key))
			continue
		}
		if seen[key.Value] {
			r.fail(key, "%s: key %q stands here a second time", what, key.Value)
			continue
		}
		seen[key.Value] = true
		entry(key.Value, key, target(n.Content[i+1]))
	}
	return true
}

func (r *reader) text(to *string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind != yaml.ScalarNode || n.Value == "" {
			r.fail(n, "expected a name, found %s", describe(n))
			return
		}
		*to = n.Value
	}
}

func (r *reader) number(to *float64, allowed span) func(*yaml.Node) {
	return func(n *yaml.Node) {
		x, err := strconv.ParseFloat(n.Value, 64)
		if n.Kind != yaml.ScalarNode || n.Tag != "!!int" && n.Tag != "!!float" || err != nil || x-x != 0 {
			r.fail(n, "expected a number without its unit, found %s", describe(n))
			return
		}
		if x < allowed.lower || x > allowed.upper || allowed.above && x == allowed.lower {
			r.fail(n, "%v: must be %v", x, allowed)
			return
		}
		*to = x
	}
}

func (r *reader) integer(to *int, least, most int) func(*yaml.Node) {
	return func(n *yaml.Node) {
		x, err := strconv.Atoi(n.Value)
		if n.Kind != yaml.ScalarNode || n.Tag != "!!int" || err != nil || x < least || x > most {
			r.fail(n, "expected a whole number from %d to %d, found %s", least, most, describe(n))
			return
		}
		*to = x
	}
}

func (r *reader) truth(to *bool) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
			r.fail(n, "expected true or false, found %s", describe(n))
			return
		}
		*to = n.Value == "true" || n.Value == "True" || n.Value == "TRUE"
	}
}

func (r *reader) at(n *yaml.Node) description.Position {
	return description.Position{File: r.file, Line: n.Line, Column: n.Column}
}

func (r *reader) fail(n *yaml.Node, format string, args ...any) { r.failAt(r.at(n), format, args...) }

func (r *reader) failAt(at description.Position, format string, args ...any) {
	const most = 200 // a file of the wrong kind would otherwise answer with a problem for each line
	if len(r.problems) == most {
		return
	}
	r.problems = append(r.problems, description.Problem{Position: at, Message: fmt.Sprintf(format, args...)})
}

// err returns the problems in the order of the file.
func (r *reader) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(r.problems, func(a, b description.Problem) int {
		return cmp.Or(cmp.Compare(a.Position.Line, b.Position.Line), cmp.Compare(a.Position.Column, b.Position.Column),
			cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(r.problems) // what an alias repeats is reported once
}

// target follows an alias to the node that it stands for.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "keys with values"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		if n.Tag == "!!null" {
			return "nothing"
		}
		const most = 40
		if len(n.Value) > most {
			return strconv.Quote(n.Value[:most]) + "…"
		}
		return strconv.Quote(n.Value)
	}
	return "something else"
}

// hint ends a message about an unknown name with the right one that is nearest.
func hint(name string, names []string) string {
	const longest = 80 // of a name that could be misspelled
	if len(name) > longest {
		return ""
	}
	return nearest.Hint(name, names)
}
