package panics

import (
	"strings"
	"testing"
)

func TestRecoveredNamesThePlaceThatPanicked(t *testing.T) {
	var list []int
	for name, f := range map[string]func() error{
		"by hand":        func() error { panic("wanted") },
		"by the runtime": func() error { list[3] = 1; return nil },
	} {
		err := Recovered("testing", f)
		if err == nil || !strings.HasPrefix(err.Error(), "panic while testing: ") || !strings.Contains(err.Error(), "(panics_test.go:") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := Recovered("testing", func() error { return nil }); err != nil {
		t.Error(err)
	}
}
