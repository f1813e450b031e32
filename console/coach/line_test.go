package coach

import "testing"

// FuzzLine checks that a line that is understood has what its verb needs.
func FuzzLine(f *testing.F) {
	for _, line := range []string{"0 0 1 1 2 3 0 0 0", "1 0 1 0 1 2 3 0 0 0", "2 0 1.5 -2e3", "5 0 1", "6 0", "2 0 NaN", "2 -1", "", "x", "6 0 1"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := parseLine(text)
		if err != nil {
			return
		}
		form, known := forms[l.verb]
		if !known {
			if l.verb != nothing && l.verb != askPositions || len(l.indices) > 1 {
				t.Fatalf("%q became %+v", text, l)
			}
			return
		}
		if len(l.indices) != form.indices || form.figures >= 0 && len(l.figures) != form.figures {
			t.Fatalf("%q became %+v", text, l)
		}
		if l.verb == placeBody || l.verb == placeShape {
			if f := l.frame(); f.P != [3]float64(l.figures[:3]) {
				t.Fatalf("%q became %+v", text, f)
			}
		}
	})
}
