package thread

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/link"
)

// flicker writes its step's number between some steps only: as a peer that is lost for a while.
type flicker struct {
	Out      block.Out[float64]
	From, To uint64 // the steps in which it is silent
}

func (f *flicker) Step(t clock.Tick) error {
	if t.N < f.From || t.N >= f.To {
		f.Out.Write(float64(t.N))
	}
	return nil
}

// careful passes on what it reads and has something safe to say.
type careful struct {
	In       block.In[float64]
	Out      block.Out[float64] `safe:"-1"`
	statuses []block.Status
	ages     []time.Duration
	stops    int
}

func (c *careful) Step(clock.Tick) error {
	v, status := c.In.Read()
	if len(c.statuses) < cap(c.statuses) {
		c.statuses = append(c.statuses, status)
		c.ages = append(c.ages, c.In.Age())
	}
	c.Out.Write(v)
	return nil
}

func (c *careful) Stop() error { c.stops++; return nil }

// witness keeps what it reads, whether it is new or not.
type witness struct {
	In   block.In[float64]
	seen []float64
}

func (w *witness) Step(clock.Tick) error {
	v, status := w.In.Read()
	if status == block.NoData {
		v = 1000
	}
	if len(w.seen) < cap(w.seen) {
		w.seen = append(w.seen, v)
	}
	return nil
}

type relay struct {
	f flicker
	c careful
	w witness
}

// build links the three, the first link with a time-out, with each block in a thread of the given name.
func (c *relay) build(t testing.TB, link string, threads [3]string, timeout time.Duration) *diagram.Net {
	c.c.statuses = make([]block.Status, 0, 1000)
	c.c.ages = make([]time.Duration, 0, 1000)
	c.w.seen = make([]float64, 0, 1000)
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "fast", Period: time.Millisecond, Priority: 3})
	d.Thread(diagram.Thread{Name: "slow", Period: 2 * time.Millisecond, Priority: 2})
	d.Thread(diagram.Thread{Name: "called", Triggered: true, Priority: 1})
	d.Add("f", &c.f, diagram.Place{Thread: threads[0]})
	d.Add("c", &c.c, diagram.Place{Thread: threads[1]})
	d.Add("w", &c.w, diagram.Place{Thread: threads[2]})
	l, err := diagram.ParseLink(link)
	if err != nil {
		t.Fatal(err)
	}
	l.Timeout = timeout
	d.Join(l)
	d.Link("c.out -> w.in")
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func TestInputWithoutDataBringsItsBlockToRest(t *testing.T) {
	for name, threads := range map[string][3]string{
		"one thread":      {"fast", "fast", "fast"},
		"two threads":     {"fast", "slow", "slow"},
		"three threads":   {"fast", "slow", "fast"},
		"triggered":       {"fast", "called", "fast"},
		"triggered twice": {"fast", "called", "called"},
	} {
		t.Run(name, func(t *testing.T) {
			p := relay{f: flicker{From: 20, To: 40}}
			core := New(p.build(t, "f.out -> c.in", threads, 5*time.Millisecond), Options{Until: clock.At(59 * time.Millisecond)})
			var warnings []string
			core.Front().OnWarning(func(w Warning) { warnings = append(warnings, w.String()) })
			if err := core.RunVirtual(context.Background()); err != nil {
				t.Fatal(err)
			}
			want := []string{
				`block "c" rests in its safe output: the link f.out -> c.in has brought nothing for 5ms`,
				`block "c" runs again: c.in has data`,
			}
			if !slices.Equal(warnings, want) {
				t.Errorf("warnings %q", warnings)
			}
			if n := core.Front().Warnings(); len(n) != 0 {
				t.Errorf("at the end there is still %v", n)
			}
			if p.c.stops != 2 { // once at rest, once at the end
				t.Errorf("Stop ran %d times", p.c.stops)
			}
			for i, age := range p.c.ages {
				if age > 5*time.Millisecond {
					t.Fatalf("step %d ran with data of %v", i, age)
				}
			}
			safe := 0
			for i, v := range p.w.seen {
				if v == -1 {
					safe++
				} else if i > 0 && p.w.seen[i-1] == -1 && v != 1000 && v < 39 {
					t.Errorf("after the rest it ran with %v", v)
				}
			}
			if safe < 3 || p.c.statuses[len(p.c.statuses)-1] != block.NewData {
				t.Errorf("the witness saw %v", p.w.seen)
			}
		})
	}
}

// The safe output comes in the very activation in which the time-out is over.
func TestTimeoutIsExact(t *testing.T) {
	p := relay{f: flicker{From: 20, To: 40}}
	core := New(p.build(t, "f.out -> c.in", [3]string{"fast", "fast", "fast"}, 5*time.Millisecond), Options{Until: clock.At(45 * time.Millisecond)})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	for i, v := range p.w.seen { // the last value is of 19 ms
		want := float64(i)
		switch {
		case i >= 20 && i <= 24:
			want = 19
		case i >= 25 && i < 40:
			want = -1
		}
		if v != want {
			t.Errorf("at %d ms: %v, want %v", i, v, want)
		}
	}
}

// A source that never speaks: the block runs until the time-out, as it would without one, and rests from then on.
func TestBlockRestsAfterTheTimeoutOfAnInputThatNeverHadData(t *testing.T) {
	p := relay{f: flicker{To: 1000}}
	core := New(p.build(t, "f.out -> c.in", [3]string{"fast", "fast", "fast"}, 5*time.Millisecond), Options{Until: clock.At(20 * time.Millisecond)})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := len(p.c.statuses); n != 6 || p.c.statuses[0] != block.NoData || p.c.ages[5] != 5*time.Millisecond {
		t.Errorf("it ran %d times: %v %v", n, p.c.statuses, p.c.ages)
	}
}

func TestFedInputIsNeverTooOld(t *testing.T) {
	p := relay{f: flicker{From: 3, To: 1000}}
	core := New(p.build(t, "f.out -> c.in", [3]string{"fast", "fast", "fast"}, 5*time.Millisecond), Options{Until: clock.At(40 * time.Millisecond)})
	front := core.Front()
	in := front.Net().Blocks[1].Port("in")
	cdr := make([]byte, in.Layout().Size())
	in.Encode(cdr)
	front.Go(func(who *Participant) {
		wait := func(ms int) {
			if err := who.Wait(clock.At(time.Duration(ms)*time.Millisecond), nil); err != nil && !errors.Is(err, ErrStopped) {
				t.Error(err)
			}
		}
		wait(10)
		if len(front.Warnings()) != 1 {
			t.Error("the block does not rest before the value is fed")
		}
		front.Feed(in, cdr)
		wait(20)
		if len(front.Warnings()) != 0 {
			t.Error("the block rests though a value was fed")
		}
		front.Release(in)
		wait(25)
		if len(front.Warnings()) != 1 {
			t.Error("the block does not rest after the release")
		}
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := len(p.c.statuses); n < 15 || n > 25 {
		t.Errorf("it ran %d times", n)
	}
}

// A single element of a vector that is no longer written is enough.
func TestOneOverdueElementBringsTheBlockToRest(t *testing.T) {
	var lively, dying flicker
	dying.From, dying.To = 5, 1000
	v := &vector{}
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "t", Period: time.Millisecond})
	d.Add("lively", &lively, diagram.Place{Thread: "t"})
	d.Add("dying", &dying, diagram.Place{Thread: "t"})
	d.Add("v", v, diagram.Place{Thread: "t"})
	for i, text := range []string{"dying.out -> v.in[0]", "lively.out -> v.in[1]"} {
		l, err := diagram.ParseLink(text)
		if err != nil {
			t.Fatal(err)
		}
		l.Timeout = time.Duration(3+i) * time.Millisecond
		d.Join(l)
	}
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	core := New(net, Options{Until: clock.At(30 * time.Millisecond)})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	if v.steps != 8 || core.Front().Stats()[0].Steps[2].Timeouts != 1 {
		t.Errorf("the block ran %d times and rested %d times", v.steps, core.Front().Stats()[0].Steps[2].Timeouts)
	}
}

type vector struct {
	In    block.In[[]float64]
	steps int
}

func (v *vector) Setup(s *block.Setup) error { s.Len(2, &v.In); return nil }

func (v *vector) Step(clock.Tick) error { v.steps++; return nil }

func TestRestAllocatesNothing(t *testing.T) {
	p := relay{f: flicker{From: 20, To: 1 << 60}}
	core := New(p.build(t, "f.out -> c.in", [3]string{"fast", "fast", "fast"}, 5*time.Millisecond), Options{})
	fast, now := core.threads[0], clock.Time(0)
	step := func() {
		now = now.Add(time.Millisecond)
		fast.activate(now)
		if now.Sub(0)%(50*time.Millisecond) == 0 {
			p.f.From = 1 << 60
		} else if now.Sub(0)%(25*time.Millisecond) == 0 {
			p.f.From = 0
		}
	}
	for range 200_000 { // until the runtime has settled
		step()
	}
	testkit.NoAllocs(t, 5000, step)
	if n := core.Front().Stats()[0].Steps[1].Timeouts; n < 50 {
		t.Errorf("it rested %d times", n)
	}
}

// A triggered thread in real time runs for the time-out though nothing comes.
func TestTriggeredThreadRestsInRealTime(t *testing.T) {
	p := relay{f: flicker{From: 20, To: 1 << 60}}
	core := New(p.build(t, "f.out -> c.in", [3]string{"fast", "called", "called"}, 20*time.Millisecond), Options{Until: clock.At(200 * time.Millisecond)})
	if err := core.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if p.c.Out.Value() != -1 || len(core.Front().Warnings()) != 1 {
		t.Errorf("the output is %v", p.c.Out.Value())
	}
}

// wireless is the receiving end of a link over a wireless bridge as FAST-Robots describes it (section 5): in an outage the bridge keeps
// the first packet, loses those behind it, and delivers the old one when the connection is back.
type wireless struct{ fetches int }

func (w *wireless) TryReceive(packet []byte) (link.Stamp, bool) {
	w.fetches++
	stamp := link.Stamp{Size: len(packet), Number: uint64(w.fetches)}
	switch n := w.fetches; {
	case n > 10 && n <= 20 || n > 21 && n <= 23: // the outage, and the time in which the packets behind it were lost
		return stamp, false
	case n == 21:
		stamp.Age = 10 * time.Millisecond
	}
	copy(packet, []byte{0, 1, 0, 0})
	binary.LittleEndian.PutUint64(packet[4:], math.Float64bits(float64(w.fetches)))
	return stamp, true
}

func (w *wireless) State() link.State { return link.State{Connected: true} }

// An old packet that comes after an outage does not wake a block that rests: only one younger than the time-out does.
func TestOldPacketAfterAnOutageWakesNoBlock(t *testing.T) {
	for timeout, want := range map[time.Duration][]float64{
		5 * time.Millisecond: {10, 10, 10, 10, 10, 10, 24, 25},
		0:                    {10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 21, 21, 21, 24, 25},
	} {
		d := diagram.New("test")
		d.Thread(diagram.Thread{Name: "robot", Period: time.Millisecond, Process: "robot"})
		d.Thread(diagram.Thread{Name: "station", Period: time.Millisecond, Process: "station"})
		d.Process("station")
		w := &witness{seen: make([]float64, 0, 100)}
		d.Add("f", &flicker{}, diagram.Place{Thread: "robot"})
		d.Add("w", w, diagram.Place{Thread: "station"})
		l, err := diagram.ParseLink("f.out -> w.in")
		if err != nil {
			t.Fatal(err)
		}
		l.Timeout = timeout
		d.Join(l)
		net, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		net.Inlets[0].Bind(&wireless{})
		core := New(net, Options{Until: clock.At(24 * time.Millisecond)})
		if err := core.RunVirtual(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got := w.seen[9:]; !slices.Equal(got, want) {
			t.Errorf("timeout %v: the block ran with %v, want %v", timeout, got, want)
		}
	}
}
