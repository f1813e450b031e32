package block

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/port"
)

// tuned has parameters, a port and an operation that take numbers from outside.
type tuned struct {
	Gain  Param[float64]                `unit:"V/rad"`
	Ratio Param[[]float64]              `default:"[1, 1]" min:"0.1"`
	Limit Param[float64]                `default:"inf" max:"inf" min:"0"`
	Small Param[float32]                ``
	Steps Param[int64]                  ``
	At    Param[struct{ X, Y float64 }] ``
	In    In[[2]float64]                ``
	Go    Operation[struct{ To float64 }, None]
}

func (t *tuned) Setup(*Setup) error {
	t.Go.Handle(func(struct{ To float64 }) (None, error) { return None{}, nil })
	return nil
}

// TestNumbersFromOutsideAreFinite gives a parameter, a port and an operation numbers that no block can work with: in a file,
// where the error names the number and what is allowed, and while it runs, where it must not allocate either.
func TestNumbersFromOutsideAreFinite(t *testing.T) {
	for _, c := range []struct {
		param string
		value any
		want  string // "": it is accepted
	}{
		{"gain", math.NaN(), "gain is NaN: wants a number"},
		{"gain", math.Inf(1), "gain is +Inf V/rad: wants at most 1e+30"},
		{"gain", -1e308, "gain is -1e+308 V/rad: wants at least -1e+30"},
		{"gain", 1e30, ""},
		{"ratio", []any{1.0, 0.0}, "ratio[1] is 0: wants at least 0.1"},
		{"ratio", []any{1.0, 1e31}, "ratio[1] is 1e+31: wants at most 1e+30"},
		{"limit", math.Inf(1), ""},
		{"limit", math.Inf(-1), "limit is -Inf: wants at least 0"},
		{"small", 1e300, "small is +Inf: wants at most 1e+30"},
		{"at", map[string]any{"x": 0.0, "y": math.Inf(1)}, "at.y is +Inf: wants at most 1e+30"},
		{"steps", 1e300, "steps: 1e+300 does not fit into int64"},
		{"steps", math.Inf(1), "steps: +Inf does not fit into int64"},
		{"steps", uint64(1) << 63, "steps: 9223372036854775808 does not fit into int64"},
		{"steps", int64(1<<53 + 1), ""},
	} {
		var b tuned
		var in inspector
		i, errs := in.Inspect("b", &b, port.Given{Params: map[string]any{c.param: c.value}})
		switch {
		case c.want == "" && errs != nil:
			t.Errorf("%s = %v is refused: %v", c.param, c.value, errs)
		case c.want != "" && (len(errs) != 1 || errs[0].Error() != c.want):
			t.Errorf("%s = %v: got %v, expected %q", c.param, c.value, errs, c.want)
		}
		if c.param == "steps" && c.want == "" && b.Steps.Value() != 1<<53+1 {
			t.Errorf("steps became %d", b.Steps.Value())
		}
		if i.Param("gain").Max != math.Inf(1) {
			t.Error("a parameter without bounds shows some")
		}
	}
	var b tuned
	var in inspector
	i, errs := in.Inspect("b", &b, port.Given{})
	if errs != nil {
		t.Fatal(errs)
	}
	port, op, gain := i.Port("in"), i.Operation("go"), i.Param("gain")
	if err := port.Allocate(); err != nil {
		t.Fatal(err)
	}
	cdr := func(x ...float64) []byte {
		b := []byte{0, 1, 0, 0}
		for _, v := range x {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		return b
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e308, -1e308} {
		for what, errs := range map[string][2]error{
			"gain": {gain.Admits(cdr(bad)), gain.Check(cdr(bad))},
			"in":   {port.Feed(cdr(0, bad)), port.CheckFeed(cdr(0, bad))},
			"go":   {op.Admits(cdr(bad)), op.CheckArgs(cdr(bad))},
		} {
			if errs[0] == nil || !strings.HasPrefix(errs[0].Error(), what+": every number must lie between -1e+30 and 1e+30") {
				t.Errorf("%s = %v while it runs: %v", what, bad, errs[0])
			}
			if errs[1] == nil || !strings.Contains(errs[1].Error(), " is ") {
				t.Errorf("%s = %v by a tool: %v", what, bad, errs[1])
			}
		}
	}
	if err := port.CheckFeed(cdr(0, math.Inf(1))); err == nil || err.Error() != "in[1] is +Inf: wants at most 1e+30" {
		t.Errorf("the fed number is not named: %v", err)
	}
	if err := op.CheckArgs(cdr(math.NaN())); err == nil || err.Error() != "go.to is NaN: wants a number" {
		t.Errorf("the argument is not named: %v", err)
	}
	if port.ByHand() || port.Feed(cdr(1, 2)) != nil || gain.Admits(cdr(1e30)) != nil || op.Admits(cdr(-5)) != nil {
		t.Error("good numbers are refused, or bad ones were taken")
	}
	bad := cdr(0, math.Inf(1))
	testkit.NoAllocs(t, 1000, func() { _, _ = port.Feed(bad), gain.Admits(bad[:12]) })
}
