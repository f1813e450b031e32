package run

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/deploy"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/system"
)

// weights is what the scale is asked: how far to scale which values.
type weights struct {
	Values []float64
	By     float64
}

// scale scales values. It refuses a factor of 0, and panics at a negative one.
type scale struct {
	Scale block.Operation[weights, []float64]
	runs  atomic.Int64
}

var errNothing = errors.New("scaling by 0 leaves nothing")

func (s *scale) Setup(b *block.Setup) error {
	b.Len(3, &s.Scale)
	result := make([]float64, 3)
	s.Scale.Handle(func(w weights) ([]float64, error) {
		s.runs.Add(1)
		switch {
		case w.By == 0:
			return nil, errNothing
		case w.By < 0:
			panic("negative")
		}
		for i, v := range w.Values {
			result[i] = v * w.By
		}
		return result, nil
	})
	return nil
}

func (s *scale) Step(clock.Tick) error { return nil }

// asker calls the scale with one factor after another, and keeps what comes back.
type asker struct {
	scale  block.Caller[weights, []float64]
	handle block.Handle[weights, []float64]
	by     atomic.Int64 // the next factor; asked holds the last one sent
	asked  int64
	sent   atomic.Int64 // calls
	under  bool
	sum    atomic.Int64
	done   atomic.Int64
	err    atomic.Pointer[string]
	cancel atomic.Bool
}

func (a *asker) Setup(s *block.Setup) error {
	block.Bind(s, &a.scale, "scale", "scale")
	return nil
}

func (a *asker) Step(clock.Tick) error {
	if a.under {
		if a.cancel.CompareAndSwap(true, false) {
			a.handle.Cancel()
		}
		result, done, err := a.handle.Poll()
		if !done {
			return nil
		}
		a.under = false
		text, sum := "", 0.0
		if err != nil {
			text = err.Error()
		}
		for _, v := range result {
			sum += v
		}
		a.err.Store(&text)
		a.sum.Store(int64(sum))
		a.done.Add(1)
	}
	if by := a.by.Load(); by != a.asked {
		a.asked, a.under = by, true
		a.sent.Add(1)
		var err error
		if a.handle, err = a.scale.Send(weights{[]float64{1, 2, 3}, float64(by)}); err != nil {
			return err
		}
	}
	return nil
}

// ask asks for a factor and waits for what comes back.
func (a *asker) ask(t *testing.T, by int64) (sum int64, problem string) {
	t.Helper()
	before := a.done.Load()
	a.by.Store(by)
	testkit.Await(t, "the call has its answer", func() bool { return a.done.Load() > before })
	return a.sum.Load(), *a.err.Load()
}

// Calls of operations in another process return what the same calls in one process do; each runs once, and survives the end of
// the process that it asks.
func TestCallsOfOtherProcessesReturnTheSameResults(t *testing.T) {
	testkit.NoLeaks(t)
	name := systemName(t)
	build := func() (*diagram.Diagram, *asker, *scale) {
		a, s := &asker{}, &scale{}
		a.asked = 1000
		a.by.Store(1000)
		d := diagram.New(name)
		d.Thread(diagram.Thread{Name: "asks", Period: time.Millisecond, Process: "one"})
		d.Thread(diagram.Thread{Name: "answers", Period: 2 * time.Millisecond, Process: "two"})
		d.Add("asker", a, diagram.Place{Thread: "asks"})
		d.Add("scale", s, diagram.Place{Thread: "answers"})
		return d, a, s
	}
	d, a, _ := build()
	run(t, name, d, "one")
	d, _, s := build()
	two := run(t, name, d, "two")
	two.faulty.Store(true)
	if sum, problem := a.ask(t, 2); sum != 12 || problem != "" {
		t.Errorf("scaled by 2 the sum is %d (%s), want 12", sum, problem)
	}
	if _, problem := a.ask(t, 0); problem != errNothing.Error() {
		t.Errorf("the error is %q, want %q", problem, errNothing)
	}
	time.Sleep(250 * time.Millisecond) // in which a request without answer would be sent again
	if n := s.runs.Load(); n != 2 {
		t.Errorf("two calls have run %d times", n)
	}
	if _, problem := a.ask(t, -1); problem != block.ErrPanicked.Error() {
		t.Errorf("the error is %q, want %q", problem, block.ErrPanicked)
	}
	testkit.Await(t, "the block is in error", func() bool {
		f := two.core.Front().Faults()
		return len(f) == 1 && f[0].Block == "scale" && strings.Contains(f[0].Why, "negative")
	})

	two.stop()
	before := a.done.Load()
	a.by.Store(5)
	time.Sleep(50 * time.Millisecond)
	if a.done.Load() != before {
		t.Errorf("an answer came from a process that has ended: %s", *a.err.Load())
	}
	d, _, s = build()
	run(t, name, d, "two")
	testkit.Await(t, "the process that was started again answers", func() bool { return a.done.Load() > before })
	if sum := a.sum.Load(); sum != 30 || s.runs.Load() != 1 {
		t.Errorf("scaled by 5 the sum is %d after %d runs, want 30 after 1", sum, s.runs.Load())
	}
}

// A call that was cancelled makes room for the next.
func TestCallsAreGivenUp(t *testing.T) {
	name := systemName(t)
	a := &asker{}
	d := diagram.New(name)
	d.Thread(diagram.Thread{Name: "asks", Period: time.Millisecond, Process: "one"})
	d.Thread(diagram.Thread{Name: "answers", Period: time.Millisecond, Process: "two"})
	d.Add("asker", a, diagram.Place{Thread: "asks"})
	d.Add("scale", &scale{}, diagram.Place{Thread: "answers"})
	p := run(t, name, d, "one")
	a.by.Store(1)
	testkit.Await(t, "the call is sent", func() bool { return a.sent.Load() == 1 })
	a.cancel.Store(true)
	testkit.Await(t, "the call is given up", func() bool { return a.done.Load() == 1 })
	if text := *a.err.Load(); text != block.ErrCanceled.Error() {
		t.Errorf("the error is %q, want %q", text, block.ErrCanceled)
	}
	a.by.Store(2)
	testkit.Await(t, "the next call is sent", func() bool { return a.sent.Load() == 2 })
	time.Sleep(20 * time.Millisecond) // in which an error would be reported
	if f := p.core.Front().Faults(); len(f) > 0 {
		t.Errorf("the next call is an error: %v", f)
	}
}

// Between hosts a bridge carries requests and answers.
func TestBridgesCarryCalls(t *testing.T) {
	path := filepath.Join(t.TempDir(), "calls.yaml")
	err := os.WriteFile(path, []byte(`system: calls
threads: {asks: {period: 1ms}, answers: {period: 2ms}}
blocks:
  asker: {type: run.asker, thread: asks}
  scale: {type: run.scale, thread: answers}
deploy:
  hosts: {desk: local, arm: {ssh: arm}}
  processes: {plan: {threads: [asks]}, servo: {host: arm, threads: [answers]}}
`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	registry := block.NewRegistry([]block.Entry{block.Of[asker](""), block.Of[scale]("")})
	sys, err := system.Load(path, system.Options{Registry: registry})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := deploy.NewPlan(deploy.Launch{System: sys, Sinew: "sinew"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"asker..scale.scale": "local", "scale.scale..asker": "arm"}
	for _, bridge := range []*deploy.BridgePlan{plan.Bridge, plan.Remotes[0].Plan.Bridge} {
		for name, from := range want {
			if !slices.ContainsFunc(bridge.Links, func(w deploy.BridgedLink) bool { return w.Link.Name == name && w.From == from && len(w.To) == 1 }) {
				t.Errorf("no link %s from %s: %+v", name, from, bridge.Links)
			}
		}
	}
}
