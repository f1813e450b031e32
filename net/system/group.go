package system

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/net/diagram"
)

// Group is a group of a system: blocks under a name, from a file that it includes or written in its place.
type Group struct {
	Name     string // with those of the groups around it, as in "left.elbow"
	File     string // that describes it
	Included bool   // the file describes nothing but this group
}

// Groups returns the groups of the system, each after the one that it is in.
func (s *System) Groups() []Group { return s.groups }

// contentKeys are what a group may have itself instead of the file that it includes.
var contentKeys = []string{"blocks", "groups", "links", "ports", "description", "levels"}

// readRhythm reads the thread and the every of a group, which its members have unless they say otherwise: n is where it is included,
// or what describes it.
func (l *loader) readRhythm(n *yaml.Node, in, s *scope, what string) {
	if v := child(n, "thread"); v != nil && v.Tag != "!!null" {
		v = in.fill(l, v)
		if name := l.text(v, "thread"); slices.Contains(l.threads, name) {
			s.thread = name
		} else if name != "" {
			l.fail(v, "%s: no thread %q%s", what, name, among(name, l.threads))
		}
	}
	if v := child(n, "every"); v != nil && v.Tag != "!!null" {
		s.every = l.count(in.fill(l, v), "every", diagram.MaxEvery)
	}
}

// readOnEnable reads what the blocks of a group do when they are enabled again.
func (l *loader) readOnEnable(n *yaml.Node, in *scope, g *diagram.Group) {
	v := child(n, "on_enable")
	if v == nil || v.Tag == "!!null" {
		return
	}
	switch v = in.fill(l, v); v.Value {
	case "hold":
		g.OnEnable = diagram.Hold
	case "reset":
		g.OnEnable = diagram.Reset
	default:
		l.fail(v, "on_enable wants hold or reset, got %q", v.Value)
	}
}

// readGroups reads the groups of a file: their blocks get the group's name before theirs.
func (l *loader) readGroups(n *yaml.Node, s *scope) {
	if s.groups == nil {
		s.groups = map[string]map[string]diagram.End{} // repetitions share it
	}
	l.repeatEntries(l.entries(n, "groups"), s, l.readGroup)
}

func (l *loader) readGroup(e entry, s *scope) {
	name := s.prefix + e.key.Value
	if l.groups++; l.groups > maxGroups {
		if l.groups == maxGroups+1 {
			l.fail(e.key, "more than %d groups", maxGroups)
		}
		return
	}
	if _, there := s.groups[e.key.Value]; there {
		l.fail(e.key, "group %q is there twice", name)
		return
	}
	l.takeName(e.key, name, "group")
	body, inner := l.groupBody(e, s, fmt.Sprintf("group %q", name))
	if body == nil {
		l.diagram.Broken(name)
		return
	}
	inner.prefix = name + "."
	included := body != e.value
	l.sys.groups = append(l.sys.groups, Group{Name: name, File: l.origin[body], Included: included})
	g := diagram.Group{Name: name, Level: l.memberLevel(e, s, fmt.Sprintf("group %q", name)), Source: l.source(e.key)}
	inner.thread, inner.every = s.thread, s.every
	l.readRhythm(body, inner, inner, fmt.Sprintf("group %q", name))
	if included {
		l.readRhythm(e.value, s, inner, fmt.Sprintf("group %q", name))
	}
	l.readLevels(body, inner)
	g.Levels = inner.levels
	l.readOnEnable(body, inner, &g)
	if included {
		l.readOnEnable(e.value, s, &g)
	}
	s.groups[e.key.Value], g.Ports = l.readContents(body, inner, name, included)
	l.diagram.Group(g)
}

// groupBody returns the mapping that describes a group, and what names mean in it; nil where there is none.
func (l *loader) groupBody(e entry, s *scope, what string) (*yaml.Node, *scope) {
	if child(e.value, "include") != nil {
		return l.includedBody(e, s, what)
	}
	if child(e.value, "blocks") == nil && child(e.value, "groups") == nil {
		l.fail(e.key, "%s wants blocks, or the file that it includes", what)
		return nil, nil
	}
	inner := &scope{dir: l.dirOf(e.key, s), files: s.files, params: map[string]*yaml.Node{}, within: s.within, number: s.number, declared: s.declared}
	maps.Copy(inner.params, s.params)
	l.declare(inner, e.value, what)
	if given := child(e.value, "params"); given != nil {
		for _, p := range l.entries(s.fill(l, given), "params") {
			inner.params[p.key.Value] = p.value
		}
	}
	return e.value, inner
}

// includedBody reads the file of a group.
func (l *loader) includedBody(e entry, s *scope, what string) (*yaml.Node, *scope) {
	var include, given *yaml.Node
	known := map[string]func(*yaml.Node){
		"include": func(v *yaml.Node) { include = s.fill(l, v) },
		"params":  func(v *yaml.Node) { given = s.fill(l, v) },
		"level":   func(*yaml.Node) {},
		"thread":  func(*yaml.Node) {},
		"every":   func(*yaml.Node) {},

		"on_enable": func(*yaml.Node) {},
	}
	for _, key := range contentKeys {
		known[key] = func(v *yaml.Node) {
			l.fail(v, "%s includes a file: %s of its own it cannot have, too", what, key)
		}
	}
	l.fields(e.value, what, known)
	path := resolvePath(l.dirOf(e.key, s), include.Value)
	if slices.Contains(s.files, path) {
		l.fail(include, "%s: the included files form a circle: %s", what, strings.Join(append(s.files, path), " includes "))
		return nil, nil
	}
	root := l.readSource(path, GroupSource, s.prefix+e.key.Value, include)
	if root == nil {
		return nil, nil
	}
	inner := &scope{dir: filepath.Dir(path), params: map[string]*yaml.Node{}, files: append(slices.Clone(s.files), path), within: s.within}
	l.groupParams(inner, child(root, "params"), given, e.value, what)
	return root, inner
}

// readContents reads what is in a group and returns the ports that it shows: port → the port behind it, and the same in the order
// of writing.
func (l *loader) readContents(body *yaml.Node, inner *scope, name string, included bool) (map[string]diagram.End, []diagram.GroupPort) {
	none := func(*yaml.Node) {}
	what := fmt.Sprintf("group %q", name)
	if included {
		what = "the file of a group"
	}
	var links, ports *yaml.Node
	more := remove(body, overlayKey)
	known := map[string]func(*yaml.Node){
		"params": none, "description": none, "levels": none, "thread": none, "every": none, "on_enable": none,
		"blocks": func(v *yaml.Node) { l.readBlocks(v, inner) },
		"groups": func(v *yaml.Node) { l.readGroups(v, inner) },
		"links":  func(v *yaml.Node) { links = v },
		"ports":  func(v *yaml.Node) { ports = v },
	}
	if !included {
		known["level"] = none
	}
	l.fields(body, what, known)
	if links != nil {
		l.readLinks(links, inner, false)
	}
	if more != nil {
		l.readLinks(more, inner, true)
	}
	outside := map[string]diagram.End{}
	var list []diagram.GroupPort
	l.repeatEntries(l.entries(ports, "ports"), inner, func(p entry, inner *scope) {
		if _, there := outside[p.key.Value]; there {
			l.fail(p.key, "port %q of group %q is there twice", p.key.Value, name)
			return
		}
		behind := p.value.Value
		if inner.params[indexName] != nil {
			behind = inner.fill(l, p.value).Value
		}
		link, err := diagram.ParseLink(behind + " -> x.y")
		if err != nil {
			l.fail(p.value, "port %q of group %q: %q is no block.port", p.key.Value, name, behind)
			return
		}
		if outside[p.key.Value], err = inner.end(link.From); err != nil {
			l.fail(p.value, "port %q of group %q: %w", p.key.Value, name, err)
			return
		}
		list = append(list, diagram.GroupPort{Name: p.key.Value, Ends: []diagram.End{outside[p.key.Value]}, Source: l.source(p.value)})
	})
	return outside, list
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
			l.fail(e.key, "%s has no parameter %q%s", what, e.key.Value, among(e.key.Value, names))
			continue
		}
		s.params[e.key.Value] = e.value
	}
}
