package diagram

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/block/inspect"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/port"
)

// relay passes a number on.
type relay struct {
	In    block.In[float64] `unit:"rad"`
	Out   block.Out[float64]
	Whole block.Out[int64]
	Vec   block.Out[[]float64]
	VecIn block.In[[]float64]
	Rings block.Event[int64]
	Hears block.Handler[int64]
	N     block.Const[int] `default:"3"`
}

func (r *relay) Setup(s *block.Setup) error {
	s.Len(r.N.Value(), &r.Vec)
	r.Hears.HandleAtOnce(func(int64) {})
	return nil
}

func (r *relay) Step(clock.Tick) error {
	v, _ := r.In.Read()
	r.Out.Write(v + 1)
	return nil
}

// through has two directions.
type through struct {
	Up   block.In[float64]  `part:"sense"`
	UpTo block.Out[float64] `part:"sense"`
	Down block.In[float64]  `part:"control"`
	To   block.Out[float64] `part:"control"`
}

func (x *through) Sense(clock.Tick) error   { return nil }
func (x *through) Control(clock.Tick) error { return nil }

type degrees struct {
	Out block.Out[float64] `unit:"deg"`
}

func (d *degrees) Step(clock.Tick) error { return nil }

// build makes a diagram of the given blocks on one thread, and links.
func build(blocks map[string]block.Block, names []string, links ...string) (*Net, error) {
	d := New("test")
	d.Thread(Thread{Name: "t", Period: time.Millisecond})
	for _, n := range names {
		d.Add(n, blocks[n], Place{Thread: "t"})
	}
	for _, l := range links {
		d.Link(l)
	}
	return d.Build()
}

func order(net *Net) string {
	var list []string
	for _, s := range net.Threads[0].Steps {
		name := s.Block.Name
		if s.Part != port.Whole {
			name += "." + s.Part.String()
		}
		list = append(list, name)
	}
	return strings.Join(list, " ")
}

func TestOrderFollowsTheFlow(t *testing.T) {
	blocks := map[string]block.Block{"a": &relay{}, "b": &relay{}, "c": &relay{}, "hand": &through{}, "arm": &through{}}
	net, err := build(blocks, []string{"c", "b", "a"}, "a.out -> b.in", "b.out -> c.in")
	if err != nil {
		t.Fatal(err)
	}
	if got := order(net); got != "a b c" {
		t.Errorf("order is %s", got)
	}
	blocks = map[string]block.Block{"hand": &through{}, "arm": &through{}, "law": &relay{}}
	net, err = build(blocks, []string{"law", "arm", "hand"},
		"hand.up_to -> arm.up", "arm.up_to -> law.in", "law.out -> arm.down", "arm.to -> hand.down")
	if err != nil {
		t.Fatal(err)
	}
	if got := order(net); got != "hand.Sense arm.Sense law arm.Control hand.Control" {
		t.Errorf("order is %s", got)
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for _, c := range []struct{ link, want string }{
		{"a.out -> a.in", "loop without a delay: a.out -> a.in"},
		{"b.out -> c.in; c.out -> b.in", "loop without a delay: b.out -> c.in, c.out -> b.in"},
		{"a.out -> x.in", `no block "x"`},
		{"a.ot -> b.in", `has no port "ot"; did you mean "out"?`},
		{"a.in -> b.in", "a.in is an input, and a link begins at an output or event"},
		{"a.out -> b.out", "b.out is an output, and a link ends at an input or handler"},
		{"a.rings -> b.in", "a.rings is an event, but b.in is an input"},
		{"a.whole -> b.in", "a.whole carries std_msgs/msg/Int64, but b.in takes std_msgs/msg/Float64"},
		{"a.vec -> b.in", "a.vec has length 3, but b.in takes 1"},
		{"a.vec[7] -> b.in", "a.vec has elements 0 to 2, not 7"},
		{"a.out -> b.in; c.out -> b.in", "b.in is linked already, to a.out"},
		{"d.out -> b.in", "d.out is in deg, but b.in is in rad"},
		{"a.out b.in", `wants "block.output -> block.input"`},
		{"a.vec[1 -> b.in", "the bracket does not close"},
	} {
		blocks := map[string]block.Block{"a": &relay{}, "b": &relay{}, "c": &relay{}, "d": &degrees{}}
		_, err := build(blocks, []string{"a", "b", "c", "d"}, strings.Split(c.link, "; ")...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %q, want %q", c.link, err, c.want)
		}
	}
}

func TestDelayOpensALoop(t *testing.T) {
	d := New("test")
	d.Thread(Thread{Name: "t", Period: time.Millisecond})
	a, b := &relay{}, &relay{}
	d.Add("a", a, Place{Thread: "t"})
	d.Add("b", b, Place{Thread: "t"})
	d.Link("a.out -> b.in")
	l, _ := ParseLink("b.out -> a.in")
	l.Delay = true
	d.Join(l)
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		execute(net.Threads[0], 0)
	}
	if got := b.Out.Value(); got != 6 {
		t.Errorf("after three rounds through two relays the value is %v, want 6", got)
	}
}

// execute runs a thread's plan as package thread does, without its extras.
func execute(p *ThreadPlan, now clock.Time) {
	at := 0
	for i, phase := range p.Phases {
		for _, c := range phase.Imports {
			c.Fetch(now)
		}
		for _, q := range phase.Queued {
			q.Refill()
		}
		if i == 0 {
			for _, x := range p.Delayed {
				x.Carry(now)
			}
		}
		for _, s := range p.Steps[at:phase.End] {
			for _, x := range s.Transfers {
				x.Carry(now)
			}
			if s.Run != nil {
				_ = s.Run.Step(clock.Tick{Time: now})
			}
		}
		at = phase.End
		for _, c := range phase.Exports {
			c.Publish(now)
		}
	}
}

func TestLinksSelectAndPermuteElements(t *testing.T) {
	d := New("test")
	d.Thread(Thread{Name: "t", Period: MinPeriod})
	a, b := &relay{}, &relay{N: block.NewConst(5)}
	d.Add("a", a, Place{Thread: "t"})
	d.Add("b", b, Place{Thread: "t"})
	d.Link("a.vec[0:2] -> b.vec_in[2,0]")
	d.Link("a.vec[2] -> b.vec_in[1]")
	e := &relay{}
	d.Add("e", e, Place{Thread: "t"})
	d.Link("e.vec -> a.vec_in") // gives a.vec_in its length
	if _, err := d.Build(); err == nil || !strings.Contains(err.Error(), "the number of elements of b.vec_in is unknown") {
		t.Fatalf("an input of unknown length: %v", err)
	}

	d = New("test")
	d.Thread(Thread{Name: "t", Period: MinPeriod})
	p := &permuted{}
	d.Add("a", a, Place{Thread: "t"})
	d.Add("p", p, Place{Thread: "t"})
	d.Link("a.vec[0:2] -> p.in[2,0]")
	d.Link("a.vec[2] -> p.in[1]")
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	a.Vec.Write([]float64{10, 11, 12})
	execute(net.Threads[0], 0)
	if got := fmt.Sprint(p.In.Value()); got != "[11 12 10]" {
		t.Errorf("permuted vector is %v", got)
	}
}

type permuted struct {
	In block.In[[]float64]
}

func (p *permuted) Setup(s *block.Setup) error { s.Len(3, &p.In); return nil }
func (p *permuted) Step(clock.Tick) error      { p.In.Read(); return nil }

// TestThreadsExchangeConsistentSets links two outputs across threads and looks for halves of different activations.
func TestThreadsExchangeConsistentSets(t *testing.T) {
	d := New("test")
	d.Thread(Thread{Name: "t1", Period: MinPeriod})
	d.Thread(Thread{Name: "t2", Period: MinPeriod})
	a, b, c := &relay{}, &relay{}, &relay{}
	d.Add("a", a, Place{Thread: "t1"})
	d.Add("b", b, Place{Thread: "t2"})
	d.Add("c", c, Place{Thread: "t2"})
	d.Link("a.out -> b.in")
	d.Link("a.vec -> b.vec_in")
	d.Link("a.out -> c.in") // fan-out: the same shadow
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(net.Threads[0].Phases[0].Exports); n != 1 {
		t.Fatalf("%d channels from t1 to t2, want 1", n)
	}
	const rounds = 20000
	period := net.Threads[0].Period
	tick := func(n int) clock.Time { return clock.Time(n) * clock.Time(period) }
	var published atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := range rounds {
			a.Out.Write(float64(n))
			a.Vec.Write([]float64{float64(n), float64(n), float64(n)})
			net.Threads[0].Phases[0].Exports[0].Publish(tick(n))
			published.Store(int64(n))
		}
	}()
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true
		default:
		}
		net.Threads[1].Phases[0].Imports[0].Fetch(tick(int(published.Load()) + 1))
		v, status := b.In.Read()
		vec, _ := b.VecIn.Read()
		if w, _ := c.In.Read(); status != block.NoData && (vec[0] != v || vec[2] != v || w != v) {
			t.Fatalf("a torn set: %v beside %v and %v", v, vec, w)
		}
	}
	if v, _ := b.In.Read(); v != rounds-1 {
		t.Errorf("the newest value is %v, want %v", v, rounds-1)
	}
}

func TestLinksThinOutAndQueue(t *testing.T) {
	d := New("test")
	d.Thread(Thread{Name: "t", Period: MinPeriod})
	a, third, slow, queued := &relay{}, &relay{}, &relay{}, &relay{}
	for name, b := range map[string]*relay{"a": a, "third": third, "slow": slow, "queued": queued} {
		d.Add(name, b, Place{Thread: "t"})
	}
	for text, change := range map[string]func(*Link){
		"a.whole -> third.hears": nil,
		"a.out -> third.in":      func(l *Link) { l.Every = 3 },
		"a.out -> slow.in":       func(l *Link) { l.Pause = 10 },
		"a.out -> queued.in":     func(l *Link) { l.Buffer = 2 },
	} {
		if change == nil {
			continue
		}
		l, err := ParseLink(text)
		if err != nil {
			t.Fatal(err)
		}
		change(&l)
		d.Join(l)
	}
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	var carriedThird, carriedSlow int
	for n := range 30 {
		a.Out.Write(float64(n))
		for _, s := range net.Threads[0].Steps {
			for _, x := range s.Transfers {
				x.Carry(clock.Time(n))
			}
		}
		if _, s := third.In.Read(); s == block.NewData {
			carriedThird++
		}
		if _, s := slow.In.Read(); s == block.NewData {
			carriedSlow++
		}
	}
	if carriedThird != 10 || carriedSlow != 3 {
		t.Errorf("of 30 values %d came through every: 3 and %d through a pause of 10 ns, want 10 and 3", carriedThird, carriedSlow)
	}
	queued.In.New()
	inspect.PortOf(&queued.In).Refill()
	v1, s1 := queued.In.Read()
	v2, _ := queued.In.Read()
	v3, s3 := queued.In.Read()
	if v1 != 28 || s1 != block.NewData || v2 != 29 || v3 != 29 || s3 != block.OldData {
		t.Errorf("the queue gave %v, %v, %v", v1, v2, v3)
	}
}

func TestTransfersAllocateNothing(t *testing.T) {
	d := New("test")
	d.Thread(Thread{Name: "t1", Period: MinPeriod})
	d.Thread(Thread{Name: "t2", Period: MinPeriod})
	a, p := &relay{}, &permuted{}
	d.Add("a", a, Place{Thread: "t1"})
	d.Add("p", p, Place{Thread: "t2"})
	d.Link("a.vec[2,1,0] -> p.in")
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	v := []float64{1, 2, 3}
	testkit.NoAllocs(t, 1000, func() {
		a.Vec.Write(v)
		execute(net.Threads[0], 0)
		execute(net.Threads[1], 0)
	})
}

func FuzzParseLink(f *testing.F) {
	for _, s := range []string{"a.b -> c.d", "a.b[0:3] -> c.d[2,0,1]", "->", "a.b[ -> c.d", "a.b[9999999999] -> c.d", "a.b[0:99999999] -> c.d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ParseLink(text)
		if err != nil {
			return
		}
		again, err := ParseLink(l.String())
		if err != nil || again.String() != l.String() {
			t.Errorf("%q reads as %v, which reads as %v (%v)", text, l, again, err)
		}
	})
}

func TestLinkWithoutALengthIsNamedUnlessABlockIsMissing(t *testing.T) {
	build := func(broken bool) error {
		d := New("test")
		d.Thread(Thread{Name: "t", Period: time.Millisecond})
		d.Add("a", &free{}, Place{Thread: "t"})
		d.Add("b", &free{}, Place{Thread: "t"})
		d.Link("a.out -> b.in")
		if broken {
			d.Broken("c")
		}
		_, err := d.Build()
		return err
	}
	want := "link a.out -> b.in: neither a.out nor b.in has a number of elements of its own: link one of them to a block that has, or give a a parameter with as many elements"
	if got := errorText(build(false)); got != want {
		t.Errorf("got %s", got)
	}
	if err := build(true); err != nil && strings.Contains(err.Error(), "number of elements") {
		t.Errorf("the consequence of a missing block is reported: %v", err)
	}
}

// free has ports whose lengths follow from their links.
type free struct {
	In  block.In[[]float64]
	Out block.Out[[]float64]
}

func (*free) Step(clock.Tick) error { return nil }
