package system

import (
	"strconv"
	"time"

	"go.yaml.in/yaml/v4"
)

// text returns a scalar's text.
func (f *files) text(n *yaml.Node, what string) string {
	if n.Kind != yaml.ScalarNode || n.Value == "" {
		f.fail(n, "%s wants a text", what)
		return ""
	}
	return n.Value
}

func (f *files) duration(n *yaml.Node, what string) time.Duration {
	d, err := time.ParseDuration(n.Value)
	if err != nil || n.Kind != yaml.ScalarNode {
		f.fail(n, "%s wants a duration with its unit, as 10ms, got %q", what, n.Value)
	}
	return d
}

func (f *files) int(n *yaml.Node, what string) int {
	x, err := strconv.Atoi(n.Value)
	if err != nil || n.Kind != yaml.ScalarNode {
		f.fail(n, "%s wants a whole number, got %q", what, n.Value)
	}
	return x
}

// count returns a whole number from 1 to most.
func (f *files) count(n *yaml.Node, what string, most int) int {
	x := f.positive(n, what)
	if x > most {
		f.fail(n, "%s is %d: wants at most %d", what, x, most)
		return 1
	}
	return x
}

func (f *files) positive(n *yaml.Node, what string) int {
	x, err := strconv.Atoi(n.Value)
	if err != nil || n.Kind != yaml.ScalarNode || x < 1 {
		f.fail(n, "%s wants a whole number from 1, got %q", what, n.Value)
		return 1
	}
	return x
}

func (f *files) float(n *yaml.Node, what string) float64 {
	x, err := strconv.ParseFloat(n.Value, 64)
	if err != nil || n.Kind != yaml.ScalarNode {
		f.fail(n, "%s wants a number, got %q", what, n.Value)
	}
	return x
}

func (f *files) bool(n *yaml.Node, what string) bool {
	if n.ShortTag() != "!!bool" {
		f.fail(n, "%s wants true or false, got %q", what, n.Value)
	}
	return n.Value == "true"
}
