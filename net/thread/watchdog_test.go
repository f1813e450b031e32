package thread

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/port"
)

// stuck writes 5 and hangs in the part of its life that the test names, until it is let go.
type stuck struct {
	Out   block.Out[float64] `safe:"-1"`
	Plain block.Out[float64]
	Hang  block.Operation[block.None, block.None]
	Gain  block.Param[float64]
	in    string
	now   atomic.Bool // it hangs from now on
	hung  atomic.Bool // it has hung
	let   chan struct{}
	rest  atomic.Int32 // calls of Stop
}

func newStuck(in string) *stuck { return &stuck{in: in, let: make(chan struct{})} }

func (s *stuck) hang(in string) {
	if s.in == in && s.now.Load() {
		s.hung.Store(true)
		<-s.let
	}
	if s.in == in+" panic" && s.now.Load() {
		panic("wanted")
	}
}

// awaitHang makes the block hang from now on and waits until the watchdog has found that it does.
func (s *stuck) awaitHang(t *testing.T, c *Core) {
	t.Helper()
	s.now.Store(true)
	testkit.Await(t, "the watchdog finds that the block hangs", func() bool { return s.hung.Load() && hangs(c.boundary.edges[0].counters.hung.Load()) })
}

// goOn lets the block go on, which must hang.
func (s *stuck) goOn(t *testing.T) {
	t.Helper()
	testkit.Await(t, "the block hangs", s.hung.Load)
	s.now.Store(false)
	s.let <- struct{}{}
}

func (s *stuck) Setup(*block.Setup) error {
	s.Hang.Handle(func(block.None) (block.None, error) { s.hang("operation"); return block.None{}, nil })
	return nil
}

func (s *stuck) Start() error { s.hang("start"); return nil }

func (s *stuck) Step(clock.Tick) error {
	s.Out.Write(5)
	s.Plain.Write(5)
	s.hang("step")
	return nil
}

func (s *stuck) CheckParams() error { s.hang("check"); return nil }

func (s *stuck) Stop() error { s.rest.Add(1); s.hang("stop"); return nil }

func (s *stuck) Close() error { s.hang("close"); return nil }

// reader keeps what it reads where a test may look.
type reader struct {
	In, Plain block.In[float64]
	in, plain atomic.Int64
	most      atomic.Int64 // of in
	stopped   atomic.Bool
}

func (r *reader) Step(clock.Tick) error {
	v, _ := r.In.Read()
	r.in.Store(int64(v))
	r.most.Store(max(r.most.Load(), int64(v)))
	v, _ = r.Plain.Read()
	r.plain.Store(int64(v))
	return nil
}

func (r *reader) Stop() error { r.stopped.Store(true); return nil }

// triggered is a stuck block that waits for data.
type triggered struct {
	Go block.In[float64]
	*stuck
}

func (s *triggered) Step(t clock.Tick) error { return s.stuck.Step(t) }

// cdr is a number as requests carry it.
func cdr(x float64) []byte {
	return binary.LittleEndian.AppendUint64([]byte{0, 1, 0, 0}, math.Float64bits(x))
}

// hangingNet is a stuck block in a thread of its own, and a reader in another.
func hangingNet(t *testing.T, s *stuck, r *reader) *Core {
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "drive", Period: time.Millisecond, Watchdog: 60 * time.Millisecond})
	d.Thread(diagram.Thread{Name: "view", Period: time.Millisecond, Watchdog: time.Minute})
	d.Add("stuck", s, diagram.Place{Thread: "drive"})
	d.Add("reader", r, diagram.Place{Thread: "view"})
	diagram.Connect(d, &s.Out, &r.In)
	diagram.Connect(d, &s.Plain, &r.Plain)
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	return New(net, Options{})
}

// running is a core that runs, and how it ends.
type running struct {
	*Core
	cancel context.CancelFunc
	done   chan error
}

func run(t *testing.T, c *Core) *running {
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{c, cancel, make(chan error, 1)}
	go func() { r.done <- c.Run(ctx, nil) }()
	t.Cleanup(func() {
		cancel()
		select {
		case <-r.done:
		default:
		}
	})
	return r
}

func (r *running) end(t *testing.T) error {
	t.Helper()
	r.cancel()
	select {
	case err := <-r.done:
		r.done <- err
		return err
	case <-time.After(testkit.Patience()):
		t.Fatalf("the core has not ended within %v", testkit.Patience())
		return nil
	}
}

func TestOthersSeeSafeOutputsWhileAThreadHangs(t *testing.T) {
	testkit.NoLeaks(t)
	s, v := newStuck("step"), &reader{}
	c := run(t, hangingNet(t, s, v))
	hangs, goesOn := make(chan string, 100), make(chan string, 100)
	c.Front().OnWarning(func(w Warning) { // other warnings are about a thread without a processor and the old values that the reader gets
		switch {
		case w.Over && strings.HasPrefix(w.begun, `thread "drive" hangs`):
			goesOn <- w.String()
		case strings.HasPrefix(w.begun, `thread "drive" hangs`):
			hangs <- w.String()
		}
	})
	testkit.Await(t, "the reader sees what the block writes", func() bool { return v.in.Load() == 5 })
	s.awaitHang(t, c.Core)
	testkit.Await(t, "the reader sees the safe value", func() bool { return v.in.Load() == -1 })
	if got := v.plain.Load(); got != 5 {
		t.Errorf("an output without a safe value reads %d, want 5 as before", got)
	}
	if w := <-hangs; w != `thread "drive" hangs in block "stuck": it has finished no activation for 60ms; others see the safe outputs of its blocks, `+
		`except for those that declare no safe value and keep their last one: stuck.plain` {
		t.Errorf("warning %q", w)
	}
	s.goOn(t)
	testkit.Await(t, "the reader sees what the block writes again", func() bool { return v.in.Load() == 5 })
	if w := <-goesOn; w != `thread "drive" runs again` {
		t.Errorf("warning %q", w)
	}
	if err := c.end(t); err != nil {
		t.Error(err)
	}
}

func TestAHangStopsTheSystemWhereAFaultDoes(t *testing.T) {
	s, v := newStuck("step"), &reader{}
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "drive", Period: time.Millisecond, Watchdog: 60 * time.Millisecond, OnFault: diagram.Stop})
	d.Thread(diagram.Thread{Name: "view", Period: time.Millisecond})
	d.Add("stuck", s, diagram.Place{Thread: "drive"})
	d.Add("reader", v, diagram.Place{Thread: "view"})
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	s.now.Store(true)
	if err := New(net, Options{}).Run(context.Background(), nil); !errors.Is(err, ErrHung) || !v.stopped.Load() {
		t.Errorf("the system ended with %v, the healthy block stopped: %v", err, v.stopped.Load())
	}
	close(s.let)
}

// TestATriggeredThreadHangsInAStepAndNotWhileItWaits turns the clock of a second watchdog; that of the core has no time to find anything.
func TestATriggeredThreadHangsInAStepAndNotWhileItWaits(t *testing.T) {
	s, c := newStuck("step"), &counter{}
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "drive", Triggered: true, Watchdog: time.Hour})
	d.Thread(diagram.Thread{Name: "source", Period: time.Hour, Watchdog: 2 * time.Hour})
	waits := &triggered{stuck: s}
	d.Add("stuck", waits, diagram.Place{Thread: "drive"})
	d.Add("c", c, diagram.Place{Thread: "source"})
	diagram.Connect(d, &c.Out, &waits.Go)
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	core := New(net, Options{})
	r := run(t, core)
	drive := core.boundary.edges[0].counters
	testkit.Await(t, "it has run once", func() bool { return drive.activations.Load() > 0 })
	dog := newWatchdog(core, func() clock.Time { return 0 })
	pass := func(d time.Duration) { // by looks as seldom as they may be
		for step := 2 * dog.interval(); d > 0; d -= step {
			dog.look(dog.looked + int64(min(d, step)))
		}
	}
	for range 3 {
		idle := drive.idle.Load()
		testkit.Await(t, "it waits", func() bool { return drive.idle.Load() > idle })
		pass(50 * time.Minute)
	}
	if n := drive.hangs.Load(); n != 0 {
		t.Errorf("a thread that waits hangs %d times", n)
	}
	s.now.Store(true)
	core.Trigger(0)
	testkit.Await(t, "the block hangs", s.hung.Load)
	dog = newWatchdog(core, dog.now)
	dog.look(dog.looked)
	pass(time.Hour)
	if n := drive.hangs.Load(); n != 0 {
		t.Errorf("after the time of its watchdog it hangs %d times already", n)
	}
	pass(time.Second)
	if n, code := drive.hangs.Load(), drive.hung.Load(); n != 1 || hang(net.Threads[0], code) != `thread "drive" hangs in block "stuck"` {
		t.Errorf("it hangs %d times: %s", n, hang(net.Threads[0], code))
	}
	s.goOn(t)
	if err := r.end(t); err != nil {
		t.Error(err)
	}
}

// newest holds the number that was sent last.
type newest struct{ atomic.Int64 }

func (n *newest) Forward(packet []byte, _ time.Duration) error {
	n.Store(int64(math.Float64frombits(binary.LittleEndian.Uint64(packet[4:]))))
	return nil
}

func (n *newest) State() link.State { return link.State{} }

func TestProcessesGetSafeOutputsWhileAThreadHangs(t *testing.T) {
	s, v := newStuck("step"), &reader{}
	d := diagram.New("test")
	d.Process("a")
	d.Thread(diagram.Thread{Name: "drive", Period: time.Millisecond, Watchdog: 60 * time.Millisecond, Process: "a"})
	d.Thread(diagram.Thread{Name: "view", Period: time.Millisecond, Process: "b"})
	d.Add("stuck", s, diagram.Place{Thread: "drive"})
	d.Add("reader", v, diagram.Place{Thread: "view"})
	diagram.Connect(d, &s.Out, &v.In)
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	var sent newest
	for _, o := range net.Outlets {
		o.Bind(&sent)
	}
	c := run(t, New(net, Options{}))
	testkit.Await(t, "the value is sent", func() bool { return sent.Load() == 5 })
	s.now.Store(true)
	testkit.Await(t, "the block hangs", s.hung.Load)
	testkit.Await(t, "the safe value is sent", func() bool { return sent.Load() == -1 })
	s.goOn(t)
	testkit.Await(t, "the value is sent again", func() bool { return sent.Load() == 5 })
	if err := c.end(t); err != nil {
		t.Error(err)
	}
}

func TestStopBringsTheOtherThreadsToRestWhileOneHangs(t *testing.T) {
	for _, in := range []string{"step", "operation"} {
		s, v := newStuck(in), &reader{}
		c := run(t, hangingNet(t, s, v))
		testkit.Await(t, "the reader sees what the block writes", func() bool { return v.in.Load() == 5 })
		if in == "operation" {
			s.now.Store(true)
			i := c.Front().Net().Blocks[0]
			args, err := i.Operations[0].Args.FromValue(map[string]any{})
			if err != nil {
				t.Fatal(err)
			}
			c.Front().Call(i, i.Operations[0], args)
		}
		s.awaitHang(t, c.Core)
		err := c.end(t)
		if !errors.Is(err, ErrHung) || !strings.Contains(err.Error(), `block "stuck"`) {
			t.Errorf("%s: error %v, want one that names the block that hangs", in, err)
		}
		if !v.stopped.Load() || s.rest.Load() != 0 {
			t.Errorf("%s: healthy block stopped: %v (want true); hung block: %v (want 0)", in, v.stopped.Load(), s.rest.Load())
		}
		close(s.let)
	}
}

func TestVirtualTimeEndsWhileABlockHangs(t *testing.T) {
	s, v := newStuck("step"), &reader{}
	s.now.Store(true)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- hangingNet(t, s, v).RunVirtual(ctx) }()
	testkit.Await(t, "the block hangs", s.hung.Load)
	cancel()
	err := <-ended
	if !errors.Is(err, ErrHung) || !strings.Contains(err.Error(), `thread "drive" hangs in block "stuck"`) {
		t.Errorf("error %v, want one that names the block that hangs", err)
	}
	close(s.let)
}

func TestStopAndCloseThatHangOrPanicAreNamedAndDelayNoOtherBlock(t *testing.T) {
	for _, in := range []string{"stop", "close", "stop panic", "close panic"} {
		s, v := newStuck(in), &reader{}
		s.now.Store(true)
		c := run(t, hangingNet(t, s, v))
		testkit.Await(t, "the reader sees what the block writes", func() bool { return v.in.Load() == 5 })
		err := c.end(t)
		verb, _, panics := strings.Cut(in, " ")
		if err == nil || !strings.Contains(err.Error(), verb+` block "stuck"`) || errors.Is(err, ErrHung) == panics {
			t.Errorf("%s: error %v", in, err)
		}
		if !v.stopped.Load() {
			t.Errorf("%s: the other block was not stopped", in)
		}
		close(s.let)
	}
}

func TestStartThatHangsEndsWithTheSystemAndOneThatPanicsIsAnError(t *testing.T) {
	s, v := newStuck("start"), &reader{}
	s.now.Store(true)
	c := run(t, hangingNet(t, s, v))
	testkit.Await(t, "the block hangs", s.hung.Load)
	if err := c.end(t); !errors.Is(err, ErrHung) || !strings.Contains(err.Error(), `start block "stuck"`) {
		t.Errorf("error %v", err)
	}
	close(s.let)

	s = newStuck("start panic")
	s.now.Store(true)
	err := hangingNet(t, s, &reader{}).Run(context.Background(), nil)
	if err == nil || !strings.Contains(err.Error(), `start block "stuck": panic while starting: wanted (watchdog_test.go:`) {
		t.Errorf("error %v", err)
	}
}

func TestCheckOfParametersThatPanicsPutsTheBlockInError(t *testing.T) {
	s := newStuck("check panic")
	c := run(t, hangingNet(t, s, &reader{}))
	testkit.Await(t, "it runs", func() bool { return c.Front().Stats()[0].Activations > 2 })
	s.now.Store(true)
	i := c.Front().Net().Blocks[0]
	gain := i.Param("gain")
	_, err := c.Front().SetParams(i, map[*port.Parameter][]byte{gain: cdr(1)}).Result()
	if err == nil || !strings.Contains(err.Error(), "panicked") {
		t.Errorf("error %v", err)
	}
	testkit.Await(t, "the fault is reported", func() bool { return len(c.Front().Faults()) == 1 })
	if f := c.Front().Faults()[0]; f.Block != "stuck" || !strings.Contains(f.Why, "panic while checking parameters: wanted (watchdog_test.go:") {
		t.Errorf("fault %v", f)
	}
	_ = c.end(t)
}

func TestRequestsToAHungThreadAreRefusedAtOnceExceptUrgentOnes(t *testing.T) {
	s, v := newStuck("step"), &reader{}
	c := run(t, hangingNet(t, s, v))
	testkit.Await(t, "it runs", func() bool { return v.in.Load() == 5 })
	s.awaitHang(t, c.Core)
	i := c.Front().Net().Blocks[0]
	out := i.Port("out")
	for range 1000 {
		r := c.Front().Read(out)
		if _, err := r.Result(); err == nil || !strings.Contains(err.Error(), `thread "drive" hangs in block "stuck"`) {
			t.Fatalf("reading: error %v", err)
		}
	}
	feed, release := c.Front().Feed(out, cdr(7)), c.Front().Release(out)
	if feed.Ready() || release.Ready() {
		t.Fatal("feeding and releasing do not wait for the thread")
	}
	s.goOn(t)
	for _, r := range []*Request{feed, release} {
		if _, err := r.Result(); err != nil {
			t.Error(err)
		}
	}
	if err := c.end(t); err != nil {
		t.Error(err)
	}
}

func TestARequestWhoseTimeIsOverIsNotDoneLater(t *testing.T) {
	s := newStuck("step")
	s.now.Store(true)
	core := hangingNet(t, s, &reader{})
	c := run(t, core)
	s.awaitHang(t, c.Core)
	i := c.Front().Net().Blocks[0]
	r := c.Front().Feed(i.Port("out"), cdr(7))
	if _, err := r.Result(); err == nil || !strings.Contains(err.Error(), "what the thread has not begun is dropped") {
		t.Errorf("error %v", err)
	}
	s.goOn(t)
	testkit.Await(t, "it runs again", func() bool { return c.Front().Stats()[0].Activations > 10 })
	if c.Front().ByHand(i.Port("out")) {
		t.Error("the value was given after its time was over")
	}
	_ = c.end(t)
}

// halfway writes 5 in Sense, and hangs in Control, when that is published already.
type halfway struct {
	Out  block.Out[float64] `part:"sense" safe:"-1"`
	Back block.In[float64]  `part:"control"`
	at   *stuck
}

func (h *halfway) Sense(clock.Tick) error {
	h.Out.Write(5)
	return nil
}

func (h *halfway) Control(clock.Tick) error {
	h.at.hang("control")
	return nil
}

// The watchdog publishes after what the thread has published in the activation in which it hangs. The race detector must see the order, though no reader
// runs meanwhile, through which it would see one.
func TestAThreadThatHasPublishedHangs(t *testing.T) {
	testkit.NoLeaks(t)
	s, v := &halfway{at: newStuck("control")}, &reader{}
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "drive", Period: time.Millisecond, Watchdog: 60 * time.Millisecond})
	d.Thread(diagram.Thread{Name: "view", Period: time.Hour, Watchdog: 2 * time.Hour})
	d.Add("half", s, diagram.Place{Thread: "drive"})
	d.Add("reader", v, diagram.Place{Thread: "view"})
	diagram.Connect(d, &s.Out, &v.In)
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(net.Threads[0].Phases); n != 2 {
		t.Fatalf("the thread has %d phases", n)
	}
	c := run(t, New(net, Options{}))
	drive := &c.threads[0].right.state
	s.at.awaitHang(t, c.Core)
	testkit.Await(t, "the watchdog has published", func() bool { return drive.Load() == rightHeld })
	s.at.goOn(t)
	testkit.Await(t, "the thread has its right again", func() bool { return drive.Load() == rightOwn })
	if err := c.end(t); err != nil {
		t.Fatal(err)
	}
}
