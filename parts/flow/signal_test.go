package flow

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// one is a source of one number.
func one(f func(k int) float64) *source {
	return &source{next: func(k int) []float64 { return []float64{f(k)} }}
}

func TestIntegratorSumsHeldInputsExactly(t *testing.T) {
	r := newRig(t)
	sum := Integrator{Initial: block.NewParam([]float64{1, 2})}
	r.add("sum", &sum)
	r.add("src", &source{n: 2, next: func(k int) []float64 {
		if k == 3 {
			return []float64{math.NaN(), 6}
		}
		return []float64{float64(k), 6}
	}}, "src.out -> sum.in")
	want := []float64{1, 2}
	r.run(20, func(k int) {
		testkit.AllNear(t, fmt.Sprint("step ", k), sum.Out.Value(), want, 1e-12)
		if k != 3 {
			want[0] += 0.01 * float64(k)
		}
		want[1] += 0.01 * 6
	})
}

// At a bound an integrator has no memory of what came on top, and it can be reset.
func TestIntegratorStopsAtItsBoundsAndResets(t *testing.T) {
	r := newRig(t)
	sum := Integrator{Upper: block.NewParam([]float64{0.05}), Initial: block.NewParam([]float64{0.01})}
	r.add("sum", &sum)
	r.add("src", one(func(k int) float64 { return map[bool]float64{true: 1, false: -1}[k < 50] }), "src.out -> sum.in")
	r.run(60, func(k int) {
		switch {
		case k < 5:
			testkit.Near(t, "rising", sum.Out.Value()[0], 0.01+0.01*float64(k), 1e-12)
		case k <= 50:
			testkit.Near(t, "at the bound", sum.Out.Value()[0], 0.05, 1e-12)
		case k < 55:
			testkit.Near(t, "falling", sum.Out.Value()[0], 0.05-0.01*float64(k-50), 1e-12)
		case k > 56:
			testkit.Near(t, "reset", sum.Out.Value()[0], 0.01, 0)
		}
		if k == 54 {
			sum.Reset.Feed(true)
		}
	})
}

// A loop through an integrator needs no delay: x' = 1 - x by Euler's method.
func TestIntegratorOpensLoops(t *testing.T) {
	r := newRig(t)
	var sum Integrator
	r.add("one", &Constant{Value: block.NewParam([]float64{1})})
	r.add("rate", &Sum{Signs: block.NewConst("+-")}, "one.out -> rate.in1", "sum.out -> rate.in2")
	r.add("sum", &sum, "rate.out -> sum.in")
	r.run(101, func(k int) {
		testkit.Near(t, "x", sum.Out.Value()[0], 1-math.Pow(0.99, float64(k)), 1e-12)
	})
}

// The derivative of a ramp is its slope, also where values are missing.
func TestDerivativeOfARampWithMissingValues(t *testing.T) {
	r := newRig(t)
	d := Derivative{Cutoff: block.NewParam(10.0)}
	r.add("src", &source{next: func(k int) []float64 {
		if k > 90 && k%7 > 3 {
			return nil
		}
		return []float64{3 - 2*at(k)}
	}})
	r.add("d", &d, "src.out -> d.in")
	r.run(200, func(k int) {
		if k > 80 {
			testkit.Near(t, fmt.Sprint("step ", k), d.Out.Value()[0], -2, 1e-9)
		}
	})
}

func TestLowPassApproachesAStep(t *testing.T) {
	r := newRig(t)
	f := LowPass{Cutoff: block.NewParam(2.0)}
	r.add("src", &Step{Time: block.NewParam(0.1)})
	r.add("f", &f, "src.out -> f.in")
	r.run(100, func(k int) {
		want := 0.0
		if k >= 10 {
			want = -math.Expm1(-2 * math.Pi * 2 * at(k-9))
		}
		testkit.Near(t, fmt.Sprint("step ", k), f.Out.Value()[0], want, 1e-12)
	})
}

// A mass on a spring: the response to a step in closed form, the same for each element.
func TestTransferFunctionRespondsToAStep(t *testing.T) {
	r := newRig(t)
	f := TransferFunction{Num: block.NewConst([]float64{400}), Den: block.NewConst([]float64{1, 8, 400})}
	r.add("src", &Step{Time: block.NewParam(0.0), After: block.NewParam([]float64{1, -2})})
	r.add("f", &f, "src.out -> f.in")
	wd := math.Sqrt(400 - 16)
	r.run(100, func(k int) {
		y := 1 - math.Exp(-4*at(k))*(math.Cos(wd*at(k))+4/wd*math.Sin(wd*at(k)))
		testkit.AllNear(t, fmt.Sprint("step ", k), f.Out.Value(), []float64{y, -2 * y}, 1e-10)
	})
}

func TestSampledTransferFunctionIsADifferenceEquation(t *testing.T) {
	r := newRig(t)
	f := TransferFunction{Num: block.NewConst([]float64{1, 1}), Den: block.NewConst([]float64{2, 0}), Sampled: block.NewConst(true)} // a mean of two
	r.add("src", one(func(k int) float64 { return float64(k * k) }))
	r.add("f", &f, "src.out -> f.in")
	r.run(20, func(k int) {
		last := max(k-1, 0)
		testkit.Near(t, fmt.Sprint("step ", k), f.Out.Value()[0], float64(k*k+last*last)/2, 1e-9)
	})
}

func TestSaturationShowsWhatItCuts(t *testing.T) {
	r := newRig(t)
	var c Saturation
	c.Lower, c.Upper = block.NewParam([]float64{-2, 0}), block.NewParam([]float64{5})
	r.add("src", &source{n: 2, next: func(k int) []float64 { return []float64{float64(k) - 5, 5 - float64(k)} }})
	r.add("c", &c, "src.out -> c.in")
	r.run(20, func(k int) {
		a, b := float64(k)-5, 5-float64(k)
		x, y := min(max(a, -2), 5), min(max(b, 0), 5)
		check(t, k, c.Out.Value(), []float64{x, y})
		check(t, k, c.Cut.Value(), []float64{a - x, b - y})
	})
}

func TestDeadZoneHasNoJump(t *testing.T) {
	r := newRig(t)
	var z DeadZone
	z.Lower, z.Upper = block.NewParam([]float64{-1}), block.NewParam([]float64{2})
	r.add("src", one(func(k int) float64 { return float64(k) - 4 }))
	r.add("z", &z, "src.out -> z.in")
	r.run(9, func(k int) { check(t, k, z.Out.Value(), []float64{[]float64{-3, -2, -1, 0, 0, 0, 0, 1, 2}[k]}) })
}

func TestRateLimitRisesAndFalls(t *testing.T) {
	r := newRig(t)
	var l RateLimit
	l.Rising, l.Falling = block.NewParam([]float64{100}), block.NewParam([]float64{200})
	r.add("src", one(func(k int) float64 { return []float64{0, 3, 3, 3, 3, -3, -3, -3, -3, -3}[k] }))
	r.add("l", &l, "src.out -> l.in")
	r.run(10, func(k int) {
		testkit.Near(t, fmt.Sprint("step ", k), l.Out.Value()[0], []float64{0, 1, 2, 3, 3, 1, -1, -3, -3, -3}[k], 1e-12)
	})
}

func TestLookupFollowsItsTable(t *testing.T) {
	for outside, ends := range map[string][2]float64{"hold": {10, 40}, "extrapolate": {-10, 100}} {
		r := newRig(t)
		l := Lookup{X: block.NewParam([]float64{0, 1, 3, 4}), Y: block.NewParam([]float64{10, 20, 10, 40}), Outside: block.NewConst(outside)}
		in, want := []float64{-2, 0, 0.25, 1, 2, 3, 3.5, 4, 6}, []float64{ends[0], 10, 12.5, 20, 15, 10, 25, 40, ends[1]}
		r.add("src", &source{n: len(in), next: func(int) []float64 { return in }})
		r.add("l", &l, "src.out -> l.in")
		r.run(1, func(k int) { testkit.AllNear(t, outside, l.Out.Value(), want, 1e-12) })
	}
}

func TestStepChangesOnce(t *testing.T) {
	r := newRig(t)
	p := Step{Time: block.NewParam(0.05), Before: block.NewParam([]float64{1}), After: block.NewParam([]float64{2, 3})}
	r.add("p", &p)
	r.run(10, func(k int) {
		want := []float64{1, 1}
		if k >= 5 {
			want = []float64{2, 3}
		}
		check(t, k, p.Out.Value(), want)
	})
}

// Mean, deviation and independence are those of the distribution; the same seed gives the same numbers, another one others.
func TestNoiseHasItsDistributionAndItsSeed(t *testing.T) {
	numbers := func(distribution string, seed int) (all []float64) {
		r := newRig(t)
		g := Noise{N: block.NewConst(2), Distribution: block.NewConst(distribution), Seed: block.NewConst(seed),
			Mean: block.NewParam(3.0), Deviation: block.NewParam(0.5)}
		r.add("g", &g)
		r.run(20_000, func(int) { all = append(all, g.Out.Value()...) })
		return all
	}
	for _, distribution := range []string{"normal", "uniform"} {
		x := numbers(distribution, 7)
		var sum, squares, neighbours float64
		for i := range x {
			sum += x[i]
			squares += (x[i] - 3) * (x[i] - 3)
			if i > 0 {
				neighbours += (x[i] - 3) * (x[i-1] - 3)
			}
			if distribution == "uniform" && math.Abs(x[i]-3) > 0.5*math.Sqrt(3) {
				t.Fatalf("uniform on ±√3: %v", x[i])
			}
		}
		n := float64(len(x))
		testkit.Near(t, distribution+" mean", sum/n, 3, 0.01)
		testkit.Near(t, distribution+" deviation", math.Sqrt(squares/n), 0.5, 0.01)
		testkit.Near(t, distribution+" correlation of neighbours", neighbours/squares, 0, 0.02)
		check(t, 0, numbers(distribution, 7), x)
		if y := numbers(distribution, 8); y[0] == x[0] {
			t.Errorf("%s: seeds 7 and 8 both give %v", distribution, y[0])
		}
	}
}

func TestSelectPicksElements(t *testing.T) {
	r := newRig(t)
	p := Select{Indices: block.NewParam([]int64{2, 0})}
	r.add("src", &source{n: 3, next: func(k int) []float64 { return []float64{1, 2, 3} }})
	r.add("p", &p, "src.out -> p.in")
	r.run(3, func(k int) {
		check(t, k, p.Out.Value(), [][]float64{{3, 1}, {3, 1}, {2, 2}}[k])
		if k == 1 {
			p.Indices.Set([]int64{1, 1})
		}
	})
	r = newRig(t)
	p = Select{Indices: block.NewParam([]int64{3})}
	r.add("src", &source{n: 3, next: func(k int) []float64 { return []float64{1, 2, 3} }})
	r.add("p", &p, "src.out -> p.in")
	if _, err := r.d.Build(); err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err == nil || !strings.Contains(err.Error(), "indices is [3], in has length 3") {
		t.Errorf("an index beyond the vector: %v", err)
	}
}

func TestLogicCombines(t *testing.T) {
	for op, want := range map[string][4]bool{ // of the inputs 00, 01, 10, 11
		"and": {false, false, false, true}, "nand": {true, true, true, false}, "or": {false, true, true, true},
		"nor": {true, false, false, false}, "xor": {false, true, true, false},
	} {
		r := newRig(t)
		l := Logic{Operator: block.NewConst(op)}
		r.add("l", &l)
		r.run(5, func(k int) {
			if k > 0 && l.Out.Value() != want[k-1] {
				t.Errorf("%s of %d: %v", op, k-1, l.Out.Value())
			}
			l.In[0].Feed(k/2 == 1)
			l.In[1].Feed(k%2 == 1)
		})
	}
	r := newRig(t)
	l := Logic{Operator: block.NewConst("not"), N: block.NewConst(1)}
	r.add("l", &l)
	r.run(1, func(int) {
		if !l.Out.Value() {
			t.Error("not false is false")
		}
	})
}

func TestCompareHasHysteresis(t *testing.T) {
	r := newRig(t)
	c := Compare{Level: block.NewParam(2.0), Hysteresis: block.NewParam(1.0)}
	in := []float64{0, 2, 2.1, 1.5, math.NaN(), 1, 0.9, 1.5, 3}
	want := []bool{false, false, true, true, true, true, false, false, true}
	r.add("src", one(func(k int) float64 { return in[k] }))
	r.add("c", &c, "src.out -> c.in")
	r.run(len(in), func(k int) {
		if c.Out.Value() != want[k] {
			t.Errorf("step %d, in = %v: %v", k, in[k], c.Out.Value())
		}
	})
	r = newRig(t)
	c = Compare{}
	r.add("src", one(func(k int) float64 { return float64(k % 2) }))
	r.add("c", &c, "src.out -> c.in")
	r.run(6, func(k int) {
		if c.Out.Value() != (k%2 == 1) {
			t.Errorf("step %d without hysteresis: %v", k, c.Out.Value())
		}
	})
}

func TestHoldKeepsItsOutput(t *testing.T) {
	r := newRig(t)
	var h Hold
	r.add("src", one(func(k int) float64 { return float64(k) }))
	r.add("h", &h, "src.out -> h.in")
	r.run(8, func(k int) {
		check(t, k, h.Out.Value(), []float64{[]float64{0, 1, 2, 2, 2, 5, 6, 7}[k]})
		h.Hold.Feed(k == 2 || k == 3)
	})
}

func TestBadSignalConstantsAreRejected(t *testing.T) {
	list := func(x ...float64) block.Param[[]float64] { return block.NewParam(x) }
	for _, c := range []struct {
		want string
		b    block.Block
	}{
		{"lower is greater than upper", &Saturation{Lower: list(2), Upper: list(1)}},
		{"lower is greater than upper", &DeadZone{Lower: list(0, 2), Upper: list(1)}},
		{"lower is greater than upper", &Integrator{Lower: list(0), Upper: list(-1)}},
		{"initial is empty", &Integrator{Initial: list()}},
		{"lower has length 2 and upper 3", &Saturation{Lower: list(0, 0), Upper: list(1, 1, 1)}},
		{"rising[0] is -1: wants at least 0", &RateLimit{Rising: list(-1)}},
		{"cutoff is 0 Hz: wants at least", &LowPass{Cutoff: block.NewParam(0.0)}},
		{"cutoff is -1 Hz: wants at least", &Derivative{Cutoff: block.NewParam(-1.0)}},
		{"num and den: the numerator is of a higher degree", &TransferFunction{Num: block.NewConst([]float64{1, 0, 0})}},
		{"num and den: the denominator has no coefficient", &TransferFunction{Den: block.NewConst([]float64{0})}},
		{"x does not rise", &Lookup{X: list(0, 1, 1), Y: list(0, 1, 2)}},
		{"as many values", &Lookup{X: list(0, 1, 2), Y: list(0, 1)}},
		{`outside is "wrap": wants hold or extrapolate`, &Lookup{Outside: block.NewConst("wrap")}},
		{`distribution is "gauss": wants normal or uniform`, &Noise{Distribution: block.NewConst("gauss")}},
		{"indices is empty", &Select{Indices: block.NewParam([]int64{})}},
		{"indices[0] is -1: wants at least 0", &Select{Indices: block.NewParam([]int64{-1})}},
		{`operator is "iff": wants and`, &Logic{Operator: block.NewConst("iff")}},
		{"operator is not and n is 2", &Logic{Operator: block.NewConst("not")}},
		{"phase is 2: wants at most 1", &Wave{Phase: block.NewConst(2.0)}},
		{"before is empty", &Step{Before: list()}},
	} {
		if got := buildError(t, c.b); !strings.Contains(got, c.want) {
			t.Errorf("%T: got %q, expected %q", c.b, got, c.want)
		}
	}
}

func TestWaveStartsAtItsPhase(t *testing.T) {
	r := newRig(t)
	w := Wave{Phase: block.NewConst(0.25)}
	r.add("w", &w)
	r.run(30, func(k int) { testkit.Near(t, "cosine", w.Out.Value(), math.Cos(2*math.Pi*at(k)), 1e-9) })
}

func TestNoSignalStepAllocates(t *testing.T) {
	r := newRig(t)
	src := &Step{After: block.NewParam([]float64{1, 2, 3})}
	noise, sum := &Noise{N: block.NewConst(3)}, &Integrator{}
	slope, smooth := &Derivative{}, &LowPass{}
	system := &TransferFunction{Num: block.NewConst([]float64{1, 2}), Den: block.NewConst([]float64{1, 2, 3, 4})}
	cut, dead, rate, table := &Saturation{}, &DeadZone{}, &RateLimit{}, &Lookup{}
	pick, hold, logic, compare := &Select{}, &Hold{}, &Logic{}, &Compare{}
	r.add("src", src)
	r.add("noise", noise)
	for name, b := range map[string]block.Block{"sum": sum, "slope": slope, "smooth": smooth, "system": system, "cut": cut, "dead": dead,
		"rate": rate, "table": table, "pick": pick, "hold": hold} {
		r.add(name, b, "noise.out -> "+name+".in")
	}
	r.add("compare", compare, "noise.out[0] -> compare.in")
	r.add("logic", logic, "compare.out -> logic.in1")
	r.start()
	tick := clock.Tick{N: 1, Dt: period}
	for _, b := range []block.Stepper{src, noise, slope, smooth, system, cut, dead, rate, table, pick, hold, compare, logic} {
		testkit.NoAllocs(t, 1000, func() {
			tick.Dt += 1000 // a transfer function is discretized in each step
			if err := b.Step(tick); err != nil {
				t.Fatal(err)
			}
		})
	}
	testkit.NoAllocs(t, 1000, func() { _, _ = sum.Sense(tick), sum.Control(tick) })
}
