package system

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/decimal"
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

// asDuration returns how a duration is written that was meant, as the end of a message: "10 ms" and "100Hz" are 10ms, "0,5ms" is 0.5ms.
func asDuration(text string) string {
	text = strings.ReplaceAll(text, " ", "")
	if remedy := decimal.Remedy(text); remedy != "" {
		return remedy
	}
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
		f.fail(n, "%s wants a number, got %q%s", what, n.Value, decimal.Remedy(n.Value))
	}
	return x
}

// pointCommas replaces decimal commas in braces: in {gain: 0,5} the value of gain ends at the comma, and 5 is a key of its own.
func (f *files) pointCommas(n *yaml.Node) {
	if n.Kind != yaml.MappingNode || n.Style&yaml.FlowStyle == 0 {
		return
	}
	for i := 1; i+2 < len(n.Content); i += 2 {
		value, key, none := n.Content[i], n.Content[i+1], n.Content[i+2]
		if value.Kind != yaml.ScalarNode || key.Kind != yaml.ScalarNode || none.Value != "" || none.ShortTag() != "!!null" {
			continue
		}
		text := value.Value + "," + key.Value
		number, ok := decimal.Point(text)
		if !ok || key.Line != value.Line {
			continue
		}
		f.fail(value, "%s: a value in braces ends at a comma, got %q%s", n.Content[i-1].Value, text, decimal.Remedy(text))
		value.Value, value.Tag = number, "!!str"
		if _, err := strconv.ParseFloat(number, 64); err == nil {
			value.Tag = "!!float"
		}
		n.Content = slices.Delete(n.Content, i+1, i+3)
	}
}

func (f *files) bool(n *yaml.Node, what string) bool {
	if n.ShortTag() != "!!bool" {
		f.fail(n, "%s wants true or false, got %q", what, n.Value)
	}
	return n.Value == "true"
}
