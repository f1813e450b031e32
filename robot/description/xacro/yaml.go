package xacro

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/yamlfault"
	"github.com/sinew-robotics/sinew/robot/description/document"
)

const (
	maxYAMLSize  = 1 << 20 // bytes of a YAML file
	maxYAMLNodes = 100_000 // values of a YAML file, aliases counted as often as they stand there
)

// loadYAML returns the content of a YAML file: mappings become dicts, sequences lists. A scalar with the tag !radians,
// !degrees, !meters or another of xacro's units is an expression whose value is converted to SI.
func (x *expander) loadYAML(uri string) (value, error) {
	fsys, path, err := x.source.resources.Find(uri)
	if err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(fsys, path)
	if err != nil {
		return nil, fmt.Errorf("cannot load %q: %w", uri, err)
	}
	if len(text) > maxYAMLSize {
		return nil, fmt.Errorf("%s is larger than %d MiB", path, maxYAMLSize>>20)
	}
	x.visited += fileCost + len(text)/16
	var document yaml.Node
	if err := yamlfault.Read(path, text, &document); err != nil {
		return nil, err
	}
	y := yamlReader{file: path}
	return y.value(&document, 0)
}

// yamlReader makes values of the nodes of a YAML file.
type yamlReader struct {
	file  string
	nodes int
}

func (y *yamlReader) value(n *yaml.Node, depth int) (value, error) {
	if y.nodes++; y.nodes > maxYAMLNodes || depth > maxExprDepth {
		return nil, fmt.Errorf("%s has more than %d values or is nested more than %d deep", y.file, maxYAMLNodes, maxExprDepth)
	}
	switch n.Kind {
	case yaml.DocumentNode:
		return y.value(n.Content[0], depth)
	case yaml.AliasNode:
		return y.value(n.Alias, depth+1)
	case yaml.SequenceNode:
		if len(n.Content) > maxList {
			return nil, fmt.Errorf("%s:%d:%d: the list is too long", y.file, n.Line, n.Column)
		}
		list := make([]value, len(n.Content))
		for i, c := range n.Content {
			var err error
			if list[i], err = y.value(c, depth+1); err != nil {
				return nil, err
			}
		}
		return list, nil
	case yaml.MappingNode:
		d := dict{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			v, err := y.value(n.Content[i+1], depth+1)
			if err != nil {
				return nil, err
			}
			d[n.Content[i].Value] = v
		}
		return d, nil
	case yaml.ScalarNode:
		return y.scalar(n)
	}
	return nil, nil // an empty file
}

// yamlUnits are the tags of xacro and what makes SI units of them.
var yamlUnits = map[string]float64{
	"!radians": 1, "!degrees": math.Pi / 180, "!meters": 1, "!millimeters": 1e-3, "!foot": 0.3048, "!inches": 0.0254,
}

func (y *yamlReader) scalar(n *yaml.Node) (value, error) {
	if unit, ok := yamlUnits[n.Tag]; ok {
		return y.quantity(n, unit)
	}
	var decoded any
	if err := n.Decode(&decoded); err != nil {
		return nil, fmt.Errorf("%s:%d:%d: %w", y.file, n.Line, n.Column, err)
	}
	switch v := decoded.(type) {
	case int:
		return int64(v), nil
	case float64:
		return v, nil
	case bool:
		return v, nil
	case nil:
		return nil, nil
	}
	return n.Value, nil
}

// quantity returns a number with a unit, in SI.
func (y *yamlReader) quantity(n *yaml.Node, unit float64) (value, error) {
	e, err := compileExpr(strings.TrimSpace(n.Value))
	var v value
	if err == nil {
		v, err = e(noNames{})
	}
	number, ok := asFloat(v)
	if err == nil && !ok {
		err = errors.New("a number is expected")
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%d:%d: %s %s: %w", y.file, n.Line, n.Column, n.Tag, document.Clip(n.Value), err)
	}
	return number * unit, nil
}

// noNames is an environment without variables.
type noNames struct{}

func (noNames) variable(string) (value, bool, error)      { return nil, false, nil }
func (noNames) call(string, []value) (value, bool, error) { return nil, false, nil }
func (noNames) nearest(string) string                     { return "" }
