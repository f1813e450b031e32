package system

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/durable"
	"github.com/sinew-robotics/sinew/internal/yamlfault"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// This file keeps the tuned parameters of nets that programs build: a mapping of blocks to their parameters, as
//
//	machine.axis.servo: {gain: 7}

// tunedHead is what a new file of tuned parameters begins with.
const tunedHead = "# Tuned parameters: they take the place of the values in the program. Written by sinew param save.\n"

// ReadTuned reads the file of tuned parameters of a net that a program builds, for [diagram.Diagram.Tune]. The file need not exist
// yet: sinew param save makes it. The error is of type [diagram.Errors] where the file is wrong.
func ReadTuned(path string) (*diagram.Tuned, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("read tuned parameters: %w", err)
	}
	t := &diagram.Tuned{File: abs, Values: map[string]map[string]any{}, Places: map[string]string{}}
	text, err := ReadFile(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read tuned parameters: %w", err)
	}
	f := &files{origin: map[*yaml.Node]string{}}
	root := f.tunedRoot(path, text)
	for _, b := range f.entries(root, "a file of tuned parameters") {
		values := map[string]any{}
		for _, p := range f.entries(b.value, fmt.Sprintf("block %q", b.key.Value)) {
			values[p.key.Value] = f.value(p.value)
			t.Places[b.key.Value+"."+p.key.Value] = f.source(p.value)
		}
		t.Values[b.key.Value], t.Places[b.key.Value] = values, f.source(b.key)
	}
	if f.faults.Any() {
		return nil, f.faults.Errors()
	}
	return t, nil
}

// tunedRoot parses the text of a file of tuned parameters; nil where it is empty or wrong.
func (f *files) tunedRoot(path string, text []byte) *yaml.Node {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		f.failYAML(path, yamlfault.Explain(text, err))
		return nil
	}
	if doc.Kind == 0 || len(doc.Content) == 0 {
		return nil
	}
	f.own(doc.Content[0], path, 0)
	return doc.Content[0]
}

// SaveTuned returns a file of tuned parameters with the given values beside those that it has; comments stay. Nothing is written.
func SaveTuned(path string, changes []Change) (map[string]Rewrite, error) {
	text, err := ReadFile(path)
	was := durable.Version(text)
	if errors.Is(err, fs.ErrNotExist) {
		text, was, err = []byte(tunedHead), durable.Absent, nil
	}
	if err != nil {
		return nil, fmt.Errorf("save parameters: %w", err)
	}
	f := &files{origin: map[*yaml.Node]string{}}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		f.failYAML(path, yamlfault.Explain(text, err))
		return nil, f.faults.Errors()
	}
	root := &yaml.Node{Kind: yaml.MappingNode}
	if len(doc.Content) > 0 && doc.Content[0].Kind == yaml.MappingNode {
		root = doc.Content[0]
	} else {
		doc = yaml.Node{Kind: yaml.DocumentNode, HeadComment: string(bytes.TrimSpace(text)), Content: []*yaml.Node{root}}
	}
	for _, c := range changes {
		var value yaml.Node
		if err := yaml.Unmarshal([]byte(c.Value), &value); err != nil || len(value.Content) != 1 {
			return nil, fmt.Errorf("save %s: %q is no value", c.ref(), c.Value)
		}
		block := setChild(root, c.Block, nil)
		setChild(block, c.Param, value.Content[0])
	}
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(&doc), e.Close()); err != nil {
		return nil, fmt.Errorf("save parameters: %w", err)
	}
	return map[string]Rewrite{path: {out.String(), was}}, nil
}

// setChild gives a key of a mapping a value, and returns the value; with nil it keeps or makes a mapping.
func setChild(n *yaml.Node, key string, value *yaml.Node) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != key {
			continue
		}
		if value == nil && n.Content[i+1].Kind == yaml.MappingNode {
			return n.Content[i+1]
		}
		if value == nil {
			value = &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
		}
		value.LineComment = n.Content[i+1].LineComment
		n.Content[i+1] = value
		return value
	}
	if value == nil {
		value = &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
	}
	n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
	return value
}
