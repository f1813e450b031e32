package xacro

import (
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description/document"
)

// macro is a piece of document with parameters.
type macro struct {
	name       string
	parameters []parameter
	content    []document.Node
	size       int    // nodes in content
	source     source // the file in which it stands
}

// parameter is one parameter of a macro: a value, or with one or two stars before its name a block.
type parameter struct {
	name       string
	stars      int  // 1: the next child of the call; 2: the content of that child
	inherit    bool // ^: the value of the name outside
	hasDefault bool
	fallback   string // text of the default
}

// defineMacro notes a macro in the scope.
func (x *expander) defineMacro(e *document.Element, in *scope) {
	name := strings.TrimPrefix(x.required(e, "name", in), "xacro:")
	if name == "" {
		return
	}
	if slices.Contains(xacroDirectives, name) {
		x.Addf(e.Pos, "a macro cannot be named %q: the word belongs to the language", name)
		return
	}
	m := &macro{name: name, content: e.Content, size: size(e.Content), source: x.source}
	if p, ok := e.Attr("params"); ok {
		m.parameters = x.parameters(p)
	}
	in.macros[name] = m
}

// parameters parses the params of a macro: names separated by spaces, each with *, ** or a default behind := or =,
// which may be quoted, ^ (the name's value outside) or ^|default.
func (x *expander) parameters(a document.Attribute) []parameter {
	var list []parameter
	rest := strings.TrimSpace(a.Value)
	for rest != "" {
		end := strings.IndexAny(rest, " \t\r\n:=")
		if end < 0 {
			end = len(rest)
		}
		p := parameter{name: strings.TrimLeft(rest[:end], "*")}
		p.stars = end - len(p.name)
		rest = rest[end:]
		if after, ok := strings.CutPrefix(rest, ":="); ok {
			rest, p.hasDefault = after, true
		} else if after, ok := strings.CutPrefix(rest, "="); ok {
			rest, p.hasDefault = after, true
		}
		if p.hasDefault {
			rest = p.parseDefault(rest)
		}
		known := slices.ContainsFunc(list, func(q parameter) bool { return q.name == p.name })
		switch {
		case !isName(p.name) || p.stars > 2 || p.stars > 0 && p.hasDefault:
			x.Addf(a.Pos, "%q is no parameter of a macro: write name, name:=default, *block or **block", document.Clip(a.Value))
			return list
		case known:
			x.Addf(a.Pos, "parameter %q is named twice", p.name)
		default:
			list = append(list, p)
		}
		rest = strings.TrimLeft(rest, " \t\r\n")
	}
	return list
}

// parseDefault takes the default from the front of the text and returns what is behind it.
func (p *parameter) parseDefault(s string) (rest string) {
	if after, ok := strings.CutPrefix(s, "^"); ok {
		p.inherit, p.hasDefault = true, false
		if s, ok = strings.CutPrefix(after, "|"); !ok {
			return after
		}
		p.hasDefault = true
	}
	if s != "" && (s[0] == '\'' || s[0] == '"') {
		if end := strings.IndexByte(s[1:], s[0]); end >= 0 {
			p.fallback = s[:end+2]
			return s[end+2:]
		}
	}
	end := 0
	for depth := 0; end < len(s) && (depth > 0 || !isSpace(s[end])); end++ {
		switch s[end] {
		case '{', '(':
			depth++
		case '}', ')':
			depth--
		}
	}
	p.fallback = s[:end]
	return s[end:]
}

// callMacro expands a macro in the place of its call.
func (x *expander) callMacro(e *document.Element, name string, owner *document.Element, in *scope) []document.Node {
	m, outer := in.macro(name)
	if m == nil {
		x.Addf(e.Pos, "<%s>: there is no macro %q here%s", e.Name, name, x.DidYouMean(name, in.macroNames()))
		return nil
	}
	if !x.deeper(e.Pos) {
		return nil
	}
	defer x.shallower()
	before := x.Count()
	inner := newScope(outer)
	x.bindValues(m, e, in, inner)
	x.bindBlocks(m, e, in, inner)
	if x.Count() != before {
		return nil // the body would only repeat the problem
	}
	if x.visited += m.size; !x.visit(e.Pos) {
		return nil
	}
	caller := x.source
	x.source = m.source
	defer func() { x.source = caller }()
	return x.content(called(m.content, &document.Call{Macro: m.name, At: e.Pos}), owner, inner)
}

// bindValues gives the parameters of a macro their values, from the attributes of the call, from outside, or from
// their defaults.
func (x *expander) bindValues(m *macro, e *document.Element, in, inner *scope) {
	var names []string
	for _, p := range m.parameters {
		if p.stars > 0 {
			continue
		}
		names = append(names, p.name)
		outside, home := in.property(p.name)
		a, given := e.Attr(p.name)
		switch {
		case given:
			x.setProperty(p.name, a, false, in, inner)
		case p.inherit && outside != nil:
			if v, ok, _ := (evaluation{x, home, e.Pos}).variable(p.name); ok {
				inner.properties[p.name] = &property{value: v}
			}
		case p.hasDefault:
			x.setProperty(p.name, document.Attribute{Name: p.name, Value: p.fallback, Pos: e.Pos}, false, inner, inner)
		default:
			x.Addf(e.Pos, "macro %q needs the parameter %s", m.name, p.name)
		}
	}
	for _, a := range e.Attrs {
		if slices.Contains(names, a.Name) || e.Name == "xacro:call" && a.Name == "macro" || strings.HasPrefix(a.Name, "xmlns") {
			continue
		}
		x.Addf(a.Pos, "macro %q has no parameter %s%s", m.name, a.Name, x.DidYouMean(a.Name, slices.Values(names)))
	}
}

// bindBlocks gives the block parameters of a macro the children of the call, one after the other.
func (x *expander) bindBlocks(m *macro, e *document.Element, in, inner *scope) {
	var children []*document.Element
	for _, n := range x.content(e.Content, &document.Element{}, in) {
		if n.Child != nil {
			children = append(children, n.Child)
		}
	}
	for _, p := range m.parameters {
		if p.stars == 0 {
			continue
		}
		if len(children) == 0 {
			x.Addf(e.Pos, "macro %q needs the block %s: an element inside the call", m.name, p.name)
			return
		}
		b := &block{content: []document.Node{{Child: children[0], Pos: children[0].Pos}}}
		if p.stars == 2 {
			b.content = children[0].Content
		}
		inner.blocks[strings.Repeat("*", p.stars)+p.name] = b
		children = children[1:]
	}
	if len(children) > 0 {
		x.Addf(children[0].Pos, "macro %q has no block for <%s>", m.name, children[0].Name)
	}
}

// insertBlock puts a block in its place.
func (x *expander) insertBlock(e *document.Element, owner *document.Element, in *scope) []document.Node {
	name := x.required(e, "name", in)
	b := in.block("**" + name)
	if b == nil {
		b = in.block("*" + name)
	}
	switch {
	case b == nil:
		x.Addf(e.Pos, "there is no block %q here%s", name, x.DidYouMean(name, in.blockNames()))
		return nil
	case b.raw:
		return x.content(b.content, owner, in)
	}
	x.visited += size(b.content)
	if !x.visit(e.Pos) {
		return nil
	}
	return b.content
}

// size counts the nodes below and among some.
func size(nodes []document.Node) int {
	n := len(nodes)
	for i := range nodes {
		if nodes[i].Child != nil {
			n += size(nodes[i].Child.Content)
		}
	}
	return n
}

// called returns a copy of nodes whose positions remember the call that expands them.
func called(nodes []document.Node, c *document.Call) []document.Node {
	out := make([]document.Node, len(nodes))
	for i, n := range nodes {
		n.Pos = n.Pos.Under(c)
		if n.Child != nil {
			child := *n.Child
			child.Pos = child.Pos.Under(c)
			child.Attrs = slices.Clone(child.Attrs)
			for k := range child.Attrs {
				child.Attrs[k].Pos = child.Attrs[k].Pos.Under(c)
			}
			child.Content = called(child.Content, c)
			n.Child = &child
		}
		out[i] = n
	}
	return out
}
