package thread

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
)

// counter counts its steps.
type counter struct {
	Out block.Out[float64]
	N   block.Param[float64] `default:"1" min:"0" max:"100"`
}

func (c *counter) Step(clock.Tick) error {
	c.Out.Write(c.Out.Value() + c.N.Value())
	return nil
}

// adder adds what it reads to its state, and fails or panics on request.
type adder struct {
	In      block.In[float64]  `trigger:"yes"`
	Sum     block.Out[float64] `safe:"-1"`
	Fail    block.Operation[float64, block.None]
	Twice   block.Operation[float64, float64]
	mode    float64
	stopped bool
	seen    []float64
}

var errWanted = errors.New("wanted")

func (a *adder) Setup(*block.Setup) error {
	a.Fail.Handle(func(m float64) (block.None, error) { a.mode = m; return block.None{}, nil })
	a.Twice.Handle(func(x float64) (float64, error) { return 2 * x, nil })
	return nil
}

func (a *adder) Step(clock.Tick) error {
	switch a.mode {
	case 1:
		return errWanted
	case 2:
		panic("wanted")
	}
	v, _ := a.In.Read()
	if cap(a.seen) > len(a.seen) {
		a.seen = append(a.seen, v)
	}
	a.Sum.Write(a.Sum.Value() + v)
	return nil
}

func (a *adder) Stop() error { a.stopped = true; return nil }

type pair struct {
	c counter
	a adder
}

// twoThreads is a counter at 1 ms and an adder at 2 ms.
func twoThreads(t *testing.T, p *pair, o Options) *Core {
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "fast", Period: time.Millisecond, Priority: 50})
	d.Thread(diagram.Thread{Name: "slow", Period: 2 * time.Millisecond, Priority: 40})
	d.Add("c", &p.c, diagram.Place{Thread: "fast"})
	d.Add("a", &p.a, diagram.Place{Thread: "slow"})
	diagram.Connect(d, &p.c.Out, &p.a.In)
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	return New(net, o)
}

func TestVirtualTimeIsDeterministic(t *testing.T) {
	var first pair
	first.a.seen = make([]float64, 0, 100)
	if err := twoThreads(t, &first, Options{Until: clock.At(20 * time.Millisecond)}).RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := first.c.Out.Value(); got != 21 {
		t.Errorf("the counter stepped %v times in 20 ms at 1 ms, want 21", got)
	}
	// At 2 ms the adder reads what the counter has completed by then: its second activation. At 0 there is nothing yet.
	want := []float64{2, 4, 6, 8, 10, 12, 14, 16, 18, 20}
	if len(first.a.seen) != len(want) {
		t.Fatalf("the adder saw %v, want %v", first.a.seen, want)
	}
	for i, v := range want {
		if first.a.seen[i] != v {
			t.Fatalf("the adder saw %v, want %v", first.a.seen, want)
		}
	}
	if !first.a.stopped {
		t.Error("Stop was not called")
	}
}

func TestRealTimeStopsAndCounts(t *testing.T) {
	var p pair
	core := twoThreads(t, &p, Options{Until: clock.At(100 * time.Millisecond)})
	if err := core.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	s := core.Front().Stats()[0]
	if s.Activations+s.Slips < 95 {
		t.Errorf("%d activations and %d slips in 100 ms at 1 ms", s.Activations, s.Slips)
	}
}

func TestParticipantAsksAndTunes(t *testing.T) {
	var p pair
	core := twoThreads(t, &p, Options{Until: clock.At(time.Second)})
	f := core.Front()
	net := core.net
	c, a := net.Blocks[0], net.Blocks[1]
	var samples int
	f.Go(func(w *Participant) {
		if err := w.Wait(clock.At(10*time.Millisecond), nil); err != nil {
			t.Error(err)
		}
		if f.Now() != clock.At(10*time.Millisecond) {
			t.Errorf("woke at %v", f.Now())
		}
		op := a.Operation("twice")
		args := make([]byte, op.Args.Size())
		five := 5.0
		n := float64CDR(args, five)
		r := f.Call(a, op, args[:n])
		if err := w.Wait(0, r.Ready); err != nil {
			t.Error(err)
		}
		if v, err := r.Result(); err != nil || float64Of(v) != 10 {
			t.Errorf("twice(5) = %v, %v", v, err)
		}
		par := c.Param("n")
		value := make([]byte, par.Layout.Size())
		float64CDR(value, 3)
		r = f.SetParams(c, map[*port.Parameter][]byte{par: value})
		if err := w.Wait(0, r.Ready); err != nil {
			t.Error(err)
		}
		tap, err := f.Tap(c.Port("out"), 1, false, func(Sample) { samples++ })
		if err != nil {
			t.Error(err)
		}
		if err := w.Wait(clock.At(20*time.Millisecond), nil); err != nil {
			t.Error(err)
		}
		tap.End()
		core.Stop()
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	if p.c.N.Value() != 3 {
		t.Errorf("n is %v, want 3", p.c.N.Value())
	}
	if samples < 8 || samples > 10 {
		t.Errorf("%d samples in about 9 ms at 1 ms", samples)
	}
}

// float64CDR writes v as CDR and returns the length; a header of 4 bytes, padding to 8 counted after the header.
func float64CDR(dst []byte, v float64) int {
	var c counter
	c.Out.Write(v)
	d := diagram.New("x")
	d.Thread(diagram.Thread{Name: "t", Period: diagram.MinPeriod})
	d.Add("c", &c, diagram.Place{Thread: "t"})
	net, _ := d.Build()
	return net.Blocks[0].Port("out").Encode(dst)
}

func float64Of(cdr []byte) float64 {
	return mathFloat(binary.LittleEndian.Uint64(cdr[len(cdr)-8:]))
}

func TestFaultReachesSafeOutputAndThreadGoesOn(t *testing.T) {
	for mode, why := range map[float64]string{1: "wanted", 2: "panic: wanted (thread_test.go:"} {
		var p pair
		core := twoThreads(t, &p, Options{Until: clock.At(50 * time.Millisecond)})
		a := core.net.Blocks[1]
		core.Front().Go(func(w *Participant) {
			args := make([]byte, a.Operation("fail").Args.Size())
			r := core.Front().Call(a, a.Operation("fail"), args[:float64CDR(args, mode)])
			_ = w.Wait(0, r.Ready)
		})
		err := core.RunVirtual(context.Background())
		if err == nil || !strings.Contains(err.Error(), `block "a" is in error: `+why) {
			t.Errorf("mode %v: error %v", mode, err)
		}
		if p.a.Sum.Value() != -1 || !p.a.stopped {
			t.Errorf("mode %v: safe output %v, stopped %v", mode, p.a.Sum.Value(), p.a.stopped)
		}
		if p.c.Out.Value() != 51 {
			t.Errorf("mode %v: the other block stepped %v times, want 51", mode, p.c.Out.Value())
		}
	}
}

func TestActivationAllocatesNothing(t *testing.T) {
	var p pair
	core := twoThreads(t, &p, Options{})
	for _, port := range []*port.Port{core.net.Blocks[0].Port("out"), core.net.Blocks[1].Port("sum")} {
		if _, err := core.Front().Tap(port, 1, true, func(Sample) {}); err != nil {
			t.Fatal(err)
		}
	}
	now := clock.Time(0)
	testkit.NoAllocs(t, 5000, func() {
		now++
		for _, th := range core.threads {
			th.activate(now)
		}
	})
}
