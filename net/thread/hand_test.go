package thread

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
)

// bell writes its step's number in several ways, and rings three times a step.
type bell struct {
	Out   block.Out[float64] `safe:"-1"`
	Pair  block.Out[[]float64]
	Lone  block.In[float64]
	Ring  block.Event[float64]
	fails bool
	lone  []float64
}

func (b *bell) Setup(s *block.Setup) error { s.Len(2, &b.Pair); return nil }

func (b *bell) Step(t clock.Tick) error {
	if b.fails {
		return errWanted
	}
	n := float64(t.N)
	b.Out.Write(n)
	pair := *b.Pair.Slot()
	pair[0], pair[1] = n, -n
	b.Pair.Commit()
	for k := range 3 {
		b.Ring.Emit(3*n + float64(k))
	}
	v, status := b.Lone.Read()
	if status == block.NoData && v != 0 {
		v = math.NaN()
	}
	if len(b.lone) < cap(b.lone) {
		b.lone = append(b.lone, v)
	}
	return nil
}

// ear keeps what it reads.
type ear struct {
	In     block.In[float64]
	First  block.In[float64] // an element: carried
	Queue  block.In[float64] // buffered
	Heard  block.Handler[float64]
	in     []float64
	first  []float64
	queue  []float64
	events []float64
}

func (e *ear) Setup(*block.Setup) error {
	e.Heard.Handle(func(x float64) { keep(&e.events, x) })
	return nil
}

func keep(list *[]float64, x float64) {
	if len(*list) < cap(*list) {
		*list = append(*list, x)
	}
}

func (e *ear) Step(clock.Tick) error {
	v, _ := e.In.Read()
	keep(&e.in, v)
	v, _ = e.First.Read()
	keep(&e.first, v)
	for {
		v, status := e.Queue.Read()
		if status != block.NewData {
			return nil
		}
		keep(&e.queue, v)
	}
}

// ring is a bell and an ear in one thread at 1 ms, or in two.
func ring(t *testing.T, threads int, b *bell, e *ear, timeout time.Duration) *Core {
	t.Helper()
	b.lone = make([]float64, 0, 1000)
	for _, list := range []*[]float64{&e.in, &e.first, &e.queue, &e.events} {
		*list = make([]float64, 0, 1000)
	}
	d := diagram.New("ring")
	d.Thread(diagram.Thread{Name: "t", Period: time.Millisecond, Priority: 2})
	at := "t"
	if threads == 2 {
		at = "u"
		d.Thread(diagram.Thread{Name: at, Period: time.Millisecond, Priority: 1})
	}
	d.Add("b", b, diagram.Place{Thread: "t"})
	d.Add("e", e, diagram.Place{Thread: at})
	for _, text := range []string{"b.out -> e.in", "b.pair[1] -> e.first", "b.out -> e.queue", "b.ring -> e.heard"} {
		l, err := diagram.ParseLink(text)
		if err != nil {
			t.Fatal(err)
		}
		switch text {
		case "b.out -> e.in":
			l.Timeout = timeout
		case "b.out -> e.queue":
			l.Buffer = 4
		}
		d.Join(l)
	}
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	return New(net, Options{Until: clock.At(50 * time.Millisecond)})
}

// at runs one thing at each of some times, in ms.
func at(t *testing.T, core *Core, do map[int]func() *Request) {
	t.Helper()
	core.Front().Go(func(w *Participant) {
		for ms := range 50 {
			if do[ms] == nil {
				continue
			}
			if err := w.Wait(clock.At(time.Duration(ms)*time.Millisecond), nil); err != nil {
				t.Error(err)
				return
			}
			if r := do[ms](); r != nil {
				_ = w.Wait(0, r.Ready)
				if _, err := r.Result(); err != nil {
					t.Errorf("at %d ms: %v", ms, err)
				}
			}
		}
	})
}

func cdrOf(p *port.Port, v any) []byte {
	cdr, err := p.Layout().FromValue(v)
	if err != nil {
		panic(err)
	}
	return cdr
}

// An overridden output has the value by hand for every reader, however it is linked, and what its block wrote when it is
// released.
func TestOverriddenOutputHasItsValueForEveryReader(t *testing.T) {
	for threads := 1; threads <= 2; threads++ {
		var b bell
		var e ear
		core := ring(t, threads, &b, &e, 0)
		f, ports := core.Front(), core.net.Blocks[0]
		out, pair := ports.Port("out"), ports.Port("pair")
		at(t, core, map[int]func() *Request{
			10: func() *Request { return f.Feed(out, cdrOf(out, 99.0)) },
			11: func() *Request { return f.Feed(pair, cdrOf(pair, []any{7.0, 8.0})) },
			15: func() *Request {
				if !f.ByHand(out) || !f.ByHand(pair) || f.ByHand(core.net.Blocks[1].Port("in")) {
					t.Error("the front does not know what has values by hand")
				}
				return f.Feed(out, cdrOf(out, 98.0))
			},
			20: func() *Request { return f.Release(out) },
			21: func() *Request { return f.Release(pair) },
			22: func() *Request {
				if f.ByHand(out) || f.ByHand(pair) {
					t.Error("the front thinks that what was released is not")
				}
				return nil
			},
		})
		if err := core.RunVirtual(context.Background()); err != nil {
			t.Fatal(err)
		}
		for what, list := range map[string][]float64{"in": e.in, "queue": e.queue} {
			i, j := slices.Index(list, 99.0), slices.Index(list, 98.0)
			if i < 8 || j < i+3 || list[len(list)-1] < 48 || slices.ContainsFunc(list[i:j], func(x float64) bool { return x != 99 }) {
				t.Errorf("%d threads: %s read %v", threads, what, list)
			}
			last := len(list) - 1 - slices.Index(reversed(list), 98.0)
			if after := list[last+1]; after < 17 || after > 22 || last < j+3 {
				t.Errorf("%d threads: %s read %v after the release: %v", threads, what, after, list)
			}
		}
		if i := slices.Index(e.first, 8.0); i < 8 || e.first[i+8] != 8 || e.first[len(e.first)-1] > -48 {
			t.Errorf("%d threads: the carried element was %v", threads, e.first)
		}
		if b.Pair.Value()[0] != 50 {
			t.Errorf("the block's own value is %v", b.Pair.Value())
		}
	}
}

func reversed(list []float64) []float64 {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

// An input keeps its value by hand against its link, however it is linked, and reads its link, or zero, when it is released.
func TestFedInputKeepsItsValueUntilReleased(t *testing.T) {
	var b bell
	var e ear
	core := ring(t, 2, &b, &e, 0)
	f := core.Front()
	lone, first, queue := core.net.Blocks[0].Port("lone"), core.net.Blocks[1].Port("first"), core.net.Blocks[1].Port("queue")
	at(t, core, map[int]func() *Request{
		10: func() *Request { return f.Feed(lone, cdrOf(lone, 5.0)) },
		11: func() *Request { return f.Feed(first, cdrOf(first, 6.0)) },
		12: func() *Request { return f.Feed(queue, cdrOf(queue, 700.0)) },
		20: func() *Request { return f.Release(lone) },
		21: func() *Request { return f.Release(first) },
		22: func() *Request { return f.Release(queue) },
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	for what, list := range map[string][]float64{"lone": b.lone, "first": e.first} {
		by := map[string]float64{"lone": 5, "first": 6}[what]
		i := slices.Index(list, by)
		n := len(slices.DeleteFunc(slices.Clone(list), func(x float64) bool { return x != by }))
		if i < 9 || n < 8 || list[i+n-1] != by || list[i+n] == by {
			t.Errorf("%s read %v", what, list)
		}
	}
	if last := b.lone[len(b.lone)-1]; last != 0 {
		t.Errorf("the input that is not linked reads %v after its release", last)
	}
	if n := slices.Index(e.queue, 700); n < 9 || e.queue[n+1] == 700 || e.queue[len(e.queue)-1] < 48 {
		t.Errorf("the queue read %v", e.queue)
	}
}

// A disabled block is not executed until it is enabled; a value given by hand to its output stays fresh for its readers.
func TestDisabledBlockIsNotExecuted(t *testing.T) {
	var b bell
	var e ear
	core := ring(t, 1, &b, &e, 3*time.Millisecond)
	f, ports := core.Front(), core.net.Blocks[0]
	out := ports.Port("out")
	off := cdrOf(ports.Enable, false)
	at(t, core, map[int]func() *Request{
		10: func() *Request { return f.Feed(ports.Enable, off) },
		11: func() *Request { return f.Feed(out, cdrOf(out, 77.0)) },
		20: func() *Request {
			if s := f.State(ports); !s.Disabled || s.Faulted || f.State(core.net.Blocks[1]).Resting {
				t.Errorf("states %+v, %+v", s, f.State(core.net.Blocks[1]))
			}
			return f.Release(out)
		},
		30: func() *Request {
			if !f.State(core.net.Blocks[1]).Resting {
				t.Error("the ear does not rest though the bell is silent")
			}
			return f.Release(ports.Enable)
		},
		32: func() *Request {
			if f.State(ports).Disabled || f.State(core.net.Blocks[1]).Resting {
				t.Error("the blocks do not run again")
			}
			return nil
		},
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := len(b.lone); n < 28 || n > 33 {
		t.Errorf("the bell was executed %d times in 30 of 50 ms", n)
	}
}

// An error of its block ends what was given to an output by hand: the safe value counts. The history keeps the count.
func TestErrorEndsOverride(t *testing.T) {
	var b bell
	var e ear
	core := ring(t, 1, &b, &e, 0)
	f, ports := core.Front(), core.net.Blocks[0]
	out := ports.Port("out")
	at(t, core, map[int]func() *Request{
		10: func() *Request { return f.Feed(out, cdrOf(out, 77.0)) },
		15: func() *Request { b.fails = true; return nil },
		20: func() *Request {
			if list := f.InError(); len(list) != 1 || list[0].Why != "wanted" || f.ByHand(out) || b.Out.Value() != -1 {
				t.Errorf("in error %v, value %v", list, b.Out.Value())
			}
			b.fails = false
			return f.Reset(ports)
		},
		25: func() *Request {
			if list := f.InError(); list != nil || f.FaultCount() != 1 || f.State(ports).Faults != 1 || len(f.Faults()) != 1 {
				t.Errorf("in error %v after the reset", list)
			}
			return nil
		},
	})
	if err := core.RunVirtual(context.Background()); err == nil {
		t.Error("a run with an error ends as if it had none")
	}
}

// A tap of an event sees each of them, and what it does not shows in the count.
func TestTapReturnsOrCountsEachEvent(t *testing.T) {
	for name, every := range map[string]int{"b.ring": 1, "e.heard": 1, "b.ring ": 8} {
		var b bell
		var e ear
		core := ring(t, 1, &b, &e, 0)
		p := core.net.Blocks[0].Port("ring")
		if name == "e.heard" {
			p = core.net.Blocks[1].Port("heard")
		}
		var counts []uint32
		_, err := core.Front().Tap(p, every, false, func(s Sample) {
			if v := float64Of(s.CDR); v != float64(s.Count-1) {
				t.Errorf("event %d has the value %v", s.Count, v)
			}
			counts = append(counts, s.Count)
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := core.RunVirtual(context.Background()); err != nil {
			t.Fatal(err)
		}
		if every == 1 && (len(counts) != 153 || !slices.IsSorted(counts)) {
			t.Errorf("%s: %d of 153 events: %v", name, len(counts), counts)
		}
		if every == 8 && (len(counts) != 3+6*port.MaxPendingEvents || counts[3] != 12) {
			t.Errorf("every 8: %d events: %v", len(counts), counts)
		}
	}
}

func TestValuesByHandAllocateNothing(t *testing.T) {
	var b bell
	var e ear
	core := ring(t, 1, &b, &e, 0)
	b.lone, e.in, e.first, e.queue, e.events = nil, nil, nil, nil, nil
	ports := core.net.Blocks[0]
	if _, err := core.Front().Tap(ports.Port("ring"), 1, true, func(Sample) {}); err != nil {
		t.Fatal(err)
	}
	pair, off := cdrOf(ports.Port("pair"), []any{1.0, 2.0}), cdrOf(ports.Enable, false)
	now := clock.Time(0)
	th := core.threads[0]
	box, index := th.edge.mailbox, ports.Port("pair").Index
	requests := [][]byte{
		newRequest(askFeed, 0, 0, index, pair), newRequest(askRelease, 0, 0, index, nil),
		newRequest(askFeed, 0, 0, ports.Enable.Index, off), newRequest(askFeed, 0, 0, index, pair),
		newRequest(askRelease, 0, 0, index, nil), newRequest(askRelease, 0, 0, ports.Enable.Index, nil),
	}
	k := 0
	testkit.NoAllocs(t, 5000, func() {
		now++
		box.Put(requests[k%len(requests)])
		k++
		th.activate(now)
		for th.edge.replies.Next() != nil {
			th.edge.replies.Release()
		}
		for th.edge.log.Next() != nil {
			th.edge.log.Release()
		}
	})
}

func TestTheCoreLetsGoOfAValueWithoutItsFront(t *testing.T) {
	s, v := newStuck(""), &reader{}
	net := hangingNet(t, s, v).net
	b := NewBoundary(net)
	core := NewCore(net, b, Options{})
	front := NewFront(net, b)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- core.Serve(ctx) }()
	out := net.Blocks[0].Port("out")
	front.FeedFor(out, cdr(7), 300*time.Millisecond)
	testkit.Await(t, "the value by hand arrives", func() bool { return v.most.Load() == 7 })
	// From here on the front is not served: it is dead.
	testkit.Await(t, "the core lets go", func() bool { return v.in.Load() == 5 && !front.ByHand(out) })
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestAValueForATimeLastsWhileItIsRenewed(t *testing.T) {
	s, v := newStuck(""), &reader{}
	core := hangingNet(t, s, v)
	out := core.net.Blocks[0].Port("out")
	var released []string
	core.Front().OnRelease(func(p *port.Port) { released = append(released, p.Ref()) })
	var began, again byte
	var heldAt90, heldAt120, heldForGood bool
	core.Front().Go(func(p *Participant) {
		feed := func(lasts time.Duration) byte {
			r := core.Front().FeedFor(out, cdr(7), lasts)
			_ = p.Wait(0, r.Ready)
			answer, _ := r.Result()
			return answer[0]
		}
		began = feed(50 * time.Millisecond)
		_ = p.Wait(clock.At(40*time.Millisecond), nil)
		again = feed(60 * time.Millisecond)
		_ = p.Wait(clock.At(90*time.Millisecond), nil)
		heldAt90 = core.Front().ByHand(out)
		_ = p.Wait(clock.At(120*time.Millisecond), nil)
		heldAt120 = core.Front().ByHand(out)
		feed(10 * time.Millisecond)
		_ = p.Wait(0, core.Front().Feed(out, cdr(7)).Ready)
		_ = p.Wait(clock.At(200*time.Millisecond), nil)
		heldForGood = core.Front().ByHand(out)
		core.Stop()
	})
	if err := core.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	if began != 1 || again != 0 || !heldAt90 || heldAt120 || !heldForGood || len(released) != 1 || released[0] != "stuck.out" {
		t.Errorf("began %d, again %d, held at 90 ms %v, at 120 ms %v, without a time %v, released %v", began, again, heldAt90, heldAt120, heldForGood, released)
	}
}
