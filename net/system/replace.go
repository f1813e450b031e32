package system

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// offset returns where line and column, counted from 1, are in text.
func offset(text string, line, column int) int {
	at := 0
	for range line - 1 {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			return len(text)
		}
		at += next + 1
	}
	for range column - 1 { // columns count characters
		if at < len(text) {
			_, size := utf8.DecodeRuneInString(text[at:])
			at += size
		}
	}
	return at
}

// errChanged is the error of a file that is not as it was when it was read.
var errChanged = errors.New("it is no longer what was read: the file has changed")

// extent returns where a scalar, a list in brackets or a mapping in braces stands.
func extent(text string, n *yaml.Node) (begin, end int, err error) {
	begin = offset(text, n.Line, n.Column)
	rest := text[begin:]
	switch {
	case n.Kind == yaml.ScalarNode && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		end = quoted(rest)
	case n.Kind == yaml.ScalarNode && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0:
		if strings.HasPrefix(rest, n.Value) {
			end = len(n.Value)
		}
		if n.Value == "" { // nothing stands there
			return begin, begin, nil
		}
	case n.Kind != yaml.ScalarNode && n.Style&yaml.FlowStyle != 0:
		end = bracketed(rest)
	default:
		return 0, 0, fmt.Errorf("line %d: only numbers, words, and lists and mappings of the same size can be replaced", n.Line)
	}
	if end == 0 {
		return 0, 0, fmt.Errorf("line %d: %w", n.Line, errChanged)
	}
	return begin, begin + end, nil
}

// quoted returns where a text in quotes ends, or 0.
func quoted(text string) int {
	if text == "" || text[0] != '"' && text[0] != '\'' {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && text[0] == '"':
			i++
		case text[i] == text[0] && text[0] == '\'' && strings.HasPrefix(text[i+1:], "'"):
			i++
		case text[i] == text[0]:
			return i + 1
		}
	}
	return 0
}

// bracketed returns where what begins with a bracket or brace ends, or 0.
func bracketed(text string) int {
	if text == "" || text[0] != '[' && text[0] != '{' {
		return 0
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'':
			n := quoted(text[i:])
			if n == 0 {
				return 0
			}
			i += n - 1
		case '#':
			if i > 0 && strings.IndexByte(" \t\n", text[i-1]) >= 0 {
				n := strings.IndexByte(text[i:], '\n')
				if n < 0 {
					return 0
				}
				i += n
			}
		}
	}
	return 0
}

// replace puts a value in the place of n. Of lists and mappings of the same size only those elements are touched that differ.
func replace(text string, n *yaml.Node, value string) ([]edit, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(value), &doc); err != nil || len(doc.Content) != 1 {
		return nil, fmt.Errorf("%q is no value: %w", value, err)
	}
	return replaceNode(text, n, doc.Content[0], value)
}

func replaceNode(text string, old, new *yaml.Node, value string) (list []edit, err error) {
	switch {
	case old.Kind == yaml.ScalarNode && new.Kind == yaml.ScalarNode && same(old, new):
		return nil, nil
	case old.Kind == yaml.ScalarNode && new.Kind == yaml.SequenceNode && len(new.Content) == 1: // a list of one may be without brackets
		return replaceNode(text, old, new.Content[0], new.Content[0].Value)
	case old.Kind == yaml.SequenceNode && new.Kind == yaml.SequenceNode && len(old.Content) == len(new.Content):
		for i, o := range old.Content {
			more, err := replaceNode(text, o, new.Content[i], flow(new.Content[i]))
			if err != nil {
				return nil, err
			}
			list = append(list, more...)
		}
		return list, nil
	case old.Kind == yaml.MappingNode && new.Kind == yaml.MappingNode && len(old.Content) == len(new.Content):
		for i := 0; i+1 < len(old.Content); i += 2 {
			v := child(new, old.Content[i].Value)
			if v == nil {
				return nil, fmt.Errorf("line %d: there is no %q in %s", old.Line, old.Content[i].Value, value)
			}
			more, err := replaceNode(text, old.Content[i+1], v, flow(v))
			if err != nil {
				return nil, err
			}
			list = append(list, more...)
		}
		return list, nil
	}
	begin, end, err := extent(text, old)
	if err != nil {
		return nil, err
	}
	return []edit{{begin, end, value}}, nil
}

// same reports whether two scalars are the same value, however they are written.
func same(a, b *yaml.Node) bool {
	var x, y any
	if a.Decode(&x) != nil || b.Decode(&y) != nil {
		return false
	}
	if i, ok := x.(int); ok {
		x = float64(i)
	}
	if i, ok := y.(int); ok {
		y = float64(i)
	}
	return x == y
}

// flow writes a value in one line.
func flow(n *yaml.Node) string {
	var words []string
	switch n.Kind {
	case yaml.SequenceNode:
		for _, c := range n.Content {
			words = append(words, flow(c))
		}
		return "[" + strings.Join(words, ", ") + "]"
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			words = append(words, n.Content[i].Value+": "+flow(n.Content[i+1]))
		}
		return "{" + strings.Join(words, ", ") + "}"
	}
	return n.Value
}

// written returns the mapping that new parameters go into: the params of a block or group where it has some in a file, else
// the block or group itself.
func (p *places) written(n *yaml.Node) *yaml.Node {
	if params := child(n, "params"); params != nil && (len(params.Content) > 0 || len(p.layers[params]) > 0) {
		return params
	}
	return n
}

// own returns the entries of a mapping that stand in its own file, not in an overlay or on the command line.
func (p *places) own(n *yaml.Node) (list []*yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if p.origin[n.Content[i]] == p.origin[n] && p.origin[n.Content[i+1]] == p.origin[n] {
			list = append(list, n.Content[i], n.Content[i+1])
		}
	}
	return list
}

// deleted returns the null by which the last overlay over a mapping deletes a key, where one does.
func (p *places) deleted(n *yaml.Node, key string) *yaml.Node {
	for _, over := range slices.Backward(p.layers[n]) {
		if v := child(over, key); v != nil && v.Tag == "!!null" {
			return v
		}
	}
	return nil
}

// holder returns the mapping in a file that has entries of n, and these: n in its own file, else what the last overlay puts over it.
func (p *places) holder(n *yaml.Node) (*yaml.Node, []*yaml.Node) {
	if entries := p.own(n); len(entries) > 0 {
		return n, entries
	}
	for _, over := range slices.Backward(p.layers[n]) {
		if entries := p.own(over); len(entries) > 0 {
			return over, entries
		}
	}
	return n, nil
}

// fill puts text in the place of an empty mapping or of the null of an overlay.
func (p *patch) fill(n *yaml.Node, text string) error {
	path, err := p.open(n)
	if err != nil {
		return err
	}
	begin, end, err := extent(p.texts[path], n)
	if err != nil || begin == end {
		return fmt.Errorf("%s: nothing stands there that could be replaced: write %s there by hand", p.at(n), text)
	}
	p.edit(path, edit{begin, end, text})
	return nil
}

// insert adds parameters that do not count so far to the params of a block or group, or to one without any. Where an overlay deletes
// one, or all, the new value takes the place of its null: in a file below it would still be deleted.
func (p *patch) insert(a *addition) error {
	to := p.written(a.to)
	var words []string
	for _, c := range a.params {
		if null := p.deleted(to, c.Param); to != a.to && null != nil {
			if err := p.fill(null, c.Value); err != nil {
				return err
			}
			continue
		}
		words = append(words, c.Param+": "+c.Value)
	}
	if len(words) == 0 {
		return nil
	}
	params := strings.Join(words, ", ")
	if to == a.to {
		empty := cmp.Or(p.deleted(to, "params"), child(to, "params"))
		if empty != nil && len(empty.Content) == 0 {
			return p.fill(empty, "{"+params+"}")
		}
	}
	return p.write(a.to, to, words)
}

// write adds parameters, as "gain: 2", to the mapping of the params of a block or group, or to the block or group itself.
func (p *patch) write(block, to *yaml.Node, words []string) error {
	n, entries := p.holder(to)
	params := strings.Join(words, ", ")
	switch {
	case len(entries) == 0 && to != block && len(to.Content) == 0:
		return p.fill(to, "{"+params+"}")
	case len(entries) == 0:
		return fmt.Errorf("%s: no place for params: write \"params: {%s}\" there by hand", p.at(n), params)
	}
	path, err := p.open(n)
	if err != nil {
		return err
	}
	text, key, last := p.texts[path], entries[0], entries[len(entries)-1]
	indent := strings.Repeat(" ", key.Column-1)
	if to == block && n.Style&yaml.FlowStyle == 0 {
		at := offset(text, key.Line, key.Column)
		p.edit(path, edit{at, at, fmt.Sprintf("params: {%s}\n%s", params, indent)})
		return nil
	}
	_, end, err := extent(text, last)
	if err != nil {
		return fmt.Errorf("in %s: %w", path, err)
	}
	added := "\n" + indent + strings.Join(words, "\n"+indent)
	switch {
	case to == block:
		added = fmt.Sprintf(", params: {%s}", params)
	case n.Style&yaml.FlowStyle != 0:
		added = ", " + params
	default: // after a comment in the same line
		if newline := strings.IndexByte(text[end:], '\n'); newline >= 0 {
			end += newline
		} else {
			end = len(text)
		}
	}
	p.edit(path, edit{end, end, added})
	return nil
}
