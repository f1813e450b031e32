package flow

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/thread"
)

// addGiven adds a block with parameters as a file gives them, so that the others have their defaults.
func (r *rig) addGiven(name string, b block.Block, given map[string]any, links ...string) {
	r.d.Add(name, b, diagram.Place{Thread: "main", Given: port.Given{Params: given}})
	for _, l := range links {
		r.d.Link(l)
	}
}

// position and velocity of a mass that is pushed, from noisy positions: constant velocity would be estimated without the input.
func TestKalmanFollowsAPushedMass(t *testing.T) {
	h := period.Seconds()
	random := testkit.Rand(t)
	var x, v float64
	z := &source{n: 1, next: func(k int) []float64 {
		if k == 50 {
			return []float64{math.NaN()}
		}
		if k%2 == 1 {
			return nil // every other period has no measurement
		}
		return []float64{x + 0.01*random.NormFloat64()}
	}}
	u := &source{n: 1, next: func(k int) []float64 {
		push := math.Sin(float64(k) * h)
		x, v = x+h*v+h*h/2*push, v+h*push
		return []float64{push}
	}}
	f := &Kalman{}
	r := newRig(t)
	r.add("u", u)
	r.add("z", z)
	r.addGiven("f", f, map[string]any{
		"a": []any{1.0, h, 0.0, 1.0}, "b": []any{h * h / 2, h}, "c": []any{1.0, 0.0}, "q": []any{1e-9, 1e-8}, "r": []any{1e-4}, "p0": []any{0.01, 0.01},
	}, "u.out -> f.u", "z.out -> f.z")
	r.run(1000, func(k int) {
		if k < 300 {
			return
		}
		e, p := f.X.Value(), f.P.Value()
		if math.Abs(e[0]-x) > 5*math.Sqrt(p[0]) || math.Abs(e[1]-v) > 5*math.Sqrt(p[3]) {
			t.Fatalf("step %d: %v ± %.2g, %.2g; true %v, %v", k, e, math.Sqrt(p[0]), math.Sqrt(p[3]), x, v)
		}
	})
	if f.Rejected.Value() != 1 || math.Sqrt(f.P.Value()[0]) > 0.005 {
		t.Errorf("%d left out, variance %v", f.Rejected.Value(), f.P.Value()[0])
	}
	testkit.NoAllocs(t, 500, func() { _ = f.Step(clock.Tick{Dt: period}) })
}

func TestKalmanRefusesBadMatrices(t *testing.T) {
	list := func(x ...float64) block.Const[[]float64] { return block.NewConst(x) }
	one := block.NewParam([]float64{1})
	for _, c := range []struct {
		want string
		f    Kalman
	}{
		{"a has length 3: wants n² for n states", Kalman{A: list(1, 2, 3), C: list(1, 0), P0: list(1), Q: one, R: one}},
		{"b has length 3: wants a multiple of the 2 states", Kalman{A: list(1, 0, 0, 1), B: list(1, 2, 3), C: list(1, 0), P0: list(1), Q: one, R: one}},
		{"c has length 3: wants a multiple of the 2 states, at least one", Kalman{A: list(1, 0, 0, 1), C: list(1, 2, 3), P0: list(1), Q: one, R: one}},
		{"x0 has length 2", Kalman{A: list(1), C: list(1), X0: list(1, 2), P0: list(1), Q: one, R: one}},
		{"r has length 3: wants a matrix of 1 × 1", Kalman{A: list(1), C: list(1), P0: list(1), Q: one, R: block.NewParam([]float64{1, 2, 3})}},
	} {
		if got := buildError(t, &c.f); !strings.Contains(got, c.want) {
			t.Errorf("got %q, expected %q", got, c.want)
		}
	}
}

// A covariance that is none stops the block, and the operator sees why.
func TestKalmanStopsOnACovarianceThatIsNone(t *testing.T) {
	for name, given := range map[string]map[string]any{
		"q": {"a": []any{1.0, 0.0, 0.0, 1.0}, "c": []any{1.0, 0.0}, "q": []any{1.0, 2.0, 2.0, 1.0}},
		"r": {"r": []any{-0.5}},
	} {
		f := &Kalman{}
		r := newRig(t)
		r.add("z", &source{n: 1, next: func(int) []float64 { return []float64{1} }})
		r.addGiven("f", f, given, "z.out -> f.z")
		net, err := r.d.Build()
		if err != nil {
			t.Fatal(err)
		}
		core := thread.New(net, thread.Options{Until: clock.At(10 * period)})
		err = core.RunVirtual(context.Background())
		if faults := core.Front().Faults(); len(faults) != 1 || !strings.Contains(faults[0].Why, "positive semidefinite") {
			t.Errorf("%s: %v, faults %v", name, err, faults)
		}
	}
}

func TestComplementaryFollowsThroughPi(t *testing.T) {
	const bias = 0.02
	random := testkit.Rand(t)
	angle := func(k int) float64 { return 0.5 * float64(k) * period.Seconds() }
	f := &Complementary{}
	r := newRig(t)
	r.add("rate", &source{n: 1, next: func(int) []float64 { return []float64{0.5 + bias} }})
	r.add("angle", &source{n: 1, next: func(k int) []float64 {
		if k%100 == 7 {
			return []float64{math.NaN()}
		}
		return []float64{math.Remainder(angle(k)+0.05*random.NormFloat64(), 2*math.Pi)}
	}})
	r.addGiven("f", f, map[string]any{"time": 2.0}, "rate.out -> f.rate", "angle.out -> f.angle")
	r.run(2000, func(k int) {
		if e := math.Remainder(f.Out.Value()[0]-angle(k), 2*math.Pi); k > 500 && math.Abs(e-2*bias) > 0.02 {
			t.Fatalf("step %d: %v off; the bias makes %v", k, e, 2*bias)
		}
	})
	testkit.NoAllocs(t, 500, func() { _ = f.Step(clock.Tick{Dt: 10 * time.Millisecond}) })
}
