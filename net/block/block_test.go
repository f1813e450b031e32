package block

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

type point struct{ X, Y float64 }

// full has a field of every kind.
type full struct {
	In      In[float64] `unit:"rad" doc:"an input" trigger:"yes" show:"wanted"`
	Vector  In[[]float64]
	Out     Out[[]float64] `safe:"0.5"`
	Many    []In[point]
	Gain    Param[float64] `default:"2" min:"0" max:"10" unit:"V"`
	Gains   Param[[]float64]
	Peer    Const[string]             `default:"none"`
	MoveTo  Operation[point, float64] `doc:"goes somewhere" show:"way"`
	Happens Event[point]
	Heard   Handler[point]
	N       Const[int] `default:"3" min:"1"`
}

func (f *full) Setup(s *Setup) error {
	f.Many = make([]In[point], f.N.Value())
	s.Len(f.N.Value(), &f.Vector, &f.Out)
	f.MoveTo.Handle(func(p point) (float64, error) {
		if p.X < 0 {
			return 0, errNegative
		}
		return math.Hypot(p.X, p.Y), nil
	})
	return nil
}

var errNegative = errors.New("x is negative")

func (f *full) Step(clock.Tick) error { return nil }

func inspect(t *testing.T, b Block, params map[string]any) *port.Instance {
	t.Helper()
	inst, errs := (&inspector{}).Inspect("b", b, port.Given{Params: params})
	if errs != nil {
		t.Fatal(errs)
	}
	for _, p := range inst.Ports {
		if err := p.Allocate(); err != nil {
			t.Fatal(err)
		}
	}
	return inst
}

func TestInspectFindsEverything(t *testing.T) {
	i := inspect(t, &full{}, map[string]any{"n": int64(2), "gains": []any{1.0, int64(2)}})
	var names []string
	for _, p := range i.Ports {
		names = append(names, p.Name+":"+p.Kind.String())
	}
	want := "in:input vector:input out:output many1:input many2:input happens:event heard:handler enable:input"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("ports are\n%s, want\n%s", got, want)
	}
	if p := i.Port("in"); p.Unit != "rad" || !p.Trigger || p.Doc != "an input" || p.Show != "wanted" {
		t.Errorf("tags of port in were not read: %+v", p)
	}
	if o := i.Operation("moveTo"); o == nil || o.Show != "way" {
		t.Errorf("operation MoveTo is not called moveTo, or its tags were not read: %+v", o)
	}
	if g := i.Param("gain"); g.Value() != 2.0 || g.Min != 0 || g.Max != 10 {
		t.Errorf("parameter gain is %v in [%v, %v]", g.Value(), g.Min, g.Max)
	}
	if i.Port("out").Len() != 2 {
		t.Errorf("out has length %d, want n = 2", i.Port("out").Len())
	}
}

func TestWrongParametersAreNamed(t *testing.T) {
	for _, c := range []struct {
		param string
		value any
		want  string
	}{
		{"gain", 11.0, "gain is 11 V: wants at most 10"},
		{"gain", math.NaN(), "gain is NaN"},
		{"gain", "fast", `gain wants a number, got "fast"`},
		{"gain", "3 mV", `gain is in mV: wants V, got "3 mV": convert it, and write the number alone`},
		{"gain", "3mV", `gain is in mV: wants V, got "3mV": convert it, and write the number alone`},
		{"gain", "3", `gain wants a number, got "3": write 3 without quotes`},
		{"gains", "3", `gains wants a list of numbers, got "3": write 3 without quotes`},
		{"n", "3 joints", `n has no unit, got "3 joints": write the number alone`},
		{"gains", []any{1.0, "x"}, `gains[1] wants a number, got "x"`},
		{"peer", 3.0, "peer wants a text, got 3"},
		{"n", 1.5, "n wants a whole number, got 1.5"},
		{"n", int64(0), "n is 0: wants at least 1"},
		{"gian", 1.0, `no parameter "gian"`},
	} {
		_, errs := (&inspector{}).Inspect("b", &full{}, port.Given{Params: map[string]any{c.param: c.value}})
		if len(errs) != 1 || !strings.Contains(errs[0].Error(), c.want) {
			t.Errorf("%s = %v: errors %v, want %q", c.param, c.value, errs, c.want)
		}
	}
	if i := inspect(t, &full{}, map[string]any{"gain": "3 V"}); i.Param("gain").Value() != 3.0 {
		t.Error("a value with its unit is not understood")
	}
}

// alias links an input to an output of the same thread.
func alias[T any](in *In[T], out *Out[T]) bool {
	return (*inputField[T])(in).Alias((*outputField[T])(out))
}

// lapse makes an input read NoData while its value is too old.
func lapse[T any](in *In[T], late bool) bool { return (*inputField[T])(in).Lapse(late) }

func TestReadReportsStatus(t *testing.T) {
	var out Out[float64]
	var in In[float64]
	if _, s := in.Read(); s != NoData {
		t.Errorf("an input without a link reads %v", s)
	}
	if !alias(&in, &out) {
		t.Fatal("cannot link")
	}
	if _, s := in.Read(); s != NoData {
		t.Errorf("before the first write: %v", s)
	}
	out.Write(4)
	if v, s := in.Read(); v != 4 || s != NewData {
		t.Errorf("after a write: %v %v", v, s)
	}
	if v, s := in.Read(); v != 4 || s != OldData {
		t.Errorf("after a read: %v %v", v, s)
	}
	in.Feed(7)
	out.Write(5)
	if v, s := in.Read(); v != 7 || s != NewData {
		t.Errorf("fed by hand: %v %v", v, s)
	}
	in.Feed(8)
	if v, s := in.Read(); v != 8 || s != NewData {
		t.Errorf("fed again: %v %v", v, s)
	}
	if v, s := in.Read(); v != 8 || s != OldData {
		t.Errorf("fed and read before: %v %v", v, s)
	}
	out.Write(5)
	if v, s := in.Read(); v != 8 || s != NewData {
		t.Errorf("fed, and the link has brought a value: %v %v", v, s)
	}
	in.Release()
	if v, s := in.Read(); v != 5 || s != NewData {
		t.Errorf("released: %v %v", v, s)
	}
}

func TestWritingAnotherLengthPanics(t *testing.T) {
	f := &full{}
	inspect(t, f, nil)
	defer func() {
		if p := recover(); p == nil || !strings.Contains(p.(string), "length 2 was written to a port of length 3") {
			t.Errorf("panic is %v", p)
		}
	}()
	f.Out.Write([]float64{1, 2})
}

func TestOperationRunsOnCDR(t *testing.T) {
	i := inspect(t, &full{}, nil)
	op := i.Operation("moveTo")
	args, err := op.Args.FromValue(map[string]any{"x": 3.0, "y": 4.0})
	if err != nil {
		t.Fatal(err)
	}
	result := make([]byte, op.Result.Size())
	n, err := op.Serve(args, result)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := op.Result.Type().Value(result[:n]); err != nil || v != 5.0 {
		t.Errorf("hypot(3, 4) = %v, %v", v, err)
	}
	args, _ = op.Args.FromValue(map[string]any{"x": -3.0, "y": 4.0})
	if _, err := op.Serve(args, result); !errors.Is(err, errNegative) {
		t.Errorf("error is %v", err)
	}
}

func TestHandlerKeepsTheNewestEvents(t *testing.T) {
	var e Event[int64]
	var h, once Handler[int64]
	var heard []int64
	once.HandleAtOnce(func(n int64) { heard = append(heard, n) })
	(*handlerField[int64])(&h).Subscribe((*eventField[int64])(&e), nil)
	(*handlerField[int64])(&once).Subscribe((*eventField[int64])(&e), nil)
	for n := range int64(port.MaxPendingEvents + 3) {
		e.Emit(n)
	}
	if len(heard) != port.MaxPendingEvents+3 {
		t.Errorf("handled at once: %v", heard)
	}
	if first, ok := h.Take(); !ok || first != 3 {
		t.Errorf("the oldest event kept is %v, want 3", first)
	}
	var handled int
	h.Handle(func(int64) { handled++ })
	(*handlerField[int64])(&h).Dispatch()
	if handled != port.MaxPendingEvents-1 || h.New() {
		t.Errorf("%d events handled", handled)
	}
}

type caller struct {
	call Caller[point, float64]
}

func (c *caller) Setup(s *Setup) error {
	Bind(s, &c.call, "b", "moveTo")
	return nil
}

func TestCallerSendsAcrossThreads(t *testing.T) {
	target := inspect(t, &full{}, nil)
	c := &caller{}
	i := inspect(t, c, nil)
	if err := i.Bindings[0].Resolve(target.Operation("moveTo"), false); err != nil {
		t.Fatal(err)
	}
	if _, err := c.call.Call(point{3, 4}); !errors.Is(err, ErrOtherThread) {
		t.Errorf("Call across threads: %v", err)
	}
	h, err := c.call.Send(point{3, 4})
	if err != nil {
		t.Fatal(err)
	}
	if _, done, _ := h.Poll(); done {
		t.Error("done before it was served")
	}
	if _, err := c.call.Send(point{}); !errors.Is(err, ErrBusy) {
		t.Errorf("a second request: %v", err)
	}
	i.Bindings[0].Serve()
	if v, done, err := h.Poll(); v != 5 || !done || err != nil {
		t.Errorf("result %v, %v, %v", v, done, err)
	}
	h, _ = c.call.Send(point{3, 4})
	if !h.Cancel() {
		t.Error("cannot cancel")
	}
	i.Bindings[0].Serve()
	if _, done, err := h.Poll(); !done || !errors.Is(err, ErrCanceled) {
		t.Errorf("canceled: %v, %v", done, err)
	}
}

func TestPortsAllocateNothing(t *testing.T) {
	f := &full{}
	i := inspect(t, f, nil)
	var in In[[]float64]
	alias(&in, &f.Out)
	buf := make([]byte, i.Port("out").Layout().Size())
	v := []float64{1, 2, 3}
	testkit.NoAllocs(t, 1000, func() {
		f.Out.Write(v)
		in.Read()
		i.Port("out").Encode(buf)
	})
}

func TestInputReturnsTheAgeOfItsData(t *testing.T) {
	var in In[float64]
	var out Out[float64]
	if in.Age() != 0 {
		t.Errorf("out of every thread the age is %v", in.Age())
	}
	now := clock.At(5)
	(*inputField[float64])(&in).RunBy(&now)
	(*outputField[float64])(&out).RunBy(&now)
	if in.Age() != 5 {
		t.Errorf("before the first value the age is %v, want the time since the start", in.Age())
	}
	alias(&in, &out)
	now = 7
	out.Write(1)
	now = 10
	if in.Age() != 3 {
		t.Errorf("the age is %v, want 3", in.Age())
	}
	if !lapse(&in, true) {
		t.Error("the port has not lapsed")
	}
	if v, s := in.Read(); s != NoData || v != 1 || in.New() {
		t.Errorf("a lapsed port reads %v, %v", v, s)
	}
	out.Write(2)
	if lapse(&in, false) {
		t.Error("the port has lapsed")
	}
	if v, s := in.Read(); s != NewData || v != 2 || in.Age() != 0 {
		t.Errorf("the port reads %v, %v of %v", v, s, in.Age())
	}
	lapse(&in, true)
	in.Feed(3)
	now = 20
	if v, s := in.Read(); s != NewData || v != 3 || lapse(&in, true) || in.Age() != 10 {
		t.Errorf("a fed port reads %v, %v of %v", v, s, in.Age())
	}
	in.Release()
	if v, s := in.Read(); s != NewData || v != 2 {
		t.Errorf("a released port reads %v, %v", v, s)
	}
}
