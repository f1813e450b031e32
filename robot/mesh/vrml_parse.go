package mesh

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description/document"
)

// vrmlFile is a parsed file: its nodes, without meaning.
type vrmlFile struct{ nodes []*vrmlNode }

// vrmlNode is a node with its fields.
type vrmlNode struct {
	src    *source
	offset int // of its type
	name   string
	kind   string
	fields map[string]vrmlField
}

// vrmlField is the value of a field: numbers, texts, or nodes.
type vrmlField struct {
	offset  int
	numbers []float64
	strings []string
	nodes   []*vrmlNode
	word    string // TRUE or FALSE
}

func (n *vrmlNode) fail(format string, args ...any) error {
	return n.src.textf(n.offset, n.kind+": "+format, args...)
}

func (n *vrmlNode) field(name string) vrmlField { return n.fields[name] }

// vrmlParser reads tokens: words, texts in quotation marks, braces and brackets. Commas are white space.
type vrmlParser struct {
	*source
	next  int
	depth int
	names map[string]*vrmlNode // by DEF
}

const vrmlMagic = "#VRML V2.0"

// maxVRMLDepth is the deepest nesting of nodes.
const maxVRMLDepth = 200

func parseVRML(src *source) (*vrmlFile, error) {
	if !bytes.HasPrefix(src.data, []byte(vrmlMagic)) {
		return nil, src.textf(0, "the file does not begin with %q: only VRML97 is read, as text", vrmlMagic+" utf8")
	}
	p := &vrmlParser{source: src, names: map[string]*vrmlNode{}}
	f := &vrmlFile{}
	for {
		token, at := p.token()
		switch token {
		case "":
			return f, nil
		case "ROUTE":
			p.route()
			continue
		case "PROTO", "EXTERNPROTO":
			return nil, p.textf(at, "prototypes are not read: export nodes of VRML97 alone")
		}
		n, err := p.node(token, at)
		if err != nil {
			return nil, err
		}
		if n != nil {
			f.nodes = append(f.nodes, n)
		}
	}
}

// token returns the next token and its offset, "" at the end. A text keeps its first quotation mark.
func (p *vrmlParser) token() (string, int) {
	d := p.data
	for p.next < len(d) {
		switch c := d[p.next]; {
		case c == '#':
			for p.next < len(d) && d[p.next] != '\n' && d[p.next] != '\r' {
				p.next++
			}
		case c == ',' || isSpace(c):
			p.next++
		default:
			at := p.next
			return p.begun(), at
		}
	}
	return "", p.next
}

// begun returns the token that begins here.
func (p *vrmlParser) begun() string {
	d, at := p.data, p.next
	switch d[at] {
	case '{', '}', '[', ']':
		p.next++
		return string(d[at : at+1])
	case '"':
		var b strings.Builder
		b.WriteByte('"')
		for p.next++; p.next < len(d); p.next++ {
			switch c := d[p.next]; {
			case c == '"':
				p.next++
				return b.String()
			case c == '\\' && p.next+1 < len(d):
				p.next++
				b.WriteByte(d[p.next])
			default:
				b.WriteByte(c)
			}
		}
		return b.String()
	}
	for p.next < len(d) && !isSpace(d[p.next]) && bytes.IndexByte([]byte(",{}[]\"#"), d[p.next]) < 0 {
		p.next++
	}
	return string(d[at:p.next])
}

// peek returns the next token without reading it.
func (p *vrmlParser) peek() string {
	at := p.next
	token, _ := p.token()
	p.next = at
	return token
}

// route skips "ROUTE a.b TO c.d", which describes how values flow when something moves.
func (p *vrmlParser) route() {
	for range 3 {
		p.token()
	}
}

// node reads the node that begins with a token: DEF NAME TYPE {…}, USE NAME, NULL or TYPE {…}. NULL is nil.
func (p *vrmlParser) node(token string, at int) (*vrmlNode, error) {
	name := ""
	switch token {
	case "NULL":
		return nil, nil
	case "USE":
		name, at = p.token()
		if n := p.names[name]; n != nil {
			return n, nil
		}
		return nil, p.textf(at, "USE %s: no DEF before it gives that name", document.Clip(name))
	case "DEF":
		name, _ = p.token()
		token, at = p.token()
	}
	if open, brace := p.token(); open != "{" {
		return nil, p.textf(brace, "%q follows %q: want {", document.Clip(open), document.Clip(token))
	}
	if p.depth++; p.depth > maxVRMLDepth {
		return nil, p.textf(at, "nodes are nested more than %d deep", maxVRMLDepth)
	}
	defer func() { p.depth-- }()
	n := &vrmlNode{src: p.source, offset: at, name: name, kind: token, fields: map[string]vrmlField{}}
	for {
		field, at := p.token()
		switch field {
		case "":
			return nil, n.fail("the node is never closed")
		case "}":
			if name != "" {
				p.names[name] = n
			}
			return n, nil
		case "ROUTE":
			p.route()
			continue
		case "PROTO", "EXTERNPROTO":
			return nil, p.textf(at, "prototypes are not read: export nodes of VRML97 alone")
		}
		if c := field[0]; c == '{' || c == '[' || c == ']' || c == '"' || isNumber(field) {
			return nil, p.textf(at, "%q in %s: want the name of a field", document.Clip(field), n.kind)
		}
		value := vrmlField{offset: at}
		if p.peek() != "[" {
			if err := p.value(&value, field); err != nil {
				return nil, err
			}
		} else {
			p.token()
			for p.peek() != "]" {
				if err := p.value(&value, field); err != nil {
					return nil, err
				}
			}
			p.token()
		}
		n.fields[field] = value
	}
}

func isNumber(token string) bool {
	c := token[0]
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.'
}

// value reads one value of a field, or a run of numbers.
func (p *vrmlParser) value(v *vrmlField, field string) error {
	token, at := p.token()
	switch {
	case token == "" || token == "}" || token == "]" || token == "{" || token == "[":
		return p.textf(at, "the field %s has no value here: there is %q", field, token)
	case token[0] == '"':
		v.strings = append(v.strings, token[1:])
		return nil
	case token == "TRUE" || token == "FALSE":
		v.word = token
		return nil
	case !isNumber(token):
		n, err := p.node(token, at)
		if n != nil {
			v.nodes = append(v.nodes, n)
		}
		return err
	}
	for {
		x, err := strconv.ParseFloat(token, 64)
		if err != nil {
			whole, hex := strconv.ParseInt(token, 0, 64) // colours of pictures are in base 16
			if x = float64(whole); hex != nil {
				return p.textf(at, "%q is not a number", document.Clip(token))
			}
		}
		if x-x != 0 {
			return p.textf(at, "the field %s is %g: want a finite number", field, x)
		}
		v.numbers = append(v.numbers, x)
		if next := p.peek(); next == "" || !isNumber(next) {
			return nil
		}
		token, at = p.token()
	}
}
