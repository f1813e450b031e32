package console

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/net/system"
)

// patched returns the old text of a file with the parameters of a new text in their places, where the new text has lost
// the old one's comments and differs from it in parameters only.
func (d *desk) patched(ctx context.Context, old, text []byte) (string, bool) {
	if !hasComments(old) || hasComments(text) {
		return "", false
	}
	changes, ok := parameterChanges(old, text)
	if !ok || len(changes) == 0 {
		return "", false
	}
	if len(d.file.Groups) > 0 {
		changes = inGroups(changes, d.file.Groups)
	}
	texts, err := d.SaveParams(ctx, changes)
	if err != nil || len(texts) != 1 || texts[d.file.File] == "" {
		return "", false
	}
	return texts[d.file.File], true
}

// inGroups returns the changes of a file of groups for each of them.
func inGroups(changes []system.Change, groups []string) (list []system.Change) {
	for _, group := range groups {
		for _, c := range changes {
			c.Block = group + "." + c.Block
			list = append(list, c)
		}
	}
	return list
}

// hasComments reports whether there is a comment anywhere in a YAML text.
func hasComments(text []byte) bool {
	var doc yaml.Node
	if yaml.Unmarshal(text, &doc) != nil {
		return false
	}
	return anyNode(&doc, func(n *yaml.Node) bool { return n.HeadComment != "" || n.LineComment != "" || n.FootComment != "" })
}

func anyNode(n *yaml.Node, is func(*yaml.Node) bool) bool {
	return is(n) || slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return anyNode(c, is) })
}

// parameterChanges returns which parameters a new text gives other values. It reports false where more differs.
func parameterChanges(old, text []byte) ([]system.Change, bool) {
	a, b := rootOf(old), rootOf(text)
	if a == nil || b == nil {
		return nil, false
	}
	var changes []system.Change
	add := func(block, param string, value *yaml.Node) bool {
		text, ok := inOneLine(value)
		changes = append(changes, system.Change{Block: block, Param: param, Value: text})
		return ok
	}
	same := equalBut(a, b, nil, func(path []string, value *yaml.Node) bool {
		group := ""
		for len(path) > 2 && path[0] == "groups" { // it is written in its place
			group, path = group+path[1]+".", path[2:]
		}
		switch {
		case len(path) < 3 || path[0] != "blocks" || path[2] != "params":
			return false
		case len(path) == 4:
			return add(group+path[1], path[3], value)
		case len(path) > 4 || value.Kind != yaml.MappingNode:
			return false
		}
		for i := 0; i+1 < len(value.Content); i += 2 { // the block had no parameters before
			if !add(group+path[1], value.Content[i].Value, value.Content[i+1]) {
				return false
			}
		}
		return true
	})
	return changes, same
}

func rootOf(text []byte) *yaml.Node {
	var doc yaml.Node
	if yaml.Unmarshal(text, &doc) != nil || len(doc.Content) != 1 {
		return nil
	}
	return doc.Content[0]
}

// equalBut compares two trees; where they differ, allowed is asked with the path of keys and the new value.
func equalBut(a, b *yaml.Node, path []string, allowed func([]string, *yaml.Node) bool) bool {
	if a.Kind != b.Kind || a.Kind == yaml.ScalarNode && (a.Value != b.Value || a.ShortTag() != b.ShortTag()) {
		return allowed(path, b)
	}
	if a.Kind == yaml.MappingNode {
		return equalMaps(a, b, path, allowed)
	}
	if len(a.Content) != len(b.Content) {
		return allowed(path, b)
	}
	for i := range a.Content {
		if !equalBut(a.Content[i], b.Content[i], nil, func([]string, *yaml.Node) bool { return false }) {
			return allowed(path, b)
		}
	}
	return true
}

func equalMaps(a, b *yaml.Node, path []string, allowed func([]string, *yaml.Node) bool) bool {
	old := map[string]*yaml.Node{}
	for i := 0; i+1 < len(a.Content); i += 2 {
		old[a.Content[i].Value] = a.Content[i+1]
	}
	for i := 0; i+1 < len(b.Content); i += 2 {
		key, v := b.Content[i].Value, b.Content[i+1]
		at := append(slices.Clone(path), key)
		was := old[key]
		delete(old, key)
		if was == nil && !allowed(at, v) || was != nil && !equalBut(was, v, at, allowed) {
			return false
		}
	}
	return len(old) == 0
}

// inOneLine writes a value as YAML in one line.
func inOneLine(n *yaml.Node) (string, bool) {
	c := *n
	if c.Kind != yaml.ScalarNode {
		c.Style = yaml.FlowStyle
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	if e.Encode(&c) != nil || e.Close() != nil {
		return "", false
	}
	text := strings.TrimSuffix(b.String(), "\n")
	return text, !strings.Contains(text, "\n")
}
