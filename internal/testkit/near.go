package testkit

import (
	"math"
	"testing"
)

// Near fails the test unless |got - want| ≤ tolerance · max(1, |want|): absolute for small values, relative for large
// ones. NaN is near nothing; an infinity is near itself only. what names the value in the message.
func Near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !near(got, want, tolerance) {
		t.Errorf("%s: got %.15g, expected %.15g (difference %.3g, tolerance %.3g) %s", what, got, want, got-want, tolerance*max(1, math.Abs(want)), Final)
	}
}

// AllNear applies Near to each element of two slices of equal length. It reports the worst element only.
func AllNear(t testing.TB, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: got %d elements, expected %d", what, len(got), len(want))
		return
	}
	worst, excess := -1, 0.0
	for i := range got {
		if near(got[i], want[i], tolerance) {
			continue
		}
		e := math.Abs(got[i]-want[i]) / max(1, math.Abs(want[i]))
		if math.IsNaN(e) {
			e = math.Inf(1)
		}
		if worst < 0 || e > excess {
			worst, excess = i, e
		}
	}
	if worst >= 0 {
		t.Errorf("%s: element %d is farthest off: got %.15g, expected %.15g (tolerance %.3g) %s\n got %.15g\nwant %.15g",
			what, worst, got[worst], want[worst], tolerance, Final, got, want)
	}
}

func near(got, want, tolerance float64) bool {
	return got == want || math.Abs(got-want) <= tolerance*max(1, math.Abs(want)) && !math.IsInf(want, 0)
}
