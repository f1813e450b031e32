package system

import (
	"strconv"
	"strings"
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
		f.fail(n, "%s wants a duration with its unit, as 10ms, got %q%s", what, n.Value, asDuration(n.Value))
	}
	return d
}

// asDuration returns how a duration is written that was meant, as the end of a message: "10 ms" and "100Hz" are 10ms.
func asDuration(text string) string {
	text = strings.ReplaceAll(text, " ", "")
	if d, err := time.ParseDuration(text); err == nil {
		return ": write " + d.String()
	}
	if digits, ok := strings.CutSuffix(text, "Hz"); ok {
		if rate, err := strconv.ParseFloat(digits, 64); err == nil && rate > 0 && rate <= 1e9 {
			return ": write " + time.Duration(float64(time.Second)/rate).String()
		}
	}
	return ""
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
