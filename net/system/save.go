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
	line       int
}

// SaveParams returns the files of the system with the given values in the places of the old ones: comments and layout
// stay. Nothing is written. The keys are paths.
func (s *System) SaveParams(changes []Change) (map[string]string, error) {
	edits := map[string][]edit{}
	texts := map[string]string{}
	var errs diagram.Errors
	for _, c := range changes {
		if err := s.place(c, edits, texts); err != nil {
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

// place finds where a change goes.
func (s *System) place(c Change, edits map[string][]edit, texts map[string]string) error {
	ref := c.Block + "." + c.Param
	where, known := s.params[ref]
	n := where.node
	if !known {
		if n = s.blocks[c.Block]; n == nil {
			return fmt.Errorf("save %s: no such block in the file", ref)
		}
	}
	path := s.origin[n]
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
		e, err = replaceValue(texts[path], n, c.Value)
	} else {
		e, err = insertParam(texts[path], n, c)
	}
	if err != nil {
		return fmt.Errorf("save %s in %s: %w", ref, path, err)
	}
	edits[path] = append(edits[path], e)
	return nil
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
	return edit{begin: begin, end: end, text: value, line: n.Line}, nil
}

// insertParam adds a parameter to a block that has not given it so far.
func insertParam(text string, b *yaml.Node, c Change) (edit, error) {
	params := child(b, "params")
	switch {
	case params != nil && len(params.Content) > 0:
		last := params.Content[len(params.Content)-1]
		e, err := replaceValue(text, last, "")
		if err != nil {
			return edit{}, err
		}
		key := params.Content[0]
		separator := ", "
		if params.Style&yaml.FlowStyle == 0 {
			separator = "\n" + strings.Repeat(" ", key.Column-1)
		}
		return edit{begin: e.end, end: e.end, text: separator + c.Param + ": " + c.Value, line: last.Line}, nil
	case params == nil && b.Style&yaml.FlowStyle != 0 && len(b.Content) > 0:
		last := b.Content[len(b.Content)-1]
		e, err := replaceValue(text, last, "")
		if err != nil {
			return edit{}, err
		}
		return edit{begin: e.end, end: e.end, text: fmt.Sprintf(", params: {%s: %s}", c.Param, c.Value), line: last.Line}, nil
	case params == nil && len(b.Content) > 0:
		key := b.Content[0]
		at := offset(text, key.Line, key.Column)
		indent := strings.Repeat(" ", key.Column-1)
		return edit{begin: at, end: at, text: fmt.Sprintf("params: {%s: %s}\n%s", c.Param, c.Value, indent), line: key.Line}, nil
	}
	return edit{}, fmt.Errorf("line %d: no place for params: write \"params: {%s: %s}\" there by hand", b.Line, c.Param, c.Value)
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
