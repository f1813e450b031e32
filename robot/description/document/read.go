package document

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
)

const (
	// MaxFileSize is the largest file that the readers accept, in bytes.
	MaxFileSize = 64 << 20
	// MaxDepth is the deepest nesting of XML elements that the readers accept.
	MaxDepth = 256
)

// Read reads a file of at most [MaxFileSize] bytes and parses it as [Parse] does. Its positions and problems name the
// file as shown, which may differ from path. It returns nil after a problem that leaves no tree.
func Read(fsys fs.FS, path, shown string, r *Report) *Element {
	at := Position{File: shown}
	if path == "" {
		r.Addf(at, "no file is given: name the file of the robot's description")
		return nil
	}
	f, err := fsys.Open(path)
	if err != nil {
		var reason *fs.PathError // the file is named already
		if errors.As(err, &reason) {
			err = reason.Err
		}
		hint := ""
		if errors.Is(err, fs.ErrNotExist) {
			hint = nearest.File(fsys, path)
		}
		r.Addf(at, "cannot open the file: %v%s", err, hint)
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		r.Addf(at, "cannot read the file: it is a folder; name a file in it")
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxFileSize+1))
	if err != nil {
		r.Addf(at, "cannot read the file: %v", err)
		return nil
	}
	if len(data) > MaxFileSize {
		r.Addf(at, "the file is larger than %d MiB: is it a robot description?", MaxFileSize>>20)
		return nil
	}
	return Parse(data, shown, r)
}

// Parse parses an XML document into a tree and returns its root; problems go to the report, with positions in file. It
// expands nothing but the five entities of XML and character references, and opens no file: a document type that declares
// entities is refused, and so are elements nested more than [MaxDepth] deep. It returns nil after a problem that leaves no
// tree.
func Parse(data []byte, file string, r *Report) *Element {
	p := xmlParser{
		data:   blankComments(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))),
		cursor: cursor{file: file, line: 1, column: 1},
		report: r,
	}
	p.decoder = xml.NewDecoder(bytes.NewReader(p.data))
	// Any superset of ASCII is accepted as long as the bytes are UTF-8, which the decoder checks whatever the
	// declaration.
	p.decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for p.next() {
	}
	if p.failed {
		return nil
	}
	if len(p.open) > 0 {
		top := p.open[len(p.open)-1]
		r.Addf(top.Pos, "<%s> is never closed", top.Name)
		return nil
	}
	if p.root == nil {
		r.Addf(Position{File: file, Line: 1, Column: 1}, "no XML element in the file")
	}
	return p.root
}

// xmlParser builds the tree of one document.
type xmlParser struct {
	data    []byte
	decoder *xml.Decoder
	cursor  cursor
	report  *Report
	root    *Element
	open    []*Element
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
	e := &Element{Name: qualified(t.Name), Pos: at}
	if len(p.open) >= MaxDepth {
		return p.fail(at, "elements are nested more than %d deep", MaxDepth)
	}
	e.Attrs = make([]Attribute, 0, len(t.Attr))
	raw := tagScanner{p.data[offset:p.decoder.InputOffset()], 0}
	raw.skipName()
	for _, a := range t.Attr {
		name := qualified(a.Name)
		pos := p.cursor.at(p.data, offset+raw.nextValue())
		if _, twice := e.Attr(name); twice {
			p.report.Addf(pos, "attribute %s is given twice in <%s>", name, e.Name)
			continue
		}
		e.Attrs = append(e.Attrs, Attribute{Name: name, Value: a.Value, Pos: pos})
	}
	if len(p.open) > 0 {
		parent := p.open[len(p.open)-1]
		parent.Content = append(parent.Content, Node{Child: e, Pos: at})
	} else if p.root != nil {
		return p.fail(at, "<%s> stands after the end of <%s>: a document has one root element", e.Name, p.root.Name)
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
	if top.Name != name {
		return p.fail(at, "</%s> closes <%s> of line %d", name, top.Name, top.Pos.Line)
	}
	p.open = p.open[:len(p.open)-1]
	return true
}

func (p *xmlParser) chars(text string, at Position) bool {
	if len(p.open) > 0 {
		top := p.open[len(p.open)-1]
		top.Content = append(top.Content, Node{Text: text, Pos: at})
	} else if strings.TrimSpace(text) != "" && p.root == nil {
		return p.fail(at, "this is not XML: it begins with text, where <robot> or another element is wanted")
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
	p.report.Addf(at, format, args...)
	p.failed = true
	return false
}

func qualified(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}
