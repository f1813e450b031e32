package system

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

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

// Group is a group of a system: a file that it includes under a name.
type Group struct {
	Name string // with those of the groups around it, as in "left.elbow"
	File string
}

// Groups returns the groups of the system, each after the one that it is in.
func (s *System) Groups() []Group { return s.groups }

// readGroups reads the groups of a file: each is a file of its own whose blocks get the group's name before theirs.
func (l *loader) readGroups(n *yaml.Node, s *scope) {
	for _, e := range l.entries(n, "groups") {
		l.readGroup(e, s)
	}
}

func (l *loader) readGroup(e entry, s *scope) {
	what := fmt.Sprintf("group %q", s.prefix+e.key.Value)
	var include, given *yaml.Node
	l.fields(e.value, what, map[string]func(*yaml.Node){
		"include": func(v *yaml.Node) { include = s.fill(l, v) },
		"params":  func(v *yaml.Node) { given = s.fill(l, v) },
	})
	if include == nil {
		l.fail(e.key, "%s does not say which file it includes", what)
		return
	}
	path := resolvePath(l.dirOf(e.key, s), include.Value)
	if slices.Contains(s.files, path) {
		l.fail(include, "%s: the included files form a circle: %s", what, strings.Join(append(s.files, path), " includes "))
		return
	}
	if l.groups++; l.groups > maxGroups {
		if l.groups == maxGroups+1 {
			l.fail(include, "more than %d groups", maxGroups)
		}
		return
	}
	root := l.read(path, include)
	if root == nil {
		return
	}
	inner := &scope{prefix: s.prefix + e.key.Value + ".", dir: filepath.Dir(path), params: map[string]*yaml.Node{},
		files: append(slices.Clone(s.files), path)}
	l.sys.groups = append(l.sys.groups, Group{Name: s.prefix + e.key.Value, File: path})
	l.groupParams(inner, child(root, "params"), given, e.value, what)
	none := func(*yaml.Node) {}
	var links, ports *yaml.Node
	l.fields(root, "the file of a group", map[string]func(*yaml.Node){
		"params": none, "description": none,
		"blocks": func(v *yaml.Node) { l.readBlocks(v, inner) },
		"groups": func(v *yaml.Node) { l.readGroups(v, inner) },
		"links":  func(v *yaml.Node) { links = v },
		"ports":  func(v *yaml.Node) { ports = v },
	})
	if links != nil {
		l.readLinks(links, inner, false)
	}
	if s.groups == nil {
		s.groups = map[string]map[string]diagram.End{}
	}
	outside := map[string]diagram.End{}
	s.groups[e.key.Value] = outside
	for _, p := range l.entries(ports, "ports") {
		link, err := diagram.ParseLink(p.value.Value + " -> x.y")
		if err != nil {
			l.fail(p.value, "port %q of %s: %q is no block.port", p.key.Value, what, p.value.Value)
			continue
		}
		if outside[p.key.Value], err = inner.end(link.From); err != nil {
			l.fail(p.value, "port %q of %s: %w", p.key.Value, what, err)
		}
	}
}

// groupParams gives the parameters of a group their values: those of the including file, else the group's own.
func (l *loader) groupParams(s *scope, defaults, given, include *yaml.Node, what string) {
	var names []string
	for _, e := range l.entries(defaults, "params") {
		s.params[e.key.Value] = e.value
		l.sys.places.defaults[e.value] = groupDefault{include, e.key.Value}
		names = append(names, e.key.Value)
	}
	for _, e := range l.entries(given, "params") {
		if s.params[e.key.Value] == nil {
			l.fail(e.key, "%s has no parameter %q%s", what, e.key.Value, nearest.Hint(e.key.Value, names))
			continue
		}
		s.params[e.key.Value] = e.value
	}
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
