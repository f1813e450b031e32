package tape

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Random programs must yield the same values as the operations on numbers, despite the simplifications.
func TestSimplificationsKeepTheValue(t *testing.T) {
	const seed = 11
	random := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		p := New()
		x := []float64{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}
		values := append([]Value{p.Const(0), p.Const(1), p.Const(-1), p.Const(random.NormFloat64())}, p.Input("x", 3)...)
		want := []float64{0, 1, -1, p.Code[values[3]].Number, x[0], x[1], x[2]}
		for range 30 {
			a, b := random.IntN(len(values)), random.IntN(len(values))
			switch random.IntN(4) {
			case 0:
				values, want = append(values, p.Add(values[a], values[b])), append(want, want[a]+want[b])
			case 1:
				values, want = append(values, p.Sub(values[a], values[b])), append(want, want[a]-want[b])
			case 2:
				values, want = append(values, p.Mul(values[a], values[b])), append(want, want[a]*want[b])
			case 3:
				values, want = append(values, p.Neg(values[a])), append(want, -want[a])
			}
		}
		for i, v := range values {
			p.Store("y", i, v)
		}
		got := p.Evaluate(map[string][]float64{"x": x})["y"]
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-9*max(1, math.Abs(want[i])) {
				t.Fatalf("seed %d: value %d is %g, want %g", seed, i, got[i], want[i])
			}
		}
	}
}

func TestConstantsAreFolded(t *testing.T) {
	p := New()
	x := p.Input("x", 1)[0]
	zero, one := p.Const(0), p.Const(1)
	for name, v := range map[string]Value{
		"x+0": p.Add(x, zero), "x·1": p.Mul(x, one), "--x": p.Neg(p.Neg(x)), "x/1": p.Div(x, one), "x-0": p.Sub(x, zero),
	} {
		if v != x {
			t.Errorf("%s is not x", name)
		}
	}
	if p.Mul(x, zero) != zero || p.Sub(x, x) != zero {
		t.Error("a product with zero or a difference of equals is not zero")
	}
	if p.Mul(x, p.Const(-3)) != p.Neg(p.Mul(x, p.Const(3))) {
		t.Error("x·(-3) and -(x·3) are two values")
	}
}
