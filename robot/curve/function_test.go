package curve

import (
	"math"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"pgregory.net/rapid"
)

// drawFunction draws a function of any kind, with pieces and nestings to the given depth.
func drawFunction(t *rapid.T, depth int) Function {
	kind := rapid.IntRange(0, 3).Draw(t, "kind")
	value := rapid.Float64Range(-2, 2)
	lower := rapid.Float64Range(-1, 1).Draw(t, "lower")
	upper := lower + rapid.Float64Range(0.3, 2).Draw(t, "length")
	switch {
	case kind == 3 && depth > 0:
		return Nest(drawFunction(t, depth-1), drawFunction(t, depth-1))
	case kind == 2 && depth > 0:
		n := rapid.IntRange(1, 3).Draw(t, "pieces")
		pieces := make([]Function, n)
		for i := range pieces {
			pieces[i] = drawFunction(t, depth-1)
		}
		return NewPiecewise(lower, pieces...)
	case kind == 1:
		return NewSinusoid(lower, upper, value.Draw(t, "offset"), value.Draw(t, "cos"), value.Draw(t, "sin"), 2*value.Draw(t, "rate"))
	}
	return NewPolynomial(lower, upper, rapid.SliceOfN(value, 0, 5).Draw(t, "c")...)
}

// Each derivative is the difference quotient of the one before, wherever that is smooth.
func TestDerivativesAreDifferenceQuotients(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFunction(t, 1)
		lower, upper := f.Domain()
		const h = 1e-5
		x := lower + (upper-lower)*rapid.Float64Range(0.05, 0.95).Draw(t, "x")
		if knotWithin(f, x-2*h, x+2*h) {
			return
		}
		for order := range 3 {
			want := (f.At(x+h, order) - f.At(x-h, order)) / (2 * h)
			scale := 1 + math.Abs(f.At(x, order+3)) + 1e-4*math.Abs(f.At(x, order))
			if got := f.At(x, order+1); math.Abs(got-want) > 1e-5*scale {
				t.Fatalf("%T, order %d at %v: %v, difference quotient %v", f, order+1, x, got, want)
			}
		}
	})
}

func TestRangeBoundsAllFunctions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFunction(t, 1)
		lower, upper := f.Domain()
		a := lower + (upper-lower)*rapid.Float64Range(0, 0.5).Draw(t, "a")
		b := a + (upper-a)*rapid.Float64Range(0, 1).Draw(t, "b")
		checkRange(t, f, rapid.IntRange(0, 3).Draw(t, "order"), a, b)
	})
}

func TestRangeOfASinusoidReachesCrestAndTrough(t *testing.T) {
	f := NewSinusoid(0, 10, 1, 3, 4, 2)
	r := f.Range(0, 0, 10)
	testkit.Near(t, "crest", r.Max, 6, 1e-12)
	testkit.Near(t, "trough", r.Min, -4, 1e-12)
	testkit.Near(t, "acceleration", f.Range(2, 0, 10).Max, 20, 1e-12)
	testkit.Near(t, "high derivative", f.At(0, 9), 4*512, 1e-9)
}

func TestPiecewiseFindsItsJumps(t *testing.T) {
	up, down := Hermite(0, 1, []float64{0, 0}, []float64{1, 2}), Hermite(5, 7, []float64{1, 2, 3}, []float64{0, 0})
	p := NewPiecewise(10, up, down)
	if a, b := p.Domain(); a != 10 || b != 13 {
		t.Errorf("domain [%v, %v], want [10, 13]", a, b)
	}
	if c := p.Continuity(1e-9); c != 1 {
		t.Errorf("continuous to order %d, want 1", c)
	}
	at, size := p.Jump(2)
	testkit.Near(t, "place of the jump", at, 11, 1e-12)
	testkit.Near(t, "jump of the second derivative", size, math.Abs(up.At(1, 2)-3), 1e-12)
	testkit.Near(t, "value at the knot", p.At(11, 2), 3, 1e-12)
	r := p.Range(2, 11, 13)
	if before := up.At(1, 2); r.Max < before && r.Min > before {
		t.Errorf("the range %+v leaves out the value %v before the knot", r, before)
	}
}

// A circle run through under a minimum-jerk law: the speed is the law's.
func TestNestKeepsTheSpeedOfTheTimeLaw(t *testing.T) {
	law := MinimumJerk(3, State{}, State{Position: 2})
	x, y := Nest(NewSinusoid(0, 2, 0, 1, 0, 1), law), Nest(NewSinusoid(0, 2, 0, 0, 1, 1), law)
	for s := 0.0; s <= 3; s += 0.1 {
		testkit.Near(t, "speed", math.Hypot(x.At(s, 1), y.At(s, 1)), law.At(s, 1), 1e-12)
	}
}

func TestEvaluationAllocatesNothing(t *testing.T) {
	poly := MinimumJerk(1, State{}, State{Position: 1})
	f := NewPiecewise(0, poly, NewSinusoid(0, 1, 0, 1, 1, 3), Nest(NewSinusoid(0, 1, 0, 1, 1, 3), poly))
	var sum float64
	testkit.NoAllocs(t, 300, func() {
		for x := 0.0; x < 3; x += 0.1 {
			for order := range 4 {
				sum += f.At(x, order)
			}
		}
	})
}
