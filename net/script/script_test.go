package script_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/script"
	"github.com/sinew-robotics/sinew/net/thread"
)

func TestMain(m *testing.M) { testkit.Main(m) }

type move struct {
	Positions []float64
	Duration  float64
}

// ramp rises by Rate each second, and emits an event when it passes a whole number.
type ramp struct {
	In     block.In[float64]
	Out    block.Out[float64]
	Rate   block.Param[float64]           `default:"1" min:"0" max:"10"`
	Name   block.Const[string]            `default:"r"`
	MoveTo block.Operation[move, float64] `name:"moveTo"`
	Passed block.Event[float64]           `name:"passed"`

	Pass block.Operation[block.None, block.None] `name:"passed"` // which the event has, too
}

var errNegative = errors.New("the duration must be positive")

func (r *ramp) Setup(u *block.Setup) error {
	u.Len(2, &r.MoveTo)
	r.MoveTo.Handle(func(m move) (float64, error) {
		if m.Duration < 0 {
			return 0, errNegative
		}
		return m.Positions[0] + m.Positions[1] + m.Duration, nil
	})
	r.Pass.Handle(func(block.None) (block.None, error) {
		r.Out.Write(math.Ceil(r.Out.Value()))
		return block.None{}, nil
	})
	return nil
}

func (r *ramp) Step(t clock.Tick) error {
	old := r.Out.Value()
	r.Out.Write(old + r.Rate.Value()*t.Seconds())
	if int(old) < int(r.Out.Value()) {
		r.Passed.Emit(float64(int(r.Out.Value())))
	}
	return nil
}

func newCore(t testing.TB, until time.Duration) *thread.Core {
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "main", Period: 10 * time.Millisecond})
	d.Add("ramp", &ramp{}, diagram.Place{Thread: "main"})
	d.Add("arm.left.ramp", &ramp{}, diagram.Place{Thread: "main"})
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	return thread.New(net, thread.Options{Until: clock.At(until)})
}

// execute runs scripts in virtual time, main.star first, and returns the log, the error and the end time.
func execute(t testing.TB, scripts map[string]string) (out string, end clock.Time, err error) {
	t.Helper()
	files := fstest.MapFS{}
	for name, text := range scripts {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	program, err := script.Load(files, "main.star")
	if err != nil {
		return "", 0, err
	}
	core := newCore(t, 20*time.Second)
	local := admin.NewLocal(core.Front(), nil)
	var log bytes.Buffer
	core.Front().Go(func(p *thread.Participant) { err = program.Run(local.As(p), &log) })
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Error(err)
	}
	return log.String(), core.Front().Now(), err
}

func TestScriptDrivesTheSystem(t *testing.T) {
	text := `
load("lib/helpers.star", "twice")
wait_until(1)
log("result", ramp.moveTo([1.0, 2], 3), arm.left.ramp.moveTo(positions = (1, 1), duration = 2))
ramp.rate = 4
log("rate", ramp.rate, twice(2), ramp.name)
ramp.enable = False
before = ramp.out
wait(1)
log("disabled", before == ramp.out, ramp.age("out") > 0.9 and ramp.age("out") < 1.1)
ramp.release("enable")
log("reached", wait_for(lambda: ramp.out > 5, timeout = 3), wait_for(lambda: ramp.out > 500, timeout = 0.5, otherwise = False))
log("event", wait_event(arm.left.ramp.passed), wait_event(arm.left.ramp.passed, timeout = 0.1, otherwise = None))
log(math.floor(now()))
stop()
`
	files := map[string]string{"main.star": text, "lib/helpers.star": "load(\"more.star\", \"two\")\ndef twice(x): return two * x\n", "lib/more.star": "two = 2\n"}
	first, end, err := execute(t, files)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1.010 s  result 6.0 4.0", "rate 4.0 4 r", "disabled True True", "reached True False", "event 3.0 None", "s  3\n"} {
		if !strings.Contains(first, want) {
			t.Errorf("log without %q:\n%s", want, first)
		}
	}
	if end > clock.At(5*time.Second) {
		t.Errorf("the system stopped at %v", end)
	}
	if second, again, _ := execute(t, files); second != first || again != end {
		t.Errorf("a second run differs:\n%s", second)
	}
}

func TestOperationAndEventOfOneName(t *testing.T) {
	log, _, err := execute(t, map[string]string{"main.star": `
wait_until(2.5)
log(wait_event(ramp.passed))
ramp.passed()
wait(0.02)
log("passed", ramp.out)
stop()
`})
	if err != nil || !strings.Contains(log, "  3.0\n") || !strings.Contains(log, "passed 4.0") {
		t.Errorf("%v\n%s", err, log)
	}
}

func TestErrorsNamePositionAndRemedy(t *testing.T) {
	for text, words := range map[string][]string{
		"x = 1\nramp.moveto([1, 2], 3)":            {"main.star:2:5", `"moveto"`, `did you mean "moveTo"?`},
		"ramp.moveTo([1, 2], -3)":                  {"main.star:1:12", "ramp.moveTo", "positive"},
		"ramp.moveTo([1], 3)":                      {"main.star:1:12", "ramp.moveTo", "positions"},
		"wait_for(lambda: [1.0, 2.0] > 0)":         {"main.star:1:", "a port of several elements is a list: take one of them, as out[0]"},
		"x = [1.0] - 1.0":                          {"main.star:1:", "as out[0]"},
		"ramp.rate = 11":                           {"main.star:1:5", "ramp.rate", "11"},
		"ramp.rate = float('nan')":                 {"main.star:1:5", "ramp.rate", "NaN"},
		"ramp.rate = 'x'":                          {"main.star:1:5", "ramp.rate"},
		"ramp.name = 'x'":                          {"main.star:1:5", "ramp.name", "fixed"},
		"ramp.rat = 3":                             {"main.star:1:5", `"rate"`},
		"rmap.rate = 3\nwiat(3)":                   {"main.star:1:1", "ramp", "main.star:2:1", "wait"},
		"arm.right.ramp.rate = 3":                  {"main.star:1:4", `"right"`, "left"},
		"def f():\n  g()\ndef g():\n  1 // 0\nf()": {"main.star:4:5", "division", "called from main.star:2:4, main.star:5:2"},
		"x = (":                  {"main.star:1:6"},
		"load('none.star', 'x')": {"main.star:1:1", "none.star"},
		"load('bad.star', 'x')":  {"bad.star:2:3", "division"},
		"load('self.star', 'x')": {"self.star", "loads itself"},
		"machine('a', {'a': state(to = [after(1, 'bb')])})": {"main.star:1:8", `"bb"`, "leads"},
		"machine('b', {'a': state()})":                      {"main.star:1:8", `"b"`},
		"wait_for(lambda: False, timeout = 0.5)":            {"main.star:1:9", "the condition was still false after 0.5 s; to go on then", "otherwise = False"},
		"wait_event(ramp.passed, timeout = 0.1)":            {"main.star:1:11", "ramp.passed did not happen within 0.1 s"},
		"wait_event(ramp.out)":                              {"main.star:1:11", "event"},
		"while True: pass":                                  {"main.star:1", "endless loop"},
		"while True: ramp.name":                             {"main.star:1", "endless loop"},
	} {
		_, end, err := execute(t, map[string]string{"main.star": text, "bad.star": "x = 1\n1 // 0", "self.star": "load('self.star', 'x')"})
		for _, w := range words {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%q: error %v, wants %q", text, err, w)
			}
		}
		if err != nil && strings.Count(err.Error(), "did you mean") > 1+strings.Count(err.Error(), "\n") {
			t.Errorf("%q: two hints: %v", text, err)
		}
		if end != 0 && end != clock.At(20*time.Second) {
			t.Errorf("%q: the script's mistake stopped the system at %v", text, end)
		}
	}
}

func TestMachineFollowsTransitions(t *testing.T) {
	out, _, err := execute(t, map[string]string{"main.star": `
def enter(name): return lambda: log("enter", name)
end = machine("rest", {
    "rest": state(entry = enter("rest"), exit = lambda: log("leave rest"), to = [after(0.5, "rise")]),
    "rise": state(entry = enter("rise"), to = [on(ramp.passed, "high"), after(9, "rest")]),
    "high": state(entry = enter("high"), to = [when(lambda: ramp.out > 1.5, "done")]),
    "done": state(entry = enter("done")),
})
log("end", end)
stop()
`})
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, want := range []string{"enter rest", "leave rest", "enter rise", "enter high", "enter done", "end done"} {
		i := strings.Index(out[at:], want)
		if i < 0 {
			t.Fatalf("no %q in its place:\n%s", want, out)
		}
		at += i
	}
}

// TestEndlessScriptsEndWithTheSystem checks that no script can stop virtual time.
func TestEndlessScriptsEndWithTheSystem(t *testing.T) {
	for _, text := range []string{
		"while True: wait(0.1)",
		"while True: ramp.out",
		"wait_event(ramp.passed)\nwhile True: wait_event(ramp.passed)",
		"wait_for(lambda: False)",
		"wait(1e300)",
		"machine('a', {'a': state(to = [after(0, 'b')]), 'b': state(to = [after(0, 'a')])})",
	} {
		if _, end, err := execute(t, map[string]string{"main.star": text}); err != nil || end != clock.At(20*time.Second) {
			t.Errorf("%q ended at %v with %v", text, end, err)
		}
	}
}

func TestPromptEvaluatesAndCompletesLines(t *testing.T) {
	core := newCore(t, 0)
	local := admin.NewLocal(core.Front(), nil)
	core.Front().Go(func(p *thread.Participant) {
		defer core.Stop()
		prompt, err := script.NewPrompt(local.As(p), &bytes.Buffer{})
		if err != nil {
			t.Error(err)
			return
		}
		defer prompt.Close()
		for _, c := range []struct{ line, want string }{
			{"1 + 1", "2"}, {"ramp.rate = 3", ""}, {"ramp.rate", "3.0"}, {"x = ramp.rate", ""}, {"x * 2", "6.0"}, {"", ""},
			{"ramp.moveTo([1, 2], 3)", "6.0"},
		} {
			if got, err := prompt.Eval(c.line); got != c.want || err != nil {
				t.Errorf("%q gives %q, %v; want %q", c.line, got, err, c.want)
			}
		}
		for _, bad := range []string{"(", "ramp.nothing", "1 // 0", "y", "for", "load('a', 'b')"} {
			if got, err := prompt.Eval(bad); err == nil {
				t.Errorf("%q gives %q and no error", bad, got)
			}
		}
		for line, want := range map[string]string{"ra": "ramp", "log(ramp.ra": "ramp.rate", "arm.left.": "arm.left.ramp", "arm.left.ramp.mo": "arm.left.ramp.moveTo"} {
			if got := prompt.Complete(line); !strings.Contains(strings.Join(got, " "), want) {
				t.Errorf("%q completes to %v, want %s", line, got, want)
			}
		}
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestScriptRunsInRealTime(t *testing.T) {
	files := fstest.MapFS{"main.star": {Data: []byte("wait(0.05)\nlog(ramp.out > 0)\nstop()\nwait(100)")}}
	program, err := script.Load(files, "main.star")
	if err != nil {
		t.Fatal(err)
	}
	core := newCore(t, 0)
	var out bytes.Buffer
	local := admin.NewLocal(core.Front(), nil)
	core.Front().Go(func(p *thread.Participant) {
		if err := program.Run(local.As(p), &out); err != nil {
			t.Error(err)
		}
	})
	if err := core.Run(context.Background(), nil); err != nil {
		t.Error(err)
	}
	if !strings.Contains(out.String(), "True") {
		t.Errorf("log %q", out.String())
	}
}

func FuzzLoad(f *testing.F) {
	for _, s := range []string{"", "x = 1", "(", "def f(:", "load('a', 'b')", "\x00", "'''", strings.Repeat("[", 1000), "if 1:\n\tx\n  y"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := script.Load(fstest.MapFS{"f.star": {Data: text}}, "f.star")
		if err != nil && !strings.Contains(err.Error(), "f.star") {
			t.Errorf("an error without the file's name: %v", err)
		}
	})
}

func TestDeepNestingIsAnError(t *testing.T) {
	text := bytes.Repeat([]byte("("), script.MaxBytes)
	if _, err := script.Load(fstest.MapFS{"f.star": {Data: text}}, "f.star"); err == nil {
		t.Error("a script of open brackets was accepted")
	}
}

// FuzzPrompt evaluates arbitrary lines at a prompt: each yields a value or an error, and completion ends.
func FuzzPrompt(f *testing.F) {
	for _, s := range []string{"1+1", "ramp.out", "ramp.rate = NaN", "ramp.", "x = ", "(", "def f():", "\x00", "ramp.moveTo([1], 1e-300)", "arm.left.ramp.", "1/0", "[0]*9"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if len(line) > 200 || strings.ContainsAny(line, "*") || strings.Contains(line, "wait") || strings.Contains(line, "for") || strings.Contains(line, "<<") {
			return // they legitimately take arbitrary time and memory
		}
		core := newCore(t, time.Second)
		local := admin.NewLocal(core.Front(), nil)
		core.Front().Go(func(p *thread.Participant) {
			defer core.Stop()
			prompt, err := script.NewPrompt(local.As(p), &bytes.Buffer{})
			if err != nil {
				t.Error(err)
				return
			}
			defer prompt.Close()
			prompt.Complete(line)
			if _, err := prompt.Eval(line); err != nil && err.Error() == "" {
				t.Error("an error without a message")
			}
		})
		_ = core.RunVirtual(context.Background()) // a line may stop or fault the system
	})
}
