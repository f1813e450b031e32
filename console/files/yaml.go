package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"go.yaml.in/yaml/v4"
)

const (
	maxDepth  = 32 // of a panel
	lineWidth = 90 // mappings of plain values that fit are written in one line
)

// yamlOf writes a JSON object as YAML for people: the members in their order, small mappings and
// lists of plain values in one line.
func yamlOf(text json.RawMessage) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	n, err := yamlNode(d, 0)
	if err != nil {
		return nil, err
	}
	if n.Kind != yaml.MappingNode {
		return nil, errors.New("expected a JSON object")
	}
	n.Style = 0
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(n), e.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// yamlNode reads one value.
func yamlNode(d *json.Decoder, depth int) (*yaml.Node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nested more than %d levels deep", maxDepth)
	}
	t, err := d.Token()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("expected a JSON object")
	}
	if err != nil {
		return nil, err
	}
	switch x := t.(type) {
	case json.Delim:
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		if x == '{' {
			n.Kind, n.Tag = yaml.MappingNode, "!!map"
		}
		seen := map[string]bool{}
		for d.More() {
			e, err := yamlNode(d, depth+1)
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, e)
			if n.Kind == yaml.MappingNode {
				if seen[e.Value] {
					return nil, fmt.Errorf("duplicate member %q", e.Value)
				}
				seen[e.Value] = true
				if e, err = yamlNode(d, depth+1); err != nil {
					return nil, err
				}
				n.Content = append(n.Content, e)
			}
		}
		if fitsLine(n) {
			n.Style = yaml.FlowStyle
		}
		_, err := d.Token() // the end
		return n, err
	case string:
		n := &yaml.Node{}
		n.SetString(x)
		return n, nil
	case json.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: numberTag(x), Value: x.String()}, nil
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(x)}, nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}, nil
}

func numberTag(x json.Number) string {
	if _, err := x.Int64(); err == nil {
		return "!!int"
	}
	return "!!float"
}

// fitsLine reports whether a list or mapping has only plain values and is short.
func fitsLine(n *yaml.Node) bool {
	width := 2
	for _, c := range n.Content {
		if c.Kind != yaml.ScalarNode {
			return false
		}
		width += len(c.Value) + 2
	}
	return width <= lineWidth
}

// jsonOf converts what YAML holds into what JSON can hold; NaN and infinities become text.
func jsonOf(v any, depth int) any {
	if depth > maxDepth {
		return nil
	}
	switch x := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, e := range x {
			m[k] = jsonOf(e, depth+1)
		}
		return m
	case map[any]any:
		m := map[string]any{}
		for k, e := range x {
			m[fmt.Sprint(k)] = jsonOf(e, depth+1)
		}
		return m
	case []any:
		list := make([]any, len(x))
		for i, e := range x {
			list[i] = jsonOf(e, depth+1)
		}
		return list
	}
	if x, ok := v.(float64); ok && (math.IsNaN(x) || math.IsInf(x, 0)) {
		return strconv.FormatFloat(x, 'g', -1, 64) // "NaN", "+Inf" or "-Inf"
	}
	return v
}
