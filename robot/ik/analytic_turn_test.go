package ik

import (
	"math"
	"testing"
)

func TestAngleOfATurnIsExact(t *testing.T) {
	for k := -20000; k <= 20000; k++ {
		x := float64(k) * math.Pi / 20000
		s, c := math.Sincos(x)
		if got, want := (turn{s, c}).angle(), math.Atan2(s, c); math.Abs(got-want) > 1e-15*(1e-3+math.Abs(want)) {
			t.Fatalf("angle of (%g, %g) is %.17g, want %.17g", s, c, got, want)
		}
	}
	for _, x := range []turn{{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1e-300, 1}, {-1e-17, -1}} {
		if got, want := x.angle(), math.Atan2(x.s, x.c); got != want {
			t.Errorf("angle of %v is %.17g, want %.17g", x, got, want)
		}
	}
	if got := (turn{math.NaN(), 1}).angle(); got == got {
		t.Errorf("angle of NaN is %g", got)
	}
}
