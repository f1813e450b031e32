package description

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

const (
	maxExpansion = 2_000_000 // nodes that the expansion of a xacro file may visit
	maxNesting   = 400       // macro calls, includes and elements within each other
	fileCost     = 2000      // nodes that reading a file counts for, beside those in it
)

// expander turns a xacro document into a plain one. The language is that of the xacro tool of ROS: properties
// (lazy, scoped, block), macros with defaults, ^ and blocks, insert_block, if and unless, include with namespaces,
// arg, element and attribute; ${expressions} and $(substitutions). It reads no environment.
type expander struct {
	*report
	source    source
	given     map[string]string // arguments from outside
	defaults  map[string]string // arguments from xacro:arg
	visited   int
	nesting   int
	exhausted bool // a limit was reached and reported; nothing more is expanded
}

// source is the file whose elements are being expanded.
type source struct {
	resources Resources
	base      string // URI of the package it was found in, "" for the first file's own
}

// expandXacro expands a document. Each element keeps the position at which it was written; those that a macro wrote
// remember the call. The result is nil when the document could not be expanded.
func expandXacro(root *element, resources Resources, arguments map[string]string, r *report) *element {
	x := &expander{report: r, source: source{resources: resources}, given: arguments, defaults: map[string]string{}}
	in := newScope(nil)
	expanded := x.element(root, in)
	for _, name := range keys(arguments) {
		if _, known := x.defaults[name]; !known {
			r.addf(root.pos, "argument %q is given, but the file has no <xacro:arg name=%q/>%s", name, name, r.didYouMean(name, maps.Keys(x.defaults)))
		}
	}
	if r.count() > 0 {
		return nil // what is missing would only be reported once more
	}
	return expanded
}

// argument returns the value of an argument and whether it has one.
func (x *expander) argument(name string) (string, bool) {
	if v, ok := x.given[name]; ok {
		return v, true
	}
	v, ok := x.defaults[name]
	return v, ok
}

// argumentNames yields the names for which argument has a value.
func (x *expander) argumentNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, values := range []map[string]string{x.given, x.defaults} {
			for name := range values {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// visit counts the work; false ends the expansion.
func (x *expander) visit(at Position) bool {
	if x.visited++; x.visited > maxExpansion {
		x.exhaust(at, fmt.Sprintf("the expansion does not end within %d elements: is there a macro without a condition that ends it?", maxExpansion))
	}
	return !x.exhausted
}

// deeper enters a level of nesting; false when there are too many.
func (x *expander) deeper(at Position) bool {
	if x.nesting++; x.nesting > maxNesting {
		x.exhaust(at, fmt.Sprintf("macros, includes and elements are nested more than %d deep: is there a recursion without end?", maxNesting))
	}
	if x.exhausted {
		x.nesting--
		return false
	}
	return true
}

func (x *expander) shallower() { x.nesting-- }

func (x *expander) exhaust(at Position, message string) {
	if !x.exhausted {
		x.exhausted = true
		x.addf(at, "%s", message)
	}
}

// element expands an element that stays in the document: its attributes, then its content.
func (x *expander) element(e *element, in *scope) *element {
	out := &element{name: e.name, pos: e.pos}
	for _, a := range e.attrs {
		if a.name == "xmlns:xacro" {
			continue
		}
		out.attrs = append(out.attrs, attribute{name: a.name, value: format(x.text(a.value, a.pos, in)), pos: a.pos})
	}
	out.content = x.content(e.content, out, in)
	return out
}

// content expands nodes one after the other; owner is the element in which they will stand.
func (x *expander) content(nodes []node, owner *element, in *scope) []node {
	var out []node
	if len(nodes) == 0 || !x.deeper(nodes[0].pos) {
		return nil
	}
	defer x.shallower()
	for _, n := range nodes {
		if !x.visit(n.pos) {
			return nil
		}
		switch {
		case n.child == nil:
			n.text = format(x.text(n.text, n.pos, in))
			out = append(out, n)
		case strings.HasPrefix(n.child.name, "xacro:"):
			out = append(out, x.directive(n.child, owner, in)...)
		default:
			out = append(out, node{child: x.element(n.child, in), pos: n.pos})
		}
	}
	return out
}

// xacroDirectives are the elements of the language that are no macro calls.
var xacroDirectives = []string{
	"property", "arg", "macro", "include", "insert_block", "if", "unless", "call", "element", "attribute",
}

// directive carries out one element of the language and returns what it leaves in the document.
func (x *expander) directive(e *element, owner *element, in *scope) []node {
	switch name := strings.TrimPrefix(e.name, "xacro:"); name {
	case "property":
		x.property(e, in)
	case "arg":
		x.arg(e, in)
	case "macro":
		x.defineMacro(e, in)
	case "include":
		return x.include(e, owner, in)
	case "insert_block":
		return x.insertBlock(e, owner, in)
	case "if", "unless":
		if holds, ok := x.condition(e, in); ok && holds == (name == "if") {
			return x.content(e.content, owner, in)
		}
	case "call":
		macro := x.required(e, "macro", in)
		return x.callMacro(e, macro, owner, in)
	case "element":
		out := &element{name: x.required(e, "xacro:name", in), pos: e.pos}
		for _, a := range e.attrs {
			if a.name != "xacro:name" {
				out.attrs = append(out.attrs, attribute{name: a.name, value: format(x.text(a.value, a.pos, in)), pos: a.pos})
			}
		}
		out.content = x.content(e.content, out, in)
		return []node{{child: out, pos: e.pos}}
	case "attribute":
		a := attribute{name: x.required(e, "name", in), value: x.required(e, "value", in), pos: e.pos}
		owner.attrs = append(slices.DeleteFunc(owner.attrs, func(b attribute) bool { return b.name == a.name }), a)
	default:
		return x.callMacro(e, name, owner, in)
	}
	return nil
}

// required returns the evaluated text of an attribute that must be there.
func (x *expander) required(e *element, name string, in *scope) string {
	a, ok := e.attr(name)
	if !ok {
		x.report.text(e, name)
		return ""
	}
	return format(x.text(a.value, a.pos, in))
}

// condition evaluates the value of <xacro:if> and <xacro:unless>.
func (x *expander) condition(e *element, in *scope) (holds, ok bool) {
	a, given := e.attr("value")
	if !given {
		x.report.text(e, "value")
		return false, false
	}
	before := x.count()
	v := x.text(a.value, a.pos, in)
	if x.count() != before {
		return false, false
	}
	if s, isText := v.(string); isText {
		v = literal(s)
	}
	if s, isText := v.(string); isText {
		x.addf(a.pos, "value of <%s> is %q: it must be true, false or a number", e.name, clip(s))
		return false, false
	}
	return truth(v), true
}

// arg notes the default of an argument; the first one counts.
func (x *expander) arg(e *element, in *scope) {
	name := x.required(e, "name", in)
	if _, known := x.defaults[name]; known {
		return
	}
	if d, ok := e.attr("default"); ok {
		x.defaults[name] = format(x.text(d.value, d.pos, in))
	} else if v, ok := x.given[name]; ok {
		x.defaults[name] = v
	} else {
		x.addf(e.pos, "argument %q has no default and no value is given for it", name)
	}
}

// property defines a property or a block.
func (x *expander) property(e *element, in *scope) {
	name := x.required(e, "name", in)
	if !isName(name) {
		x.addf(e.pos, "%q cannot be the name of a property: letters, digits and _ only", clip(name))
		return
	}
	target := in
	lazy := e.optional("lazy_eval") != "false"
	switch where := e.optional("scope"); where {
	case "":
	case "parent":
		target, lazy = in.parent, false
		if target == nil {
			target = in
		}
	case "global":
		target, lazy = in.root(), false
	default:
		x.addf(e.pos, "scope of <xacro:property> is %q: it is parent or global", where)
	}
	a, hasValue := e.attr("value")
	d, hasDefault := e.attr("default")
	switch {
	case e.optional("remove") == "true":
		delete(target.properties, name)
	case hasValue:
		x.setProperty(name, a, lazy, in, target)
	case hasDefault:
		if p, _ := in.property(name); p == nil {
			x.setProperty(name, d, lazy, in, target)
		}
	default:
		content := e.content
		if !lazy {
			content = x.content(content, &element{}, in)
		}
		target.blocks["**"+name] = &block{content: content, raw: lazy}
	}
}

func (x *expander) setProperty(name string, a attribute, lazy bool, in, target *scope) {
	if lazy && strings.Contains(a.value, "$") {
		target.properties[name] = &property{text: a.value, at: a.pos, pending: true}
		return
	}
	v := x.text(a.value, a.pos, in)
	if s, ok := v.(string); ok {
		v = literal(s)
	}
	target.properties[name] = &property{value: v}
}

func isName(s string) bool {
	for i := range len(s) {
		if !isLetter(s[i]) && (i == 0 || !isDigit(s[i])) {
			return false
		}
	}
	return s != ""
}
