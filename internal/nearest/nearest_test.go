package nearest

import (
	"slices"
	"testing"
)

func TestNameReturnsTheNearestCandidate(t *testing.T) {
	for _, c := range []struct {
		word string
		from []string
		want string
	}{
		{"gear_ration", []string{"gear_ratio", "sampler"}, "gear_ratio"},
		{"psoition", []string{"velocity", "position"}, "position"},
		{"Kp", []string{"ki", "kp", "kd"}, "kp"},
		{"sens", []string{"act", "sensor"}, "sensor"},
		{"x", []string{"position"}, ""},
		{"gane", []string{"gain", "other"}, "gain"},
		{"join", []string{"down", "up"}, ""},
		{"tcp", []string{"udp"}, ""},
		{"from", []string{"json"}, ""},
		{"", nil, ""},
	} {
		if got := Name(c.word, c.from); got != c.want {
			t.Errorf("Name(%q, %v) = %q, want %q", c.word, c.from, got, c.want)
		}
	}
}

func TestSimilarReturnsTheFirstOfEquallyNearNames(t *testing.T) {
	for _, from := range [][]string{{"axis_b", "axis_a", "axis_c"}, {"axis_c", "axis_b", "axis_a"}} {
		if got := Similar("axis_x", slices.Values(from)); got != "axis_a" {
			t.Errorf("Similar(axis_x, %v) = %q, want axis_a", from, got)
		}
	}
}

func TestSimilarTakesNoNameThatOnlyContainsTheWord(t *testing.T) {
	if got := Similar("sens", slices.Values([]string{"act", "sensor_of_force"})); got != "" {
		t.Errorf("Similar(sens) = %q, want none", got)
	}
}
