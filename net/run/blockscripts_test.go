package run

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
)

// runScripted runs a system of two waves with scripts in virtual time and returns its lines, the structure at the end of the
// run, and the error. extra is put behind the system file.
func runScripted(t *testing.T, until time.Duration, files map[string]string, extra string) (lines string, blocks map[string]admin.Block, err error) {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{"x.yaml": `system: x
threads: {servo: {period: 10ms}}
blocks:
  a: {type: run.wave, script: a.star}
groups:
  arm: {include: arm.yaml}
` + extra, "arm.yaml": "blocks: {b: {type: run.wave, script: b.star}}\n"}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	registry := block.NewRegistry([]block.Entry{block.Of[wave](""), block.Of[bell]("")})
	sys, err := system.Load(filepath.Join(dir, "x.yaml"), system.Options{Registry: registry})
	if err != nil {
		return "", nil, err
	}
	var out bytes.Buffer
	r, err := System(context.Background(), sys, Options{Virtual: true, Until: until, Output: &out})
	if err != nil {
		return "", nil, err
	}
	err = r.Wait()
	s, structureErr := r.Local.Structure(context.Background())
	if structureErr != nil {
		t.Fatal(structureErr)
	}
	blocks = map[string]admin.Block{}
	for _, b := range s.Blocks {
		blocks[b.Name] = b
	}
	return out.String(), blocks, err
}

func TestScriptsOfBlocksRunWithTheirBlocks(t *testing.T) {
	files := map[string]string{
		"a.star": `
log("a begins", self.amplitude)
self.amplitude = 2
machine("up", {
    "up": state(to = [when(lambda: self.out > 1.9, "down")]),
    "down": state(entry = lambda: log("a is up"), to = [when(lambda: self.out < -1.9, "end")]),
    "end": state(),
})
log("a ends")
`,
		"b.star": "log('b begins')\nwait(0.5)\na.amplitude = 3\nlog('b ends', self.amplitude)\n",
	}
	first, blocks, err := runScripted(t, 0, files, "")
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	// By hand: 2 sin 2πt exceeds 1.9 from 0.1995 s on, and with the amplitude 3 -3 sin 2πt does from 0.6093 s on. The ticks are 10 ms apart.
	for _, want := range []string{"0.000 s  a begins 1.0", "0.000 s  b begins", "0.200 s  a is up", "0.500 s  b ends 1.0", "0.610 s  a ends"} {
		i := strings.Index(first[at:], want)
		if i < 0 {
			t.Fatalf("no %q in its place:\n%s", want, first)
		}
		at += i
	}
	for name, file := range map[string]string{"a": "a.star", "arm.b": "b.star"} {
		s := blocks[name].Script
		if s == nil || filepath.Base(s.File) != file || s.State != admin.ScriptEnded {
			t.Errorf("%s is listed with the script %+v", name, s)
		}
	}
	for range 5 {
		if again, _, _ := runScripted(t, 0, files, ""); again != first {
			t.Fatalf("another run differs:\n%s\n%s", first, again)
		}
	}
}

// "The ExecutionEngine is executed according to the activity of the component": no activity, no script.
func TestScriptOfABlockPausesWhileItIsDisabled(t *testing.T) {
	lines, blocks, err := runScripted(t, 3*time.Second, map[string]string{
		"a.star": "while True:\n    log('a')\n    wait(0.1)\n",
		"b.star": "wait(0.55)\na.enable = False\nwait(1)\na.release('enable')\nwait(0.5)\na.enable = False\n",
	}, "")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(lines, "  a\n"); n < 9 || n > 13 {
		t.Errorf("the script logs %d times in 3 s, of which its block is disabled for 2 s:\n%s", n, lines)
	}
	if s := blocks["a"].Script; s == nil || s.State != admin.ScriptPaused && s.State != admin.ScriptEnded {
		t.Errorf("the script of a disabled block is %+v", s)
	}
}

func TestScriptOfABlockFailsWithItsPosition(t *testing.T) {
	lines, blocks, err := runScripted(t, time.Second, map[string]string{
		"a.star": "wait(0.1)\nself.amplitud = 3\n", "b.star": "wait(0.5)\nlog('b goes on')\n",
	}, "")
	if !errors.Is(err, ErrFaults) {
		t.Errorf("the run ends with %v", err)
	}
	for _, want := range []string{"b goes on", `block "a" is in error: its script: `, "a.star:2:5", `did you mean "amplitude"?`} {
		if !strings.Contains(lines, want) {
			t.Errorf("no %q in\n%s", want, lines)
		}
	}
	if s := blocks["a"].Script; s == nil || s.State != admin.ScriptFailed || !strings.Contains(s.Error, "a.star:2:5") {
		t.Errorf("the script is listed as %+v", s)
	}
}

func TestScriptOfABlockBeginsAgainAfterAReset(t *testing.T) {
	lines, blocks, err := runScripted(t, 0, map[string]string{
		"a.star": "log('a begins')\nwait(0.1)\nif now() < 0.5:\n    fail('too early')\nlog('a ends')\n", "b.star": "wait(0.6)\na.reset()\nwait(0.3)\n",
	}, "")
	if !errors.Is(err, ErrFaults) || strings.Count(lines, "a begins") != 2 || !strings.Contains(lines, "a ends") {
		t.Errorf("%v:\n%s", err, lines)
	}
	if s := blocks["a"].Script; s == nil || s.State != admin.ScriptEnded {
		t.Errorf("the script is listed as %+v", s)
	}
}

// A script that does not give the thread back would stop all blocks of it.
func TestScriptOfABlockInAnEndlessLoopPutsItInError(t *testing.T) {
	lines, _, err := runScripted(t, 100*time.Millisecond, map[string]string{
		"a.star": "n = 0\nwhile self.amplitude > 0:\n    n += 1\n", "b.star": "wait(0.05)\nlog('b goes on')\n",
	}, "")
	if !errors.Is(err, ErrFaults) || !strings.Contains(lines, "a.star:") || !strings.Contains(lines, "more than 1000000 steps without waiting: an endless loop?") ||
		!strings.Contains(lines, "b goes on") {
		t.Errorf("%v:\n%s", err, lines)
	}
}

func TestScriptOfABlockReachesTheBlocksOfItsThreadOnly(t *testing.T) {
	for _, line := range []string{"log(far.n)", "far.amplitude = 2", "wait_event(far.out_again)"} {
		lines, _, err := runScripted(t, 50*time.Millisecond, map[string]string{
			"a.star": "log(b.amplitude)\n" + line, "x.yaml": `system: x
threads: {servo: {period: 10ms}, slow: {period: 20ms}}
blocks:
  a: {type: run.wave, thread: servo, script: a.star}
  b: {type: run.wave, thread: servo}
  far: {type: run.bell, thread: slow}
`}, "")
		if !errors.Is(err, ErrFaults) || !strings.Contains(lines, "1.0") || !strings.Contains(lines, "a.star:2:") ||
			!strings.Contains(lines, `block "far" runs in thread "slow"`) || !strings.Contains(lines, "the script of the system") {
			t.Errorf("%s: %v\n%s", line, err, lines)
		}
	}
}

// bell counts its activations and rings at each third.
type bell struct {
	Amplitude block.Param[float64]
	Mark      block.Param[float64] `doc:"what its script has set"`
	N         block.Out[float64]
	Marked    block.Out[float64]
	OutAgain  block.Event[float64]
	Double    block.Operation[float64, float64]
	n         float64
}

func (b *bell) Setup(*block.Setup) error {
	b.Double.Handle(func(x float64) (float64, error) { return 2 * x, nil })
	return nil
}

func (b *bell) Step(clock.Tick) error {
	b.n++
	b.N.Write(b.n)
	b.Marked.Write(b.Mark.Value())
	if int(b.n)%3 == 0 {
		b.OutAgain.Emit(b.n)
	}
	return nil
}

// The script reads, calls and sets in the very activation in which its condition became true, and its machine enters one state in it.
func TestScriptOfABlockReactsInTheActivationOfItsCondition(t *testing.T) {
	lines, _, err := runScripted(t, 0, map[string]string{"x.yaml": `system: x
threads: {servo: {period: 4ms}}
blocks: {a: {type: run.bell, script: a.star}}
`, "a.star": `
wait_for(lambda: self.n >= 7)
self.mark = self.double(self.n)
log("condition", self.n, self.mark, self.marked)
log("event", wait_event(self.out_again), self.n, self.marked)
wait(0.04)
log("wait", self.n)
machine("a", {
    "a": state(to = [when(lambda: self.n >= 20, "b")]),
    "b": state(entry = lambda: log("entry", self.n), to = [on(self.out_again, "c")]),
    "c": state(entry = lambda: log("event", self.n), to = [after(0.02, "d")]),
    "d": state(entry = lambda: log("after", self.n)),
})
`}, "")
	want := `    0.024 s  condition 7.0 14.0 0.0
    0.032 s  event 9.0 9.0 14.0
    0.072 s  wait 19.0
    0.076 s  entry 20.0
    0.080 s  event 21.0
    0.100 s  after 26.0
`
	if err != nil || lines != want {
		t.Errorf("%v: got\n%s\nwant\n%s", err, lines, want)
	}
}

// The log of a run in real time is the same, byte for byte, as that in virtual time: where the machine skipped no period.
func TestScriptsOfBlocksDoTheSameInRealTime(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"x.yaml": `system: x
threads: {servo: {period: 20ms}}
blocks: {a: {type: run.bell, script: a.star}}
record: {ports: ["*"]}
`, "a.star": `
while True:
    wait_for(lambda: int(self.n) % 5 == 0)
    self.mark = self.n + now()
    wait_event(self.out_again)
    self.mark = self.double(self.mark)
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(o Options) (log string, slips uint64) {
		o.Until, o.Log, o.OneProcess, o.Output = 600*time.Millisecond, filepath.Join(dir, "log.csv"), true, &bytes.Buffer{}
		sys, err := system.Load(filepath.Join(dir, "x.yaml"), system.Options{Registry: block.NewRegistry([]block.Entry{block.Of[bell]("")})})
		if err != nil {
			t.Fatal(err)
		}
		r, err := System(context.Background(), sys, o)
		if err == nil {
			err = r.Wait()
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "log.csv"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text), r.Front.Stats()[0].Slips
	}
	fast, _ := run(Options{Virtual: true})
	if !strings.Contains(fast, "40.76") { // 20 + 0.38 at n = 20, doubled at n = 21
		t.Errorf("the script does not do what it should:\n%s", fast)
	}
	testkit.Await(t, "a run without a missed period", func() bool {
		log, slips := run(Options{})
		if slips == 0 && log != fast {
			t.Errorf("in real time:\n%s\nin virtual time:\n%s", log, fast)
		}
		return slips == 0
	})
}

// stuck is a block whose operation returns when its channel is closed.
type stuck struct {
	Hold    block.Operation[block.None, block.None]
	Release chan struct{}
}

func (s *stuck) Setup(*block.Setup) error {
	s.Hold.Handle(func(block.None) (block.None, error) {
		<-s.Release
		return block.None{}, nil
	})
	return nil
}

func (*stuck) Step(clock.Tick) error { return nil }

// The thread's watchdog applies to the script: it names the block whose script does not give the thread back.
func TestWatchdogNamesTheBlockWhoseScriptHangs(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"x.yaml": "system: x\nthreads: {servo: {period: 10ms, watchdog: 50ms}}\nblocks: {a: {type: run.stuck, script: a.star}}\n", "a.star": "self.hold()\nlog('it goes on')\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sys, err := system.Load(filepath.Join(dir, "x.yaml"), system.Options{Registry: block.NewRegistry([]block.Entry{block.Of[stuck]("")})})
	if err != nil {
		t.Fatal(err)
	}
	release := make(chan struct{})
	sys.Net.Blocks[0].Block.(*stuck).Release = release
	var out lockedBuffer
	ctx, stop := context.WithCancel(context.Background())
	r, err := System(ctx, sys, Options{OneProcess: true, Output: &out})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- r.Wait() }()
	testkit.Await(t, "the warning", func() bool {
		return strings.Contains(out.String(), `thread "servo" hangs in `) && strings.Contains(out.String(), `block "a"`)
	})
	close(release)
	testkit.Await(t, "the script to go on", func() bool { return strings.Contains(out.String(), "it goes on") })
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// lockedBuffer is a buffer for several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestScriptOfABlockInAThreadWithPriorityIsAnError(t *testing.T) {
	_, _, err := runScripted(t, time.Second, map[string]string{"a.star": "", "b.star": "", "x.yaml": `system: x
threads: {servo: {period: 10ms, priority: 80}}
blocks: {a: {type: run.wave, script: a.star}}
`}, "")
	if err == nil || !strings.Contains(err.Error(), `x.yaml:3:10: block "a": its script runs in its activity and allocates, and thread "servo" has priority 80`) {
		t.Errorf("got %v", err)
	}
}

func TestOverlayRemovesTheScriptOfABlock(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"x.yaml": "system: x\nthreads: {t: {period: 10ms}}\nblocks: {a: {type: run.wave, script: lost.star}}\n", "o.yaml": "blocks: {a: {script: null}}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := system.Options{Registry: block.NewRegistry([]block.Entry{block.Of[wave]("")}), Overlays: []string{filepath.Join(dir, "o.yaml")}}
	if sys, err := system.Load(filepath.Join(dir, "x.yaml"), o); err != nil || len(sys.Scripts) != 0 {
		t.Errorf("got %v", err)
	}
}

func TestMissingOrBrokenScriptOfABlockIsAnError(t *testing.T) {
	for text, files := range map[string]map[string]string{
		"x.yaml:4:31: read":   {"b.star": ""},
		"arm.yaml:1:38: read": {"a.star": ""},
		`script of block "a"`: {"a.star": "x = (", "b.star": ""},
	} {
		if _, _, err := runScripted(t, time.Second, files, ""); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("got %v, expected %q", err, text)
		}
	}
}
