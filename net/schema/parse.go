package schema

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Parse reads a schema text (encoding "ros2msg") of the message called name, as found in a log. It accepts the output
// of Definition, comments and constants; it rejects messages with strings or nested sequences, which are not
// plain data. The error lists all problems with line and reason.
func Parse(name, definition string) (*Type, error) {
	p := parser{name: name, messages: map[string][]line{}, done: map[string]*Type{}}
	top := fullName(name, "")
	p.split(top, definition)
	t := p.message(top, 0, 0)
	if err := errors.Join(p.errs...); err != nil {
		return nil, err
	}
	if t.bytes > MaxSize {
		return nil, fmt.Errorf("schema: %s: a value has more than %d bytes", name, MaxSize)
	}
	return t.unwrap(name), nil
}

// maxNesting limits the depth of structs in a schema text.
const maxNesting = 32

type line struct {
	number int
	text   string // without comment
	doc    string
}

type parser struct {
	name     string
	messages map[string][]line // by full name
	done     map[string]*Type  // nil while a message is being read
	errs     []error
}

func (p *parser) fail(number int, format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("schema: definition of %s: line %d: %s", p.name, number, fmt.Sprintf(format, args...)))
}

// split sorts the lines of the text by message.
func (p *parser) split(top, definition string) {
	current := top
	p.messages[top] = nil
	afterSeparator := false
	for i, text := range strings.Split(definition, "\n") {
		text = strings.TrimSpace(text)
		if strings.HasPrefix(text, "MSG:") && afterSeparator {
			current = fullName(strings.TrimSpace(text[len("MSG:"):]), "")
			if _, twice := p.messages[current]; twice {
				p.fail(i+1, "%s is defined twice", current)
			}
			p.messages[current] = nil
			afterSeparator = false
			continue
		}
		afterSeparator = text != "" && strings.Trim(text, "=") == ""
		if afterSeparator {
			continue
		}
		text, doc, _ := strings.Cut(text, "#")
		if text = strings.TrimSpace(text); text != "" {
			p.messages[current] = append(p.messages[current], line{i + 1, text, strings.TrimSpace(doc)})
		}
	}
}

// message parses the struct called full, which is used in line number.
func (p *parser) message(full string, number, depth int) *Type {
	lines, ok := p.messages[full]
	if !ok {
		p.fail(number, "%s is not a primitive of plain data, nor defined in this text", full)
		return (&Type{kind: Struct}).sized()
	}
	if t, started := p.done[full]; started {
		if t == nil {
			p.fail(number, "%s contains itself", full)
			return (&Type{kind: Struct}).sized()
		}
		return t
	}
	if depth > maxNesting {
		p.fail(number, "structs are nested deeper than %d", maxNesting)
		return (&Type{kind: Struct}).sized()
	}
	p.done[full] = nil
	pkg, name, _ := strings.Cut(full, "/")
	t := &Type{kind: Struct, pkg: pkg, name: name}
	seen := map[string]bool{}
	for _, l := range lines {
		f, ok := p.field(l, pkg, depth)
		if !ok {
			continue
		}
		if seen[f.Name] {
			p.fail(l.number, "a second field %s", f.Name)
		}
		seen[f.Name] = true
		t.fields = append(t.fields, f)
	}
	p.done[full] = t.sized()
	return t
}

// field reads "type name"; ok is false for a constant.
func (p *parser) field(l line, pkg string, depth int) (f Field, ok bool) {
	words := strings.Fields(l.text)
	if len(words) < 2 {
		p.fail(l.number, "wants a type and a name, got %q", l.text)
		return f, false
	}
	if strings.Contains(strings.Join(words[1:], ""), "=") {
		return f, false
	}
	f.Name = words[1]
	f.Doc = l.doc
	if unit, rest, ok := strings.Cut(strings.TrimPrefix(l.doc, "["), "]"); ok && strings.HasPrefix(l.doc, "[") {
		f.Unit, f.Doc = unit, strings.TrimSpace(rest)
	}
	base, size, isList := strings.Cut(words[0], "[")
	elem := p.element(base, pkg, l.number, depth)
	switch size, closed := strings.CutSuffix(size, "]"); {
	case !isList:
		f.Type = elem
	case closed && size == "":
		f.Type = (&Type{kind: Slice, elem: elem}).sized()
		if depth > 0 {
			p.fail(l.number, "%s: a slice below the top struct is not plain data", words[0])
		}
	default:
		size, bounded := strings.CutPrefix(size, "<=")
		n, err := strconv.Atoi(size)
		if err != nil || !closed || n < 1 || n > MaxSize {
			p.fail(l.number, "%s: wants a length from 1 to %d in the brackets, or none", words[0], MaxSize)
			n = 1
		}
		if !bounded {
			f.Type = (&Type{kind: Array, elem: elem, count: n}).sized()
			break
		}
		f.Type = (&Type{kind: Slice, elem: elem, most: n}).sized()
		if depth > 0 {
			p.fail(l.number, "%s: a slice below the top struct is not plain data", words[0])
		}
	}
	return f, true
}

func (p *parser) element(name, pkg string, number, depth int) *Type {
	switch name {
	case "byte", "char":
		return (&Type{kind: Uint8}).sized()
	}
	for k := Bool; k <= Float64; k++ {
		if k.String() == name {
			return (&Type{kind: k}).sized()
		}
	}
	return p.message(fullName(name, pkg), number, depth+1)
}

// fullName returns pkg/Name for "pkg/msg/Name", "pkg/Name" and "Name" within pkg.
func fullName(name, pkg string) string {
	first, rest, ok := strings.Cut(name, "/")
	if !ok {
		return pkg + "/" + name
	}
	return first + "/" + strings.TrimPrefix(rest, "msg/")
}

// unwrap returns the bare type that Definition wrote as a message with the single field data.
func (t *Type) unwrap(name string) *Type {
	if len(t.fields) == 1 && t.fields[0].Name == "data" && t.fields[0].Type.Name() == name {
		return t.fields[0].Type
	}
	return t
}
