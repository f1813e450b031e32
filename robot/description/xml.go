package description

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"strings"
)

const (
	// MaxFileSize is the largest file that the readers accept, in bytes.
	MaxFileSize = 64 << 20
	// MaxDepth is the deepest nesting of XML elements that the readers accept.
	MaxDepth = 256
)

// element is a node of an XML tree that remembers where it stood.
type element struct {
	name    string // with its prefix as written: "xacro:macro"
	attrs   []attribute
	content []node
	pos     Position
}

// attribute is one attribute of an element; pos is where its value begins.
type attribute struct {
	name, value string
	pos         Position
	read        bool // somebody asked for it
}

// node is a piece of an element's content: a child element, or text.
type node struct {
	child *element
	text  string
	pos   Position
}

// attr returns the value of an attribute and whether it is there.
func (e *element) attr(name string) (attribute, bool) {
	for i := range e.attrs {
		if e.attrs[i].name == name {
			e.attrs[i].read = true
			return e.attrs[i], true
		}
	}
	return attribute{}, false
}

// children returns the child elements of a name, all of them for "".
func (e *element) children(name string) []*element {
	var found []*element
	for _, n := range e.content {
		if n.child != nil && (name == "" || n.child.name == name) {
			found = append(found, n.child)
		}
	}
	return found
}

// child returns the first child element of a name, or nil.
func (e *element) child(name string) *element {
	for _, n := range e.content {
		if n.child != nil && n.child.name == name {
			return n.child
		}
	}
	return nil
}

// text returns the text directly inside the element, without surrounding space.
func (e *element) text() string {
	var b strings.Builder
	for _, n := range e.content {
		b.WriteString(n.text)
	}
	return strings.TrimSpace(b.String())
}

// readXML reads a file and parses it. Whatever is wrong goes to the report;
// the result is nil when there is no tree to go on with.
//
// shown is the name of the file in positions.
func readXML(fsys fs.FS, path, shown string, r *report) *element {
	at := Position{File: shown}
	f, err := fsys.Open(path)
	if err != nil {
		r.addf(at, "cannot open the file: %v", err)
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFileSize+1))
	if err != nil {
		r.addf(at, "cannot read the file: %v", err)
		return nil
	}
	if len(data) > MaxFileSize {
		r.addf(at, "the file is larger than %d MiB: is it a robot description?", MaxFileSize>>20)
		return nil
	}
	return parseXML(data, shown, r)
}

// parseXML parses a document into a tree with positions. It expands nothing
// but the five entities of XML and character references, and opens no file: a
// document type that declares entities is refused.
func parseXML(data []byte, file string, r *report) *element {
	p := xmlParser{
		data:   blankComments(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))),
		cursor: cursor{file: file, line: 1, column: 1},
		report: r,
	}
	p.decoder = xml.NewDecoder(bytes.NewReader(p.data))
	// Any superset of ASCII will do as long as the bytes are UTF-8, which the
	// decoder checks whatever the declaration says.
	p.decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for p.next() {
	}
	if p.failed {
		return nil
	}
	if len(p.open) > 0 {
		top := p.open[len(p.open)-1]
		r.addf(top.pos, "<%s> is never closed", top.name)
		return nil
	}
	if p.root == nil {
		r.addf(Position{File: file, Line: 1, Column: 1}, "no XML element in the file")
	}
	return p.root
}

// xmlParser builds the tree of one document.
type xmlParser struct {
	data    []byte
	decoder *xml.Decoder
	cursor  cursor
	report  *report
	root    *element
	open    []*element
	failed  bool
}

// next consumes one token; false ends the document.
func (p *xmlParser) next() bool {
	start := int(p.decoder.InputOffset())
	token, err := p.decoder.RawToken()
	if err == io.EOF {
		return false
	}
	at := p.cursor.at(p.data, start)
	if err != nil {
		p.syntax(err)
		return false
	}
	switch t := token.(type) {
	case xml.StartElement:
		return p.start(t, start, at)
	case xml.EndElement:
		return p.end(qualified(t.Name), at)
	case xml.CharData:
		return p.chars(string(t), at)
	case xml.Directive:
		if bytes.Contains(t, []byte("<!ENTITY")) {
			return p.fail(at, "the document type declares entities, which are not expanded: write the text itself in their place")
		}
	}
	return true
}

func (p *xmlParser) start(t xml.StartElement, offset int, at Position) bool {
	e := &element{name: qualified(t.Name), pos: at}
	if len(p.open) >= MaxDepth {
		return p.fail(at, "elements are nested more than %d deep", MaxDepth)
	}
	e.attrs = make([]attribute, 0, len(t.Attr))
	raw := tagScanner{p.data[offset:p.decoder.InputOffset()], 0}
	raw.skipName()
	for _, a := range t.Attr {
		name := qualified(a.Name)
		pos := p.cursor.at(p.data, offset+raw.nextValue())
		if _, twice := e.attr(name); twice {
			p.report.addf(pos, "attribute %s is given twice in <%s>", name, e.name)
			continue
		}
		e.attrs = append(e.attrs, attribute{name: name, value: a.Value, pos: pos})
	}
	if len(p.open) > 0 {
		parent := p.open[len(p.open)-1]
		parent.content = append(parent.content, node{child: e, pos: at})
	} else if p.root != nil {
		return p.fail(at, "<%s> stands after the end of <%s>: a document has one root element", e.name, p.root.name)
	} else {
		p.root = e
	}
	p.open = append(p.open, e)
	return true
}

func (p *xmlParser) end(name string, at Position) bool {
	if len(p.open) == 0 {
		return p.fail(at, "</%s> closes nothing", name)
	}
	top := p.open[len(p.open)-1]
	if top.name != name {
		return p.fail(at, "</%s> closes <%s> of line %d", name, top.name, top.pos.Line)
	}
	p.open = p.open[:len(p.open)-1]
	return true
}

func (p *xmlParser) chars(text string, at Position) bool {
	if len(p.open) > 0 {
		top := p.open[len(p.open)-1]
		top.content = append(top.content, node{text: text, pos: at})
	} else if strings.TrimSpace(text) != "" {
		return p.fail(at, "text outside the root element")
	}
	return true
}

// syntax reports what the decoder found wrong, where it stopped.
func (p *xmlParser) syntax(err error) {
	line, column := p.decoder.InputPos()
	at := Position{File: p.cursor.file, Line: line, Column: column}
	var s *xml.SyntaxError
	switch {
	case errors.As(err, &s) && strings.Contains(s.Msg, "UTF-8"):
		p.fail(at, "the text is not UTF-8: save the file in that encoding")
	case errors.As(err, &s):
		p.fail(at, "not well-formed XML: %s", s.Msg)
	default:
		p.fail(at, "not well-formed XML: %v", err)
	}
}

func (p *xmlParser) fail(at Position, format string, args ...any) bool {
	p.report.addf(at, format, args...)
	p.failed = true
	return false
}

func qualified(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}
