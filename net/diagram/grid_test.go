package diagram

import (
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
)

// gridded builds two relays on threads a and b with a link between them, and returns its plan or the error.
func gridded(a, b Thread, l Link, more ...Thread) (LinkPlan, error) {
	d := New("test")
	a.Name, b.Name = "a", "b"
	for _, t := range append([]Thread{a, b}, more...) {
		d.Thread(t)
	}
	d.Add("x", &relay{}, Place{Thread: "a"})
	d.Add("y", &relay{}, Place{Thread: "b"})
	l.From, l.To = End{Block: "x", Port: "out"}, End{Block: "y", Port: "in"}
	d.Join(l)
	net, err := d.Build()
	if err != nil {
		return LinkPlan{}, err
	}
	return net.Links[0], nil
}

func TestThreadsThatKeepOneTimeExchangeByTick(t *testing.T) {
	const ms = time.Millisecond
	periodic, slow, triggered := Thread{Period: ms}, Thread{Period: 2 * ms}, Thread{Triggered: true}
	in := func(t Thread, process, follow string) Thread {
		t.Process, t.Follow = process, follow
		return t
	}
	for name, c := range map[string]struct {
		a, b Thread
		link Link
		more []Thread
		tick bool
	}{
		"threads of one process":                {a: periodic, b: slow, tick: true},
		"a triggered receiver":                  {a: periodic, b: triggered},
		"a triggered sender":                    {a: triggered, b: periodic},
		"newest":                                {a: periodic, b: slow, link: Link{Newest: true}},
		"a buffered link":                       {a: periodic, b: slow, link: Link{Buffer: 3}, tick: true},
		"processes without a common time":       {a: in(periodic, "p", ""), b: in(slow, "q", "")},
		"a process that follows the other":      {a: in(periodic, "p", ""), b: in(slow, "q", "a"), tick: true},
		"a process that is followed":            {a: in(periodic, "p", "b"), b: in(slow, "q", ""), tick: true},
		"processes that follow a third":         {a: in(periodic, "p", "c"), b: in(slow, "q", "c"), more: []Thread{{Name: "c", Period: ms, Process: "r"}}, tick: true},
		"another thread of the process follows": {a: in(periodic, "p", ""), b: in(slow, "q", ""), more: []Thread{{Name: "c", Period: ms, Process: "q", Follow: "a"}}, tick: true},
	} {
		plan, err := gridded(c.a, c.b, c.link, c.more...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := plan.Grid != nil; got != c.tick {
			t.Errorf("%s: exchange by tick: %v, want %v", name, got, c.tick)
		}
	}
}

func TestDirectLinksAreChecked(t *testing.T) {
	const ms = time.Millisecond
	early, late := Thread{Period: ms}, Thread{Period: ms, Offset: ms / 2}
	for want, c := range map[string]struct {
		a, b Thread
		link Link
	}{
		"": {early, late, Link{Direct: true}},
		`link x.out -> y.in: it is direct, so thread "a" must begin before "b": its offset of 500µs is not less than 0s`:                       {late, early, Link{Direct: true}},
		"link x.out -> y.in: it is direct and newest: choose one":                                                                              {early, late, Link{Direct: true, Newest: true}},
		"link x.out -> y.in: wait is for how long the reader of a direct link waits: write direct: true as well":                               {early, late, Link{Wait: ms / 4}},
		`link x.out -> y.in: its reader waits 2ms, which is not between 0 and the period of thread "b", 1ms`:                                   {early, late, Link{Direct: true, Wait: 2 * ms}},
		`link x.out -> y.in: it is direct, but threads "a" and "b" do not keep one time: that wants two periods and, in two processes, follow`: {early, Thread{Triggered: true}, Link{Direct: true}},
	} {
		_, err := gridded(c.a, c.b, c.link)
		if got := errorText(err); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestLoopOfDirectLinksIsNamed(t *testing.T) {
	d := New("test")
	for i, name := range []string{"a", "b", "c"} {
		d.Thread(Thread{Name: name, Period: time.Millisecond, Offset: time.Duration(i) * time.Microsecond})
		d.Add("in_"+name, &relay{}, Place{Thread: name})
	}
	for _, l := range []string{"in_a.out -> in_b.in", "in_b.out -> in_c.in", "in_c.out -> in_a.in"} {
		parsed, err := ParseLink(l)
		if err != nil {
			t.Fatal(err)
		}
		parsed.Direct = true
		d.Join(parsed)
	}
	_, err := d.Build()
	want := "link in_c.out -> in_a.in: direct links form a loop, in which each thread would wait for the next in the same tick: " +
		"in_c.out -> in_a.in, in_a.out -> in_b.in, in_b.out -> in_c.in; leave direct out at one of them"
	if got := errorText(err); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A buffered link from a thread that is ahead gives the values of the ticks before, not those that wait already.
func TestQueuesAreReadByTick(t *testing.T) {
	d := New("test")
	d.Thread(Thread{Name: "a", Period: time.Millisecond})
	d.Thread(Thread{Name: "b", Period: time.Millisecond})
	x, y := &relay{}, &relay{}
	d.Add("x", x, Place{Thread: "a"})
	d.Add("y", y, Place{Thread: "b"})
	d.Join(Link{From: End{Block: "x", Port: "out"}, To: End{Block: "y", Port: "in"}, Buffer: 8})
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	out, phase := net.Threads[0].Phases[0].Exports[0], net.Threads[1].Phases[0]
	tick := func(n int) clock.Time { return clock.At(time.Duration(n) * time.Millisecond) }
	for n := range 3 { // the sender is three ticks ahead
		x.Out.Write(float64(10 * n))
		x.Out.Write(float64(10*n + 1))
		out.Publish(tick(n))
	}
	var got []float64
	for n := range 4 {
		phase.Imports[0].Fetch(tick(n))
		phase.Queued[0].Refill()
		for y.In.New() {
			v, _ := y.In.Read()
			got = append(got, v+1000*float64(n))
		}
	}
	want := []float64{1000, 1001, 2010, 2011, 3020, 3021}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

func TestLinksDescribeTheirExchange(t *testing.T) {
	const ms = time.Millisecond
	fast, slow, late := Thread{Period: ms}, Thread{Period: 10 * ms}, Thread{Period: ms, Offset: ms / 2}
	for name, c := range map[string]struct {
		a, b  Thread
		link  Link
		kind  Exchange
		reads string
		ticks int
	}{
		"equal periods":        {fast, fast, Link{}, ByTick, "by tick: 1ms old (1 tick of its reader)", 1},
		"slow to fast":         {slow, fast, Link{}, ByTick, "by tick: 10ms to 19ms old", 0},
		"fast to slow":         {fast, slow, Link{}, ByTick, "by tick: 1ms old", 0},
		"direct":               {fast, late, Link{Direct: true}, DirectTick, "direct: of the same tick, 500µs old; the reader waits at most 500µs", 0},
		"newest":               {fast, slow, Link{Newest: true}, NewestValue, "the newest value", 0},
		"from a triggered one": {Thread{Triggered: true}, fast, Link{}, NewestValue, "the newest value", 0},
		"buffered":             {Thread{Triggered: true}, fast, Link{Buffer: 3}, EachValue, "each value, in order; at most 3 wait", 0},
		"buffered, by tick":    {fast, fast, Link{Buffer: 3}, EachValue, "each value, in order; at most 3 wait", 1},
	} {
		plan, err := gridded(c.a, c.b, c.link)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if plan.Exchange != c.kind || plan.Reads() != c.reads || plan.Ticks() != c.ticks {
			t.Errorf("%s: %s, %q, %d ticks; want %s, %q, %d", name, plan.Exchange, plan.Reads(), plan.Ticks(), c.kind, c.reads, c.ticks)
		}
	}
}

func TestLinksWithinAThreadDescribeTheirExchange(t *testing.T) {
	d := New("test")
	d.Thread(Thread{Name: "a", Period: time.Millisecond})
	for _, name := range []string{"x", "y", "z"} {
		d.Add(name, &relay{}, Place{Thread: "a"})
	}
	d.Link("x.out -> y.in")
	d.Join(Link{From: End{Block: "y", Port: "out"}, To: End{Block: "x", Port: "in"}, Delay: true})
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	if got := []Exchange{net.Links[0].Exchange, net.Links[1].Exchange}; got[0] != SameActivation || got[1] != PreviousActivation {
		t.Errorf("exchange %q", got)
	}
}
