package control

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The incremental law without limits is the positional law with the sum of errors.
func TestPIDEqualsPositionalLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.Float64Range(0, 20)
		p := PID{Kp: g.Draw(t, "Kp"), Ki: g.Draw(t, "Ki"), Kd: g.Draw(t, "Kd")}
		var sum, last float64
		for _, e := range rapid.SliceOfN(rapid.Float64Range(-3, 3), 1, 200).Draw(t, "e") {
			sum += e
			want := p.Kp*e + p.Ki*sum + p.Kd*(e-last)
			last = e
			if u, ok := p.Step(e); !ok || math.Abs(u-want) > 1e-9*(1+math.Abs(want)) {
				t.Fatalf("u = %v, %v; positional law gives %v", u, ok, want)
			}
		}
	})
}

func TestPIDStaysInLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := PID{Kp: 10, Ki: 1, Kd: 5, UMin: -24, UMax: 12}
		for _, e := range rapid.SliceOf(rapid.Float64()).Draw(t, "e") {
			if u, _ := p.Step(e); !(u >= -24 && u <= 12) {
				t.Fatalf("u = %v outside [-24, 12] at e = %v", u, e)
			}
		}
	})
}

func TestPIDLeavesLimitAtOnce(t *testing.T) {
	p := PID{Kp: 1, Ki: 0.1, UMin: -1, UMax: 1}
	for range 1000 {
		p.Step(5) // an integral would be at 500 by now
	}
	p.Step(0)
	if u, _ := p.Step(-0.5); u >= 0 {
		t.Errorf("u = %v two samples after the error changed sign: wound up", u)
	}
}

func TestBumplessPIDContinuesFromTheGivenCommand(t *testing.T) {
	p := PID{Kp: 10, Ki: 0.5, Kd: 100, UMin: -24, UMax: 24}
	p.Bumpless(7, 0.2)
	if u, _ := p.Step(0.2); math.Abs(u-(7+0.5*0.2)) > 1e-12 {
		t.Errorf("first command %v, want 7.1", u)
	}
	p.Bumpless(math.NaN(), math.Inf(1))
	if u, ok := p.Step(0); u != 0 || !ok {
		t.Errorf("after a bumpless start from NaN: %v, %v", u, ok)
	}
	p.Reset()
	if u, _ := p.Step(0.1); math.Abs(u-11.05) > 1e-12 {
		t.Errorf("first command after Reset %v, want (Kp+Ki+Kd) e = 11.05", u)
	}
}

func TestPIDIgnoresBadSamples(t *testing.T) {
	p := PID{Kp: 2, Ki: 1, UMin: -10, UMax: 10}
	q := p
	for _, e := range []float64{1, math.NaN(), 2, math.Inf(-1), 1.5, math.Inf(1), 0.5} {
		u, ok := p.Step(e)
		if !finite(e) {
			if ok || u != q.Output() {
				t.Errorf("e = %v: got %v, %v; want the last command %v, false", e, u, ok, q.Output())
			}
			continue
		}
		if want, _ := q.Step(e); u != want || !ok {
			t.Errorf("e = %v: got %v, %v; want %v", e, u, ok, want)
		}
	}
	if p != q {
		t.Error("a bad sample changed the state")
	}
}

func TestPIDRejectsWrongTuning(t *testing.T) {
	good := []PID{{}, {Kp: 1, UMin: -1, UMax: 1}, {UMax: math.Inf(1)}}
	bad := []PID{{Kp: -1}, {Ki: math.NaN()}, {Kd: math.Inf(1)}, {UMin: 1, UMax: -1}, {UMin: math.NaN()}}
	for _, p := range good {
		if err := p.Check(); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
	}
	for _, p := range bad {
		if p.Check() == nil {
			t.Errorf("%+v: no error", p)
		}
	}
}
