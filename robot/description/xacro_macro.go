package description

import (
	"slices"
	"strings"
)

// macro is a piece of document with parameters.
type macro struct {
	name       string
	parameters []parameter
	content    []node
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
func (x *expander) defineMacro(e *element, in *scope) {
	name := strings.TrimPrefix(x.required(e, "name", in), "xacro:")
	if name == "" {
		return
	}
	if slices.Contains(xacroDirectives, name) {
		x.addf(e.pos, "a macro cannot be named %q: the word belongs to the language", name)
		return
	}
	m := &macro{name: name, content: e.content, size: size(e.content), source: x.source}
	if p, ok := e.attr("params"); ok {
		m.parameters = x.parameters(p)
	}
	in.macros[name] = m
}

// parameters parses the params of a macro: names separated by spaces, each with *, ** or a default behind := or =,
// which may be quoted, ^ (the name's value outside) or ^|default.
func (x *expander) parameters(a attribute) []parameter {
	var list []parameter
	rest := strings.TrimSpace(a.value)
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
			x.addf(a.pos, "%q is no parameter of a macro: write name, name:=default, *block or **block", clip(a.value))
			return list
		case known:
			x.addf(a.pos, "parameter %q is named twice", p.name)
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
func (x *expander) callMacro(e *element, name string, owner *element, in *scope) []node {
	m, outer := in.macro(name)
	if m == nil {
		x.addf(e.pos, "<%s>: there is no macro %q here%s", e.name, name, x.didYouMean(name, in.macroNames()))
		return nil
	}
	if !x.deeper(e.pos) {
		return nil
	}
	defer x.shallower()
	before := x.count()
	inner := newScope(outer)
	x.bindValues(m, e, in, inner)
	x.bindBlocks(m, e, in, inner)
	if x.count() != before {
		return nil // the body would only repeat the problem
	}
	if x.visited += m.size; !x.visit(e.pos) {
		return nil
	}
	caller := x.source
	x.source = m.source
	defer func() { x.source = caller }()
	return x.content(called(m.content, &call{macro: m.name, at: e.pos}), owner, inner)
}

// bindValues gives the parameters of a macro their values, from the attributes of the call, from outside, or from
// their defaults.
func (x *expander) bindValues(m *macro, e *element, in, inner *scope) {
	var names []string
	for _, p := range m.parameters {
		if p.stars > 0 {
			continue
		}
		names = append(names, p.name)
		outside, home := in.property(p.name)
		a, given := e.attr(p.name)
		switch {
		case given:
			x.setProperty(p.name, a, false, in, inner)
		case p.inherit && outside != nil:
			if v, ok, _ := (evaluation{x, home, e.pos}).variable(p.name); ok {
				inner.properties[p.name] = &property{value: v}
			}
		case p.hasDefault:
			x.setProperty(p.name, attribute{name: p.name, value: p.fallback, pos: e.pos}, false, inner, inner)
		default:
			x.addf(e.pos, "macro %q needs the parameter %s", m.name, p.name)
		}
	}
	for _, a := range e.attrs {
		if slices.Contains(names, a.name) || e.name == "xacro:call" && a.name == "macro" || strings.HasPrefix(a.name, "xmlns") {
			continue
		}
		x.addf(a.pos, "macro %q has no parameter %s%s", m.name, a.name, x.didYouMean(a.name, slices.Values(names)))
	}
}

// bindBlocks gives the block parameters of a macro the children of the call, one after the other.
func (x *expander) bindBlocks(m *macro, e *element, in, inner *scope) {
	var children []*element
	for _, n := range x.content(e.content, &element{}, in) {
		if n.child != nil {
			children = append(children, n.child)
		}
	}
	for _, p := range m.parameters {
		if p.stars == 0 {
			continue
		}
		if len(children) == 0 {
			x.addf(e.pos, "macro %q needs the block %s: an element inside the call", m.name, p.name)
			return
		}
		b := &block{content: []node{{child: children[0], pos: children[0].pos}}}
		if p.stars == 2 {
			b.content = children[0].content
		}
		inner.blocks[strings.Repeat("*", p.stars)+p.name] = b
		children = children[1:]
	}
	if len(children) > 0 {
		x.addf(children[0].pos, "macro %q has no block for <%s>", m.name, children[0].name)
	}
}

// insertBlock puts a block in its place.
func (x *expander) insertBlock(e *element, owner *element, in *scope) []node {
	name := x.required(e, "name", in)
	b := in.block("**" + name)
	if b == nil {
		b = in.block("*" + name)
	}
	switch {
	case b == nil:
		x.addf(e.pos, "there is no block %q here%s", name, x.didYouMean(name, in.blockNames()))
		return nil
	case b.raw:
		return x.content(b.content, owner, in)
	}
	x.visited += size(b.content)
	if !x.visit(e.pos) {
		return nil
	}
	return b.content
}

// size counts the nodes below and among some.
func size(nodes []node) int {
	n := len(nodes)
	for i := range nodes {
		if nodes[i].child != nil {
			n += size(nodes[i].child.content)
		}
	}
	return n
}

// called returns a copy of nodes whose positions remember the call that expands them.
func called(nodes []node, c *call) []node {
	out := make([]node, len(nodes))
	for i, n := range nodes {
		n.pos = n.pos.under(c)
		if n.child != nil {
			child := *n.child
			child.pos = child.pos.under(c)
			child.attrs = slices.Clone(child.attrs)
			for k := range child.attrs {
				child.attrs[k].pos = child.attrs[k].pos.under(c)
			}
			child.content = called(child.content, c)
			n.child = &child
		}
		out[i] = n
	}
	return out
}

// under returns the position as part of a macro call. A macro that a macro defined keeps the inner call: it says
// more about the place.
func (p Position) under(c *call) Position {
	if p.call == nil {
		p.call = c
	}
	return p
}
