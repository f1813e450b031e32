package system

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/net/diagram"
)

// paramPlace is where the value of a parameter is written.
type paramPlace struct {
	node    *yaml.Node
	inGroup bool // in a file that several groups may include
}

// Change is a tuned value to be written back: the text that stands for it in YAML.
type Change struct {
	Block, Param, Value string
}

// edit replaces the bytes from begin to end of a file.
type edit struct {
	begin, end int
	text       string
}

// SaveParams returns the files of the system with the given values in the places of the old ones: comments and layout
// stay. Nothing is written. The keys are paths.
func (s *System) SaveParams(changes []Change) (map[string]string, error) {
	edits := map[string][]edit{}
	texts := map[string]string{}
	var errs diagram.Errors
	for _, together := range s.gather(changes) {
		if err := s.place(together, edits, texts); err != nil {
			errs = append(errs, &diagram.Error{Err: err})
		}
	}
	if errs != nil {
		return nil, errs
	}
	for path, list := range edits {
		slices.SortFunc(list, func(a, b edit) int { return b.begin - a.begin })
		text := texts[path]
		for _, e := range list {
			text = text[:e.begin] + e.text + text[e.end:]
		}
		texts[path] = text
	}
	return texts, nil
}

// gather puts the new parameters of each block together, because they go to one place.
func (s *System) gather(changes []Change) (list [][]Change) {
	added := map[string]int{}
	for _, c := range changes {
		_, given := s.params[c.Block+"."+c.Param]
		if i, more := added[c.Block]; more && !given {
			list[i] = append(list[i], c)
			continue
		}
		if !given {
			added[c.Block] = len(list)
		}
		list = append(list, []Change{c})
	}
	return list
}

// place finds where changes go: the one of a given parameter, or all new parameters of one block.
func (s *System) place(changes []Change, edits map[string][]edit, texts map[string]string) error {
	ref := changes[0].Block + "." + changes[0].Param
	where, known := s.params[ref]
	anchor := where.node
	if !known {
		if where, known = s.blocks[changes[0].Block]; !known {
			return fmt.Errorf("save %s: no such block in the file", ref)
		}
		anchor, known = s.written(where.node), false
	}
	path := s.origin[anchor]
	if where.inGroup {
		return fmt.Errorf("save %s: its file %s is included as a group and may serve several; edit it by hand", ref, path)
	}
	if strings.HasPrefix(path, "--param") {
		return fmt.Errorf("save %s: its value came from the command line; run without %s", ref, path)
	}
	if _, ok := texts[path]; !ok {
		text, err := readFile(path)
		if err != nil {
			return fmt.Errorf("save %s: %w", ref, err)
		}
		texts[path] = string(text)
	}
	var e edit
	var err error
	if known {
		e, err = replaceValue(texts[path], anchor, changes[0].Value)
	} else {
		e, err = s.insertParams(texts[path], anchor, changes)
	}
	if err != nil {
		return fmt.Errorf("save %s in %s: %w", ref, path, err)
	}
	edits[path] = append(edits[path], e)
	return nil
}

// written returns the mapping that new parameters go into: the block's params where it has some in a file, else the
// block itself.
func (s *System) written(b *yaml.Node) *yaml.Node {
	if p := child(b, "params"); p != nil && len(p.Content) > 0 && !strings.HasPrefix(s.origin[p], "--param") {
		return p
	}
	return b
}

// own returns the entries of a mapping that stand in its own file, not in an overlay or on the command line.
func (s *System) own(n *yaml.Node) (list []*yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if s.origin[n.Content[i]] == s.origin[n] && s.origin[n.Content[i+1]] == s.origin[n] {
			list = append(list, n.Content[i], n.Content[i+1])
		}
	}
	return list
}

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
	return min(at+column-1, len(text))
}

// replaceValue replaces a scalar or a list in brackets.
func replaceValue(text string, n *yaml.Node, value string) (edit, error) {
	begin := offset(text, n.Line, n.Column)
	end := begin
	switch {
	case n.Kind == yaml.SequenceNode && n.Style&yaml.FlowStyle != 0:
		closing := strings.IndexByte(text[begin:], ']')
		if closing < 0 {
			return edit{}, fmt.Errorf("line %d: the list does not end", n.Line)
		}
		end = begin + closing + 1
	case n.Kind == yaml.ScalarNode && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		closing := strings.IndexByte(text[begin+1:], text[begin])
		end = begin + closing + 2
	case n.Kind == yaml.ScalarNode:
		if !strings.HasPrefix(text[begin:], n.Value) {
			return edit{}, fmt.Errorf("line %d is no longer what was read: the file has changed", n.Line)
		}
		end = begin + len(n.Value)
	default:
		return edit{}, fmt.Errorf("line %d: only numbers, words and lists in brackets can be replaced", n.Line)
	}
	return edit{begin: begin, end: end, text: value}, nil
}

// insertParams adds parameters that were not given so far to n: the params of a block, or a block without any.
func (s *System) insertParams(text string, n *yaml.Node, changes []Change) (edit, error) {
	var words []string
	for _, c := range changes {
		words = append(words, c.Param+": "+c.Value)
	}
	entries := s.own(n)
	if len(entries) == 0 {
		return edit{}, fmt.Errorf("line %d: no place for params: write \"params: {%s}\" there by hand", n.Line, strings.Join(words, ", "))
	}
	key, last := entries[0], entries[len(entries)-1]
	inParams := s.blocks[changes[0].Block].node != n
	indent := strings.Repeat(" ", key.Column-1)
	if !inParams && n.Style&yaml.FlowStyle == 0 {
		at := offset(text, key.Line, key.Column)
		return edit{begin: at, end: at, text: fmt.Sprintf("params: {%s}\n%s", strings.Join(words, ", "), indent)}, nil
	}
	e, err := replaceValue(text, last, "")
	if err != nil {
		return edit{}, err
	}
	switch {
	case !inParams:
		e.text = fmt.Sprintf(", params: {%s}", strings.Join(words, ", "))
	case n.Style&yaml.FlowStyle != 0:
		e.text = ", " + strings.Join(words, ", ")
	default:
		e.text = "\n" + indent + strings.Join(words, "\n"+indent)
		if end := strings.IndexByte(text[e.end:], '\n'); end >= 0 {
			e.end += end // after a comment in the same line
		} else {
			e.end = len(text)
		}
	}
	e.begin = e.end
	return e, nil
}

// Write replaces files by new texts: each is written beside the old one and then takes its name, so that a file is
// never half-written.
func Write(texts map[string]string) error {
	for path, text := range texts {
		info, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("save parameters: %w", err)
		}
		part := path + ".part"
		if err := os.WriteFile(part, []byte(text), info.Mode()); err != nil {
			return fmt.Errorf("save parameters: %w", err)
		}
		if err := os.Rename(part, path); err != nil {
			return fmt.Errorf("save parameters: %w", err)
		}
	}
	return nil
}
