package curve

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The roots of Π (t - r) are the r.
func TestRootsOfProductsAreThoseOfTheFactors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := rapid.SliceOfNDistinct(rapid.IntRange(-8, 8), 1, 7, func(i int) int { return i }).Draw(t, "cells")
		var want []float64
		p := NewPolynomial(-3, 3, rapid.SampledFrom([]float64{-2, 0.5, 30}).Draw(t, "factor"))
		for _, c := range cells {
			r := float64(c)/3 + rapid.Float64Range(0, 0.2).Draw(t, "offset")
			want = append(want, r)
			p = p.Times(NewPolynomial(0, 0, -r, 1))
		}
		slices.Sort(want)
		got := p.Roots(-10, 10)
		if len(got) != len(want) {
			t.Fatalf("found %v, want %v", got, want)
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-7 {
				t.Fatalf("found %v, want %v", got, want)
			}
		}
		if inside := p.Roots(want[0]+0.01, 10); len(inside) != len(want)-1 {
			t.Fatalf("in (%v, 10]: %v", want[0]+0.01, inside)
		}
	})
}

func TestRootsAreFoundInSpecialCases(t *testing.T) {
	for _, c := range []struct {
		name string
		c    []float64
		want []float64
	}{
		{"zero", []float64{0, 0}, nil},
		{"constant", []float64{1}, nil},
		{"double", []float64{1, -2, 1}, []float64{1}},
		{"triple", []float64{-1, 3, -3, 1}, []float64{1}},
		{"none", []float64{1, 0, 1}, nil},
		{"at both ends", []float64{-4, 0, 1}, []float64{-2, 2}},
		{"tiny leading coefficient", []float64{-1, 1, 1e-300}, []float64{1}},
	} {
		got := NewPolynomial(0, 1, c.c...).Roots(-2, 2)
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
			continue
		}
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-5 {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
		}
	}
}

// No sample exceeds the range of a function, and the range is reached at the reported place.
func checkRange(t interface{ Fatalf(string, ...any) }, f Function, order int, lower, upper float64) {
	r := f.Range(order, lower, upper)
	scale := 1 + math.Abs(r.Max) + math.Abs(r.Min)
	for k := range 201 {
		x := lower + (upper-lower)*float64(k)/200
		if y := f.At(x, order); y > r.Max+1e-9*scale || y < r.Min-1e-9*scale {
			t.Fatalf("order %d at %v: %v is outside %+v", order, x, y, r)
		}
	}
	for _, e := range [][2]float64{{r.MinAt, r.Min}, {r.MaxAt, r.Max}} {
		if e[0] < lower || e[0] > upper {
			t.Fatalf("order %d: extreme at %v outside [%v, %v]", order, e[0], lower, upper)
		}
		below, above := f.At(e[0]-1e-9, order), f.At(e[0]+1e-9, order) // one side of a jump
		if y := f.At(e[0], order); min(math.Abs(y-e[1]), math.Abs(below-e[1]), math.Abs(above-e[1])) > 1e-5*scale {
			t.Fatalf("order %d at %v: %v, the range is %v", order, e[0], y, e[1])
		}
	}
}

func TestRangeBoundsPolynomials(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := NewPolynomial(-1, 2, rapid.SliceOfN(rapid.Float64Range(-3, 3), 0, 9).Draw(t, "c")...)
		lower := rapid.Float64Range(-1, 2).Draw(t, "lower")
		upper := lower + rapid.Float64Range(0, 3).Draw(t, "length")
		checkRange(t, p, rapid.IntRange(0, 4).Draw(t, "order"), lower, upper)
	})
	r := MinimumJerk(2, State{}, State{Position: 4}).Range(1, 0, 2)
	if math.Abs(r.Max-3.75) > 1e-12 || math.Abs(r.MaxAt-1) > 1e-7 || r.Min != 0 {
		t.Errorf("velocity of a minimum-jerk motion: %+v, want at most 3.75 at 1", r)
	}
}

// The algebra of polynomials is that of their values.
func TestAlgebraOfPolynomialsIsThatOfTheirValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) Polynomial {
			lower := rapid.Float64Range(-2, 1).Draw(t, "lower")
			return NewPolynomial(lower, lower+2, rapid.SliceOfN(rapid.Float64Range(-2, 2), 0, 5).Draw(t, name)...)
		}
		p, q := draw("p"), draw("q")
		x := rapid.Float64Range(-2, 2).Draw(t, "x")
		k := rapid.Float64Range(-2, 2).Draw(t, "k")
		P, Q := p.At(x, 0), q.At(x, 0)
		for name, pair := range map[string][2]float64{
			"plus":     {p.Plus(q).At(x, 0), P + Q},
			"times":    {p.Times(q).At(x, 0), P * Q},
			"scale":    {p.Scale(k).At(x, 0), k * P},
			"on":       {p.On(5, 6).At(x, 0), P},
			"of":       {p.Of(q).At(x, 0), p.At(Q, 0)},
			"integral": {p.Integral(k).At(x, 1), P},
			"start":    {p.Integral(k).At(p.lower, 0), k},
			"nested":   {Nest(p, q).At(x, 2), p.Of(q).At(x, 2)},
		} {
			// On moves far away and loses digits by cancellation.
			if tol := 1e-7 * (1 + math.Pow(math.Abs(Q)+3, 4)); math.Abs(pair[0]-pair[1]) > tol {
				t.Fatalf("%s: %v, want %v", name, pair[0], pair[1])
			}
		}
	})
}
