package xacro

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description/document"
)

const (
	maxExpansion = 2_000_000 // nodes that the expansion of a xacro file may visit
	maxNesting   = 400       // macro calls, includes and elements within each other
	fileCost     = 2000      // nodes that reading a file counts for, beside those in it
)

// expander is one expansion of a document.
type expander struct {
	*document.Report
	source    source
	given     map[string]string // arguments from outside
	defaults  map[string]string // arguments from xacro:arg
	visited   int
	nesting   int
	exhausted bool // a limit was reached and reported; nothing more is expanded
}

// source is the file whose elements are being expanded.
type source struct {
	resources document.Resources
	base      string // URI of the package it was found in, "" for the first file's own
}

// Expand returns the expansion of a document, which stays as it is. Included files are found through resources; arguments
// are the values of $(arg), and override the defaults in the file. Each element keeps the position at which it was written,
// and one of a macro remembers the call. Problems go to the report; when it holds any, Expand returns nil.
func Expand(root *document.Element, resources document.Resources, arguments map[string]string, r *document.Report) *document.Element {
	x := &expander{Report: r, source: source{resources: resources}, given: arguments, defaults: map[string]string{}}
	in := newScope(nil)
	expanded := x.element(root, in)
	for _, name := range keys(arguments) {
		if _, known := x.defaults[name]; !known {
			r.Addf(root.Pos, "argument %q is given, but the file has no <xacro:arg name=%q/>%s", name, name, r.DidYouMean(name, maps.Keys(x.defaults)))
		}
	}
	if r.Count() > 0 {
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
func (x *expander) visit(at document.Position) bool {
	if x.visited++; x.visited > maxExpansion {
		x.exhaust(at, fmt.Sprintf("the expansion does not end within %d elements: is there a macro without a condition that ends it?", maxExpansion))
	}
	return !x.exhausted
}

// deeper enters a level of nesting; false when there are too many.
func (x *expander) deeper(at document.Position) bool {
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

func (x *expander) exhaust(at document.Position, message string) {
	if !x.exhausted {
		x.exhausted = true
		x.Addf(at, "%s", message)
	}
}

// element expands an element that stays in the document: its attributes, then its content.
func (x *expander) element(e *document.Element, in *scope) *document.Element {
	out := &document.Element{Name: e.Name, Pos: e.Pos}
	for _, a := range e.Attrs {
		if a.Name == "xmlns:xacro" {
			continue
		}
		out.Attrs = append(out.Attrs, document.Attribute{Name: a.Name, Value: format(x.text(a.Value, a.Pos, in)), Pos: a.Pos})
	}
	out.Content = x.content(e.Content, out, in)
	return out
}

// content expands nodes one after the other; owner is the element in which they will stand.
func (x *expander) content(nodes []document.Node, owner *document.Element, in *scope) []document.Node {
	var out []document.Node
	if len(nodes) == 0 || !x.deeper(nodes[0].Pos) {
		return nil
	}
	defer x.shallower()
	for _, n := range nodes {
		if !x.visit(n.Pos) {
			return nil
		}
		switch {
		case n.Child == nil:
			n.Text = format(x.text(n.Text, n.Pos, in))
			out = append(out, n)
		case strings.HasPrefix(n.Child.Name, "xacro:"):
			out = append(out, x.directive(n.Child, owner, in)...)
		default:
			out = append(out, document.Node{Child: x.element(n.Child, in), Pos: n.Pos})
		}
	}
	return out
}

// xacroDirectives are the elements of the language that are no macro calls.
var xacroDirectives = []string{
	"property", "arg", "macro", "include", "insert_block", "if", "unless", "call", "element", "attribute",
}

// directive carries out one element of the language and returns what it leaves in the document.
func (x *expander) directive(e *document.Element, owner *document.Element, in *scope) []document.Node {
	switch name := strings.TrimPrefix(e.Name, "xacro:"); name {
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
			return x.content(e.Content, owner, in)
		}
	case "call":
		macro := x.required(e, "macro", in)
		return x.callMacro(e, macro, owner, in)
	case "element":
		out := &document.Element{Name: x.required(e, "xacro:name", in), Pos: e.Pos}
		for _, a := range e.Attrs {
			if a.Name != "xacro:name" {
				out.Attrs = append(out.Attrs, document.Attribute{Name: a.Name, Value: format(x.text(a.Value, a.Pos, in)), Pos: a.Pos})
			}
		}
		out.Content = x.content(e.Content, out, in)
		return []document.Node{{Child: out, Pos: e.Pos}}
	case "attribute":
		a := document.Attribute{Name: x.required(e, "name", in), Value: x.required(e, "value", in), Pos: e.Pos}
		owner.Attrs = append(slices.DeleteFunc(owner.Attrs, func(b document.Attribute) bool { return b.Name == a.Name }), a)
	default:
		return x.callMacro(e, name, owner, in)
	}
	return nil
}

// required returns the evaluated text of an attribute that must be there.
func (x *expander) required(e *document.Element, name string, in *scope) string {
	a, ok := e.Attr(name)
	if !ok {
		x.Report.Required(e, name)
		return ""
	}
	return format(x.text(a.Value, a.Pos, in))
}

// condition evaluates the value of <xacro:if> and <xacro:unless>.
func (x *expander) condition(e *document.Element, in *scope) (holds, ok bool) {
	a, given := e.Attr("value")
	if !given {
		x.Report.Required(e, "value")
		return false, false
	}
	before := x.Count()
	v := x.text(a.Value, a.Pos, in)
	if x.Count() != before {
		return false, false
	}
	if s, isText := v.(string); isText {
		v = literal(s)
	}
	if s, isText := v.(string); isText {
		x.Addf(a.Pos, "value of <%s> is %q: it must be true, false or a number", e.Name, document.Clip(s))
		return false, false
	}
	return truth(v), true
}

// arg notes the default of an argument; the first one counts.
func (x *expander) arg(e *document.Element, in *scope) {
	name := x.required(e, "name", in)
	if _, known := x.defaults[name]; known {
		return
	}
	if d, ok := e.Attr("default"); ok {
		x.defaults[name] = format(x.text(d.Value, d.Pos, in))
	} else if v, ok := x.given[name]; ok {
		x.defaults[name] = v
	} else {
		x.Addf(e.Pos, "argument %q has no default and no value is given for it", name)
	}
}

// property defines a property or a block.
func (x *expander) property(e *document.Element, in *scope) {
	name := x.required(e, "name", in)
	if !isName(name) {
		x.Addf(e.Pos, "%q cannot be the name of a property: letters, digits and _ only", document.Clip(name))
		return
	}
	target := in
	lazy := e.Optional("lazy_eval") != "false"
	switch where := e.Optional("scope"); where {
	case "":
	case "parent":
		target, lazy = in.parent, false
		if target == nil {
			target = in
		}
	case "global":
		target, lazy = in.root(), false
	default:
		x.Addf(e.Pos, "scope of <xacro:property> is %q: it is parent or global", where)
	}
	a, hasValue := e.Attr("value")
	d, hasDefault := e.Attr("default")
	switch {
	case e.Optional("remove") == "true":
		delete(target.properties, name)
	case hasValue:
		x.setProperty(name, a, lazy, in, target)
	case hasDefault:
		if p, _ := in.property(name); p == nil {
			x.setProperty(name, d, lazy, in, target)
		}
	default:
		content := e.Content
		if !lazy {
			content = x.content(content, &document.Element{}, in)
		}
		target.blocks["**"+name] = &block{content: content, raw: lazy}
	}
}

func (x *expander) setProperty(name string, a document.Attribute, lazy bool, in, target *scope) {
	if lazy && strings.Contains(a.Value, "$") {
		target.properties[name] = &property{text: a.Value, at: a.Pos, pending: true}
		return
	}
	v := x.text(a.Value, a.Pos, in)
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
