package system

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// scope is what names mean inside a group: what stands before the names of its blocks, the values of its parameters,
// the folder that its paths are relative to, and the ports of the groups in it.
type scope struct {
	prefix string
	params map[string]*yaml.Node
	dir    string
	groups map[string]map[string]diagram.End // the groups in it: port → the port behind it
	files  []string                          // the file that it is read from, after those that include it
}

// end names an end of a link in the whole system: a port of a group stands for the port behind it.
func (s *scope) end(e diagram.End) (diagram.End, error) {
	ports, isGroup := s.groups[e.Block]
	if !isGroup {
		e.Block = s.prefix + e.Block
		return e, nil
	}
	inner, ok := ports[e.Port]
	if !ok {
		names := slices.Sorted(maps.Keys(ports))
		return e, fmt.Errorf("group %q has no port %q%s", s.prefix+e.Block, e.Port, nearest.Hint(e.Port, names))
	}
	if e.Elements != nil {
		inner.Elements = e.Elements
	}
	return inner, nil
}

var placeholder = regexp.MustCompile(`\$\{([^}]*)\}`)

// fill returns a node with the parameters of the group in the place of their names, as in ${side}.
func (s *scope) fill(l *loader, n *yaml.Node) *yaml.Node {
	if s.params == nil {
		return n
	}
	filled := *n
	if n.Kind != yaml.ScalarNode {
		filled.Content = nil
		for _, c := range n.Content {
			f := s.fill(l, c)
			filled.Content = append(filled.Content, f)
			if l.origin[f] != l.origin[c] || f.Value != c.Value || l.sys.places.composed[f] {
				l.sys.places.composed[&filled] = true
			}
		}
		l.origin[&filled] = l.origin[n]
		return &filled
	}
	if m := placeholder.FindStringSubmatch(n.Value); m != nil && m[0] == n.Value {
		if v := s.param(l, n, m[1]); v != nil {
			return v
		}
		return n
	}
	filled.Value = placeholder.ReplaceAllStringFunc(n.Value, func(ref string) string {
		if v := s.param(l, n, ref[2:len(ref)-1]); v != nil {
			return v.Value
		}
		return ref
	})
	l.origin[&filled] = l.origin[n]
	l.sys.places.composed[&filled] = filled.Value != n.Value
	return &filled
}

func (s *scope) param(l *loader, n *yaml.Node, name string) *yaml.Node {
	if v := s.params[name]; v != nil {
		return v
	}
	l.fail(n, "${%s}: the group has no such parameter%s", name, nearest.Hint(name, slices.Sorted(maps.Keys(s.params))))
	return nil
}
