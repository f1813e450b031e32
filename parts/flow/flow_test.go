package flow

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// check compares a vector element by element, exactly.
func check(t testing.TB, k int, got, want []float64) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("step %d: got %v, expected %v", k, got, want)
	}
}

// count writes k, 10k in step k.
func count(k int) []float64 { return []float64{float64(k), 10 * float64(k)} }

func TestGainScalesAConstant(t *testing.T) {
	r := newRig(t)
	var each, one Gain
	each.Gain = block.NewParam([]float64{2, -3})
	one.Gain = block.NewParam([]float64{5})
	r.add("c", &Constant{Value: block.NewParam([]float64{1, 7})})
	r.add("each", &each, "c.out -> each.in")
	r.add("one", &one, "each.out -> one.in")
	r.run(3, func(k int) {
		check(t, k, each.Out.Value(), []float64{2, -21})
		check(t, k, one.Out.Value(), []float64{10, -105})
	})
}

func TestDemuxUndoesMux(t *testing.T) {
	for _, n := range []int{1, 2, 40} {
		r := newRig(t)
		mux, demux := Mux{N: block.NewConst(n)}, Demux{N: block.NewConst(n)}
		r.add("mux", &mux)
		for i := range n {
			name := fmt.Sprintf("c%d", i+1)
			r.add(name, &Constant{Value: block.NewParam([]float64{float64(i)})}, fmt.Sprintf("%s.out -> mux.in%d", name, i+1))
		}
		r.add("demux", &demux, "mux.out -> demux.in")
		r.run(2, func(k int) {
			for i := range n {
				if got := demux.Out[i].Value(); got != float64(i) {
					t.Errorf("n = %d: out%d = %v", n, i+1, got)
				}
			}
		})
	}
}

func TestMuxWaitsForAllInputsAndRunsOnNewData(t *testing.T) {
	r := newRig(t)
	mux := Mux{}
	r.add("a", &source{next: func(k int) []float64 {
		if k%2 == 0 {
			return []float64{float64(k)}
		}
		return nil
	}})
	r.add("b", &source{next: func(k int) []float64 {
		if k == 2 {
			return []float64{-1}
		}
		return nil
	}})
	r.add("mux", &mux, "a.out -> mux.in1", "b.out -> mux.in2")
	r.run(6, func(k int) {
		written := *inspect.PortOf(&mux.Out).Count()
		if want := []uint64{0, 0, 1, 1, 2, 2}[k]; written != want {
			t.Errorf("step %d: written %d times, expected %d", k, written, want)
		}
	})
	check(t, 6, mux.Out.Value(), []float64{4, -1})
}

func TestDelayShiftsByNSteps(t *testing.T) {
	for _, n := range []int{1, 2, 7} {
		r := newRig(t)
		delay := Delay{N: block.NewConst(n)}
		r.add("delay", &delay)
		r.add("src", &source{n: 2, next: count}, "src.out -> delay.in")
		r.run(20, func(k int) { check(t, k, delay.Out.Value(), count(max(k-n, 0))) })
	}
}

// A loop sums its own output: sum.out = previous sum.out + 1.
func TestDelayOpensLoops(t *testing.T) {
	r := newRig(t)
	sum := Sum{}
	r.add("one", &Constant{Value: block.NewParam([]float64{1})})
	r.add("sum", &sum, "one.out -> sum.in1", "delay.out -> sum.in2", "sum.out -> delay.in")
	r.add("delay", &Delay{})
	r.run(10, func(k int) { check(t, k, sum.Out.Value(), []float64{float64(k + 1)}) })

	r = newRig(t)
	r.add("sum", &Sum{}, "gain.out -> sum.in1", "sum.out -> gain.in")
	r.add("gain", &Gain{Gain: block.NewParam([]float64{1, 1})})
	if _, err := r.d.Build(); err == nil || !strings.Contains(err.Error(), "flow.Delay") {
		t.Errorf("a loop without delay: %v", err)
	}
}

func TestSwitchForwardsTheSelectedInput(t *testing.T) {
	r := newRig(t)
	var w Switch
	r.add("a", &source{n: 2, next: count})
	r.add("b", &Constant{Value: block.NewParam([]float64{-1, -2})})
	r.add("switch", &w, "a.out -> switch.in1", "b.out -> switch.in2")
	r.run(6, func(k int) {
		// A value fed here takes effect in the next step.
		want := [][]float64{{0, 0}, {-1, -2}, {2, 20}, {2, 20}, {2, 20}, {-1, -2}}[k]
		check(t, k, w.Out.Value(), want)
		w.Select.Feed([]int64{2, 1, 0, 3, 2, 2}[k])
	})
}

func TestMergeForwardsWhatWasWrittenLast(t *testing.T) {
	var m Merge
	d := diagram.New("merge")
	d.Thread(diagram.Thread{Name: "t", Period: time.Millisecond})
	d.Add("a", &Constant{Value: block.NewParam([]float64{0, 0})}, diagram.Place{Thread: "t"})
	d.Add("merge", &m, diagram.Place{Thread: "t"})
	d.Link("a.out -> merge.in1")
	d.Link("a.out -> merge.in2")
	if _, err := d.Build(); err != nil {
		t.Fatal(err)
	}
	m.In[0].Feed([]float64{9, 9})
	for k, c := range []struct {
		fed  int
		with []float64
	}{{0, []float64{1, 2}}, {1, []float64{3, 4}}, {-1, []float64{3, 4}}, {0, []float64{5, 6}}} {
		if c.fed >= 0 {
			m.In[c.fed].Feed(c.with)
		}
		if err := m.Step(clock.Tick{}); err != nil {
			t.Fatal(err)
		}
		check(t, k, m.Out.Value(), c.with)
	}
}

func TestWavesHaveTheirShapes(t *testing.T) {
	quarters := map[string][]float64{ // at phase 0, ¼, ½, ¾
		"sine": {0, 1, 0, -1}, "square": {1, 1, 1, -1}, "triangle": {0, 1, 0, -1}, "ramp": {-1, -0.5, 0, 0.5},
	}
	for shape, want := range quarters {
		r := newRig(t)
		w := Wave{
			Shape: block.NewConst(shape), Frequency: block.NewParam(25.0), // a quarter of the rate
			Offset: block.NewParam(3.0), Amplitude: block.NewParam(2.0),
		}
		r.add("wave", &w)
		r.run(9, func(k int) {
			testkit.Near(t, fmt.Sprintf("%s, step %d", shape, k), w.Out.Value(), 3+2*want[k%4], 1e-9)
		})
	}
}

func TestBadConstantsAreRejected(t *testing.T) {
	for _, c := range []struct {
		want string
		b    block.Block
	}{
		{`shape is "sinus": wants sine`, &Wave{Shape: block.NewConst("sinus")}},
		{`interpolation is "spline": wants hold`, &RateTransition{Interpolation: block.NewConst("spline")}},
		{"period is 0 s: wants at least", &RateTransition{Period: block.NewConst(0.0)}},
		{`signs is "+*": wants`, &Sum{Signs: block.NewConst("+*")}},
		{`signs is "": wants`, &Sum{Signs: block.NewConst("")}},
		{"value is empty", &Constant{Value: block.NewParam([]float64{})}},
		{"value[1] is NaN", &Constant{Value: block.NewParam([]float64{0, math.NaN()})}},
		{"gain is empty", &Gain{Gain: block.NewParam([]float64{})}},
		{`signals[1] is "": wants a name`, &Scope{Signals: block.NewConst([]string{"a", ""})}},
		{`signals[0] is "a.b": wants a name`, &Scope{Signals: block.NewConst([]string{"a.b"})}},
		{`signals[0] is "enable": wants a name`, &Scope{Signals: block.NewConst([]string{"enable"})}},
		{`signals[2]: "a" exists already`, &Scope{Signals: block.NewConst([]string{"a", "b", "a"})}},
		{"n is 0: wants at least 1", &Delay{N: block.NewConst(0)}},
		{"n is 20000: wants at most 10000", &Mux{N: block.NewConst(20000)}},
		{"frequency is -1 Hz: wants at least 0", &Wave{Frequency: block.NewParam(-1.0)}},
		{"n is -3: wants at least 1", &Switch{N: block.NewConst(-3)}},
		{"n is 0: wants at least 1", &Demux{N: block.NewConst(0)}},
	} {
		if got := buildError(t, c.b); !strings.Contains(got, c.want) {
			t.Errorf("%T: got %q, expected %q", c.b, got, c.want)
		}
	}
}

func TestScopeNamesItsInputs(t *testing.T) {
	r := newRig(t)
	scope := Scope{Signals: block.NewConst([]string{"height", "speed2"})}
	r.add("a", &source{n: 2, next: count})
	r.add("scope", &scope, "a.out[0] -> scope.height", "a.out[1] -> scope.speed2")
	r.run(3, func(int) {})
	if h, v := scope.In[0].Value(), scope.In[1].Value(); h != 2 || v != 20 {
		t.Errorf("height = %v, speed2 = %v", h, v)
	}
	if p := inspect.PortOf(&scope.In[0]); !p.Watch {
		t.Error("a scope's signal is not watched")
	}
}

func TestNoStepAllocates(t *testing.T) {
	r := newRig(t)
	constant := &Constant{Value: block.NewParam([]float64{1, 2, 3})}
	wave, gain, sum, mux, demux := &Wave{}, &Gain{}, &Sum{}, &Mux{N: block.NewConst(3)}, &Demux{N: block.NewConst(3)}
	delay, rate, choice := &Delay{}, &RateTransition{Interpolation: block.NewConst("cubic")}, &Switch{}
	r.add("constant", constant)
	r.add("wave", wave)
	r.add("gain", gain, "constant.out -> gain.in")
	r.add("sum", sum, "constant.out -> sum.in1", "gain.out -> sum.in2")
	r.add("demux", demux, "sum.out -> demux.in")
	r.add("mux", mux, "demux.out1 -> mux.in1", "demux.out2 -> mux.in2", "demux.out3 -> mux.in3")
	r.add("delay", delay, "mux.out -> delay.in")
	r.add("rate", rate, "delay.out -> rate.in")
	r.add("choice", choice, "rate.out -> choice.in1", "delay.out -> choice.in2")
	r.start()
	tick := clock.Tick{Dt: period}
	for _, b := range []block.Stepper{constant, wave, gain, sum, demux, mux, rate, choice} {
		testkit.NoAllocs(t, 1000, func() {
			if err := b.Step(tick); err != nil {
				t.Fatal(err)
			}
		})
	}
	testkit.NoAllocs(t, 1000, func() { _, _ = delay.Sense(tick), delay.Control(tick) })
}
