package system

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
)

// scope is what names mean inside a group: what stands before the names of its blocks, the values of its parameters,
// the folder that its paths are relative to, and the ports of the groups in it.
type scope struct {
	prefix   string
	levels   int        // of its members; 0: they have none
	thread   string     // of its members that name none; "": the only one
	every    int        // of its members that have none; 0: each activation
	within   string     // the name with the innermost range that repeats it, as joint{1-40}; "" where nothing does
	number   *yaml.Node // of that repetition, which is the parameter i
	params   map[string]*yaml.Node
	declared map[string]*declaration // of those that must be used: not of included files, whose parameters are their interface
	dir      string
	groups   map[string]map[string]diagram.End // the groups in it: port → the port behind it
	files    []string                          // the file that it is read from, after those that include it
}

// end names an end of a link in the whole system: a port of a group stands for the port behind it.
func (s *scope) end(e diagram.End) (diagram.End, error) {
	ports, isGroup := s.groups[e.Block]
	if !isGroup {
		e.Block = s.prefix + e.Block
		return e, nil
	}
	inner, ok := ports[e.Port]
	if !ok && (e.Port == port.EnableName || e.Port == port.TriggerName) {
		e.Block = s.prefix + e.Block // the diagram knows its blocks
		return e, nil
	}
	if !ok {
		return e, &noPort{s.prefix + e.Block, e.Port, ports}
	}
	if e.Elements != nil {
		inner.Elements = e.Elements
	}
	return inner, nil
}

// noPort is the error of a port that a group does not have.
type noPort struct {
	group, port string
	ports       map[string]diagram.End
}

func (e *noPort) Error() string {
	known := append(slices.Sorted(maps.Keys(e.ports)), port.EnableName, port.TriggerName)
	if near := nearest.Name(e.port, known); near != "" {
		return fmt.Sprintf("group %q has no port %q; did you mean %q?", e.group, e.port, near)
	}
	if len(e.ports) == 0 {
		return fmt.Sprintf("group %q has no port %q: write ports: {%s: block.port} in it, with the port of its block", e.group, e.port, e.port)
	}
	return fmt.Sprintf("group %q has no port %q%s", e.group, e.port, nearest.Hint(e.port, slices.Sorted(maps.Keys(e.ports))))
}

var placeholder = regexp.MustCompile(`\$\{([^}]*)\}`)

// fill returns a node with the parameters of the group in the place of their names, as in ${side}. A value that would become too
// large, as when parameters of nested groups repeat one another, is an error.
func (s *scope) fill(l *loader, n *yaml.Node) *yaml.Node {
	if s.params == nil && !mentions(n) {
		return n
	}
	filled := s.filled(l, n)
	if left := maxFilled; l.sys.places.composed[filled] && !weigh(filled, &left) {
		l.fail(n, "with the parameters of the group in their places this has more than %d parts", maxFilled)
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Line: n.Line, Column: n.Column}
	}
	return filled
}

// mentions reports whether a text in a tree has the form of a parameter's name, as in ${side}.
func mentions(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "${") && placeholder.MatchString(n.Value) || slices.ContainsFunc(n.Content, mentions)
}

// weigh takes the number of nodes in a tree from left, and reports whether that was enough. Nodes that stand in several
// places count as often.
func weigh(n *yaml.Node, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	for _, c := range n.Content {
		if !weigh(c, left) {
			return false
		}
	}
	return true
}

func (s *scope) filled(l *loader, n *yaml.Node) *yaml.Node {
	filled := *n
	if n.Kind != yaml.ScalarNode {
		filled.Content = nil
		for _, c := range n.Content {
			f := s.filled(l, c)
			filled.Content = append(filled.Content, f)
			if l.origin[f] != l.origin[c] || f.Value != c.Value || l.sys.places.composed[f] {
				l.sys.places.composed[&filled] = true
			}
		}
		l.origin[&filled] = l.origin[n]
		if layers := l.layers[n]; layers != nil {
			l.layers[&filled] = layers
		}
		return &filled
	}
	if m := placeholder.FindStringSubmatch(n.Value); m != nil && m[0] == n.Value {
		switch v := s.param(l, n, m[1]); {
		case v == nil:
		case v == s.number: // of a range: the place is this one
			filled.Tag, filled.Style, filled.Value = v.Tag, v.Style, v.Value
			l.origin[&filled], l.sys.places.composed[&filled] = l.origin[n], true
			return &filled
		default:
			return v
		}
		return n
	}
	bytes := len(n.Value)
	filled.Value = placeholder.ReplaceAllStringFunc(n.Value, func(ref string) string {
		v := s.param(l, n, ref[2:len(ref)-1])
		if v == nil {
			return ref
		}
		if bytes += len(v.Value); bytes > maxFilled+len(n.Value) {
			return ""
		}
		return v.Value
	})
	if bytes > maxFilled+len(n.Value) {
		l.fail(n, "with the parameters of the group in their places this text has more than %d bytes", maxFilled)
		filled.Value = ""
	}
	l.origin[&filled] = l.origin[n]
	if filled.Value != n.Value {
		l.sys.places.composed[&filled], l.composedOf[&filled] = true, n.Value
	}
	return &filled
}

func (s *scope) param(l *loader, n *yaml.Node, name string) *yaml.Node {
	if v := s.params[name]; v != nil {
		if d := s.declared[name]; d != nil {
			d.used = true
		}
		return v
	}
	of := "group"
	if s.prefix == "" {
		of = "system"
	}
	if len(s.params) == 0 {
		l.fail(n, "%w", &noParam{name, fmt.Sprintf("the %s has no parameters: write params: {%s: value} in it", of, name)})
		return nil
	}
	l.fail(n, "%w", &noParam{name, fmt.Sprintf("the %s has no such parameter%s", of, nearest.Later(name, func() []string { return slices.Sorted(maps.Keys(s.params)) }))})
	return nil
}
