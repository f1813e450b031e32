package system

import (
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// aloneKeys are the keys of a system file that count only where it is not included by another.
var aloneKeys = []string{"system", "description", "record", "watch", "script", "nats", "metrics", "files"}

// readWithIncludes reads a file together with those that it includes; above are the files that include it.
func (l *loader) readWithIncludes(path string, kind SourceKind, from *yaml.Node, above []string) *yaml.Node {
	n := l.readSource(path, kind, "", from)
	if n == nil {
		return nil
	}
	include := remove(n, "include")
	if include == nil {
		return n
	}
	chain := append(slices.Clone(above), path)
	var parts []*yaml.Node
	for _, c := range l.listOf(include) {
		part := resolvePath(filepath.Dir(path), c.Value)
		switch {
		case slices.Contains(chain, part):
			l.fail(c, "the included files form a circle: %s", strings.Join(append(chain, part), " includes "))
		case l.included[part]: // by another one, too
		default:
			l.included[part] = true
			if tree := l.readWithBase(part, IncludedSource, c, chain); tree != nil {
				parts = append(parts, tree)
				l.mark(tree, filepath.Dir(part))
			}
		}
	}
	whole := &yaml.Node{Kind: yaml.MappingNode, Line: n.Line, Column: n.Column}
	l.origin[whole] = path
	for _, part := range parts {
		l.markProcesses(part)
		for _, key := range aloneKeys {
			remove(part, key)
		}
		l.unite(whole, part)
	}
	l.unite(whole, n)
	return whole
}

// listOf returns the entries of the key include.
func (l *loader) listOf(include *yaml.Node) []*yaml.Node {
	if include.Kind != yaml.SequenceNode {
		l.fail(include, "include wants a list of files, as [arm.yaml, hand.yaml]")
		return nil
	}
	return slices.DeleteFunc(slices.Clone(include.Content), func(c *yaml.Node) bool { return l.text(c, "include") == "" })
}

// mark notes for the blocks and groups of an included file which folder their paths are relative to.
func (l *loader) mark(tree *yaml.Node, dir string) {
	for _, section := range []string{"blocks", "groups"} {
		if n := child(tree, section); n != nil && n.Kind == yaml.MappingNode {
			for i := 0; i < len(n.Content); i += 2 {
				if _, marked := l.dirs[n.Content[i]]; !marked {
					l.dirs[n.Content[i]] = dir
				}
			}
		}
	}
}

// markProcesses notes for the processes of an included file that they belong to the system of its name.
func (l *loader) markProcesses(tree *yaml.Node) {
	name, processes := child(tree, "system"), child(child(tree, "deploy"), "processes")
	if name == nil || processes == nil || processes.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i < len(processes.Content); i += 2 {
		key := processes.Content[i]
		l.subsystems[key] = append(l.subsystems[key], name.Value)
	}
}

// dirOf returns the folder that the paths of a block or a group are relative to.
func (l *loader) dirOf(key *yaml.Node, s *scope) string {
	if dir, ok := l.dirs[key]; ok {
		return dir
	}
	return s.dir
}

// unite adds the content of a file to that of others: sections are joined, lists are appended, and a repeated key is an error.
func (l *loader) unite(all, more *yaml.Node) {
	at := keyIndex(all)
	for _, e := range l.entries(more, "a system file") {
		key, value := e.key, e.value
		k, there := at[key.Value]
		switch {
		case !there:
			all.Content = append(all.Content, key, value)
		case all.Content[k+1].Kind == yaml.MappingNode && value.Kind == yaml.MappingNode:
			joined := *all.Content[k+1] // what is read stays as it is
			joined.Content = slices.Clone(joined.Content)
			l.origin[&joined] = l.origin[all.Content[k+1]]
			l.uniteEntries(&joined, value, key.Value)
			all.Content[k+1] = &joined
		case all.Content[k+1].Kind == yaml.SequenceNode && value.Kind == yaml.SequenceNode:
			joined := *all.Content[k+1]
			joined.Content = slices.Concat(joined.Content, value.Content)
			l.origin[&joined] = l.origin[all.Content[k+1]]
			all.Content[k+1] = &joined
		case value.Tag == "!!null":
		default:
			l.fail(key, "%q is there twice, first in %s", key.Value, l.source(all.Content[k]))
		}
	}
}

// uniteEntries adds the entries of a section. Those of the deploy section are sections themselves.
func (l *loader) uniteEntries(all, more *yaml.Node, section string) {
	if section == "deploy" {
		l.unite(all, more)
		return
	}
	at := keyIndex(all)
	for _, e := range l.entries(more, section) {
		if k, there := at[e.key.Value]; there {
			l.fail(e.key, "%q is there twice, first in %s", e.key.Value, l.source(all.Content[k]))
			continue
		}
		all.Content = append(all.Content, e.key, e.value)
	}
}

// keyIndex returns where in the content of a mapping the keys stand.
func keyIndex(n *yaml.Node) map[string]int {
	at := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if _, twice := at[n.Content[i].Value]; !twice {
			at[n.Content[i].Value] = i
		}
	}
	return at
}
