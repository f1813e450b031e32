package nearest

import "testing"

func TestName(t *testing.T) {
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
		{"", nil, ""},
	} {
		if got := Name(c.word, c.from); got != c.want {
			t.Errorf("Name(%q, %v) = %q, want %q", c.word, c.from, got, c.want)
		}
	}
}
