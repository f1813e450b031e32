package document

import (
	"slices"
	"strings"
)

// Element is an element of an XML tree with its position in the file.
type Element struct {
	Name    string      // with its prefix as written: "xacro:macro"
	Attrs   []Attribute // in the order of the file, each name once
	Content []Node      // children and text in the order of the file
	Pos     Position    // of its start tag
}

// Attribute is one attribute of an element.
type Attribute struct {
	Name  string   // with its prefix as written: "xmlns:xacro"
	Value string   // without entities and quotation marks
	Pos   Position // where the value begins
	read  bool     // Attr has returned it
}

// Node is a piece of an element's content: a child element, or text.
type Node struct {
	Child *Element // nil: the node is text
	Text  string   // "" where the node is an element
	Pos   Position // of the start tag, or of the first character
}

// Attr returns the value of an attribute and whether it is there.
func (e *Element) Attr(name string) (Attribute, bool) {
	for i := range e.Attrs {
		if e.Attrs[i].Name == name {
			e.Attrs[i].read = true
			return e.Attrs[i], true
		}
	}
	return Attribute{}, false
}

// Children returns the child elements of a name, all of them for "".
func (e *Element) Children(name string) []*Element {
	var found []*Element
	for _, n := range e.Content {
		if n.Child != nil && (name == "" || n.Child.Name == name) {
			found = append(found, n.Child)
		}
	}
	return found
}

// Child returns the first child element of a name, or nil.
func (e *Element) Child(name string) *Element {
	for _, n := range e.Content {
		if n.Child != nil && n.Child.Name == name {
			return n.Child
		}
	}
	return nil
}

// Text returns the text directly inside the element, without surrounding space.
func (e *Element) Text() string {
	var b strings.Builder
	for _, n := range e.Content {
		b.WriteString(n.Text)
	}
	return strings.TrimSpace(b.String())
}

// insteadOf names the attribute that was probably misspelt: one that was not read yet.
func (e *Element) insteadOf(name string) string {
	var unread []string
	for _, a := range e.Attrs {
		if !a.read {
			unread = append(unread, a.Name)
		}
	}
	if n := Similar(name, slices.Values(unread)); n != "" {
		return " (there is " + n + ")"
	}
	return ""
}

// Optional returns the value of an attribute, "" when it is not there.
func (e *Element) Optional(name string) string {
	a, _ := e.Attr(name)
	return a.Value
}

// Clip shortens a text that is quoted in a message to at most 60 bytes.
func Clip(s string) string {
	const longest = 60
	if len(s) <= longest {
		return s
	}
	return strings.ToValidUTF8(s[:longest], "") + "…"
}
