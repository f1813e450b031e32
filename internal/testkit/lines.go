package testkit

import (
	"strings"
	"testing"
)

// LinesBegin fails the test unless text has as many lines as want has entries, and each line begins with its entry.
func LinesBegin(t testing.TB, text string, want ...string) {
	t.Helper()
	lines := strings.Split(text, "\n")
	for i := range max(len(lines), len(want)) {
		switch {
		case i >= len(want):
			t.Errorf("unexpected: %s", lines[i])
		case i >= len(lines):
			t.Errorf("missing: %s", want[i])
		case !strings.HasPrefix(lines[i], want[i]):
			t.Errorf("got      %s\nexpected %s", lines[i], want[i])
		}
	}
}
