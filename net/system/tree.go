package system

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// The limits of a system file.
const (
	MaxFileBytes = 64 << 20
	maxDepth     = 64 // of nested values and of files that have a base
	maxGroups    = 10000
)

// files is the YAML trees that were read, with the file that each node comes from.
type files struct {
	origin map[*yaml.Node]string
	texts  map[string][]byte // instead of what the files say, by absolute path
	paths  []string          // in the order of reading
	errs   diagram.Errors
}

// fail notes an error at a node.
func (f *files) fail(n *yaml.Node, format string, args ...any) {
	f.errs = append(f.errs, &diagram.Error{Source: f.source(n), Err: fmt.Errorf(format, args...)})
}

// sortErrors brings the errors into the order of writing: by file in the order of reading, then by line and column.
func (f *files) sortErrors() {
	rank := func(e *diagram.Error) (key [3]int) {
		m := filePlace.FindStringSubmatch(e.Source)
		if m == nil {
			return key
		}
		key[0] = slices.Index(f.paths, m[1]) + 1
		key[1], _ = strconv.Atoi(m[2])
		key[2], _ = strconv.Atoi(m[3])
		return key
	}
	slices.SortStableFunc(f.errs, func(a, b *diagram.Error) int {
		x, y := rank(a), rank(b)
		return slices.Compare(x[:], y[:])
	})
}

// filePlace takes file:line:column apart.
var filePlace = regexp.MustCompile(`^(.*):(\d+):(\d+)$`)

// source returns where a node was written, as file:line:column.
func (f *files) source(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	name := f.origin[n]
	if n.Line == 0 {
		return name
	}
	return fmt.Sprintf("%s:%d:%d", name, n.Line, n.Column)
}

// contents returns what a file says, or is to say.
func contents(path string, texts map[string][]byte) ([]byte, error) {
	if len(texts) > 0 {
		abs, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		if text, ok := texts[abs]; ok {
			return checked(text)
		}
	}
	return readFile(path)
}

func readFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, MaxFileBytes+1))
	if err != nil {
		return nil, err
	}
	return checked(text)
}

func checked(text []byte) ([]byte, error) {
	switch {
	case len(text) > MaxFileBytes:
		return nil, fmt.Errorf("larger than %d MiB", MaxFileBytes>>20)
	case bytes.IndexByte(text, 0) >= 0:
		return nil, errors.New("not a text file")
	}
	return text, nil
}

func (f *files) failFile(path string, from *yaml.Node, err error) {
	var pathErr *os.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	f.errs = append(f.errs, &diagram.Error{Source: f.source(from), Err: fmt.Errorf("read %s: %w", path, err)})
}

// yamlPlace finds the line, and the column where there is one, in the parser's own messages.
var yamlPlace = regexp.MustCompile(`line (\d+)(?:,? column (\d+))?:? *`)

func (f *files) failYAML(path string, err error) {
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "go-yaml ")
	source := path
	if m := yamlPlace.FindStringSubmatch(text); m != nil {
		source += ":" + m[1]
		if m[2] != "" {
			source += ":" + m[2]
		} else {
			source += ":1"
		}
		text = strings.Replace(text, m[0], "", 1)
	}
	f.errs = append(f.errs, &diagram.Error{Source: source, Err: fmt.Errorf("not YAML: %s", text)})
}

// own notes for every node which file it comes from, and resolves aliases.
func (f *files) own(n *yaml.Node, path string, depth int) {
	f.origin[n] = path
	if depth > maxDepth {
		f.fail(n, "nested deeper than %d levels", maxDepth)
		n.Content = nil
		return
	}
	for i, c := range n.Content {
		if c.Kind == yaml.AliasNode {
			f.origin[c] = path
			f.fail(c, "anchors and aliases are not supported: use a group with include and params")
			n.Content[i] = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Line: c.Line, Column: c.Column}
			c = n.Content[i]
		}
		f.own(c, path, depth+1)
	}
}

// entry is a key of a mapping with its value.
type entry struct{ key, value *yaml.Node }

// entries returns the entries of a mapping; an error where n is none or a key comes twice.
func (f *files) entries(n *yaml.Node, what string) []entry {
	if n == nil || n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		f.fail(n, "%s wants a mapping", what)
		return nil
	}
	seen := map[string]*yaml.Node{}
	var list []entry
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if first := seen[key.Value]; first != nil {
			f.fail(key, "%q is there twice, first in line %d", key.Value, first.Line)
			continue
		}
		seen[key.Value] = key
		list = append(list, entry{key, n.Content[i+1]})
	}
	return list
}

// fields gives each entry of a mapping to the function of its key. Unknown keys are errors.
func (f *files) fields(n *yaml.Node, what string, known map[string]func(*yaml.Node)) {
	for _, e := range f.entries(n, what) {
		if read, ok := known[e.key.Value]; ok {
			read(e.value)
			continue
		}
		var names []string
		for name := range known {
			names = append(names, name)
		}
		f.fail(e.key, "%s has no key %q%s", what, e.key.Value, nearest.Hint(e.key.Value, sorted(names)))
	}
}

// value converts a node to what blocks take as parameters.
func (f *files) value(n *yaml.Node) any {
	switch n.Kind {
	case yaml.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			list = append(list, f.value(c))
		}
		return list
	case yaml.MappingNode:
		m := map[string]any{}
		for _, e := range f.entries(n, "value") {
			m[e.key.Value] = f.value(e.value)
		}
		return m
	}
	switch n.ShortTag() {
	case "!!int":
		if x, err := strconv.ParseInt(strings.ReplaceAll(n.Value, "_", ""), 0, 64); err == nil {
			return x
		}
		fallthrough
	case "!!float":
		var x float64
		if err := n.Decode(&x); err == nil {
			return x
		}
	case "!!bool":
		var b bool
		if err := n.Decode(&b); err == nil {
			return b
		}
	case "!!null":
		return nil
	}
	return n.Value
}

// resolvePath returns a path that was written in a file of folder dir.
func resolvePath(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
