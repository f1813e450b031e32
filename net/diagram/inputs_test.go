package diagram

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// follower runs when one of its triggers is new.
type follower struct {
	A   block.In[float64] `trigger:"yes"`
	B   block.In[float64] `trigger:"yes"`
	C   block.In[float64] `required:"yes" doc:"what it follows" unit:"rad"`
	Vec block.In[[]float64]
	Out block.Out[float64]
}

func (f *follower) Setup(s *block.Setup) error { s.Len(3, &f.Vec); return nil }
func (f *follower) Step(clock.Tick) error      { return nil }

// meter makes a net of three threads with sources, and a follower in the thread that is named: one of them, or the triggered "woken".
func meter(t *testing.T, thread string, links ...string) (*Net, error) {
	t.Helper()
	d := New("test")
	d.Thread(Thread{Name: "fast", Period: time.Millisecond})
	d.Thread(Thread{Name: "x", Period: 10 * time.Millisecond})
	d.Thread(Thread{Name: "y", Period: 10 * time.Millisecond})
	if thread == "woken" {
		d.Thread(Thread{Name: thread, Triggered: true})
	}
	for name, place := range map[string]Place{
		"x1": {Thread: "x"}, "x2": {Thread: "x"}, "y1": {Thread: "y"}, "f": {Thread: "fast"}, "odd": {Thread: "fast", Every: 2, Offset: 1}, "even": {Thread: "fast", Every: 2},
	} {
		d.Add(name, &relay{}, place)
	}
	d.Add("b", &follower{}, Place{Thread: thread, Source: "x.yaml:7:3"})
	for _, l := range links {
		d.Link(l)
	}
	return d.Build()
}

func TestNoticesNameBlocksThatRunAtSeveralActivations(t *testing.T) {
	for _, c := range []struct {
		thread, links, want string
	}{
		{"fast", "x1.out -> b.a", ""},
		{"fast", "x1.out -> b.a; x2.out -> b.b", ""},
		{"fast", "x1.out -> b.a; y1.out -> b.b", `x.yaml:7:3: block "b" runs at each of 2 activations, because its triggers come at different times: a from x1.out, b from y1.out`},
		{"fast", "x1.out -> b.a; f.out -> b.b", ""}, // at every activation anyway
		{"fast", "even.out -> b.a; f.out -> b.b", ""},
		{"fast", "even.out -> b.a; odd.out -> b.b", `block "b" runs at each of 2 activations`},
		{"x", "f.out -> b.a; y1.out -> b.b", ""}, // as often as its thread
		{"woken", "x1.out -> b.a; x2.out -> b.b", ""},
		{"woken", "x1.out -> b.a; y1.out -> b.b", `thread "woken" runs at each of 2 activations: thread "x", thread "y"`},
		{"woken", "odd.out -> b.a; x1.out -> b.b", `thread "fast" (every 2, offset 1), thread "x"`},
		{"fast", "", `block "b" never runs unless it is fed: none of its triggers (a, b) is linked`},
		{"fast", "y1.out -> b.c", `block "b" never runs unless it is fed`},
	} {
		var links []string
		if c.links != "" {
			links = strings.Split(c.links, "; ")
		}
		net, err := meter(t, c.thread, links...)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, n := range net.Notices {
			all = append(all, n.String())
		}
		if got := strings.Join(all, "\n"); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s in %s: notices %q, want %q", c.links, c.thread, got, c.want)
		}
	}
}

func TestUnlinkedInputsAreListedWithTheirElements(t *testing.T) {
	if _, err := meter(t, "fast", "x1.out -> b.a", "x2.out -> b.vec[1]", "x1.out -> x1.in", "x1.vec -> x1.vec_in"); err == nil {
		t.Fatal("a loop was built")
	}
	net, err := meter(t, "fast", "x1.out -> b.a", "x2.out -> b.vec[1]")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range net.Unlinked {
		got = append(got, u.String())
	}
	for _, want := range []string{"b.b", "b.c", "b.vec[0,2]", "x1.in"} {
		if !slices.Contains(got, want) {
			t.Errorf("unlinked %q, want %s among them", got, want)
		}
	}
	if slices.Contains(got, "b.a") || slices.Contains(got, "b.enable") {
		t.Errorf("unlinked %q", got)
	}
}

func TestRequiredInputsMustBeLinked(t *testing.T) {
	build := func(require bool, feed bool, links ...string) error {
		d := New("test")
		d.Thread(Thread{Name: "t", Period: time.Millisecond})
		b := &follower{}
		d.Add("a", &relay{}, Place{Thread: "t"})
		d.Add("b", b, Place{Thread: "t", Source: "x.yaml:7:3"})
		if feed {
			b.C.Feed(1)
		}
		if require {
			d.RequireInputs()
		}
		for _, l := range links {
			d.Link(l)
		}
		_, err := d.Build()
		return err
	}
	const want = `x.yaml:7:3: block "b": its input c (what it follows) is not linked, and diagram.follower needs it: add a link -> b.c`
	if err := build(true, false, "a.out -> b.a"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := build(true, false, "a.nowhere -> b.c"); err == nil || strings.Contains(err.Error(), "is not linked") {
		t.Errorf("a faulty link leads to b.c: got %v", err)
	}
	for _, err := range []error{build(true, false, "a.out -> b.c"), build(true, true), build(false, false)} {
		if err != nil {
			t.Error(err)
		}
	}
}

func TestNoticesNameTriggeredThreadsThatNothingTriggers(t *testing.T) {
	for links, want := range map[string]bool{"x1.out -> b.c": true, "x1.out -> b.a": false} {
		net, err := meter(t, "woken", links)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(net.Notices, func(n Notice) bool { return strings.HasPrefix(n.Text, `thread "woken" never runs unless it is fed`) })
		if got != want {
			t.Errorf("%q: notices %v", links, net.Notices)
		}
	}
}

func TestNoticesNameThreadsWithoutBlocks(t *testing.T) {
	d := New("test")
	d.Thread(Thread{Name: "main", Period: time.Millisecond, Follow: "tick"})
	d.Thread(Thread{Name: "tick", Period: time.Millisecond}) // keeps the time of main
	d.Thread(Thread{Name: "mian", Period: time.Millisecond, Source: "x.yaml:4:3"})
	d.Thread(Thread{Name: "spare", Triggered: true, Source: "x.yaml:5:3"})
	d.Add("a", &relay{}, Place{Thread: "main"})
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	want := []Notice{
		{"x.yaml:4:3", `thread "mian" has no blocks and executes nothing: did you mean "main"?`},
		{"x.yaml:5:3", `thread "spare" has no blocks and executes nothing: place a block on it by thread: spare, or remove it`},
	}
	if !slices.Equal(net.Notices, want) {
		t.Errorf("got %v, want %v", net.Notices, want)
	}
}

// doubtful gives the same notice in each of its blocks.
type doubtful struct{ relay }

func (*doubtful) Setup(s *block.Setup) error { s.Notice("arm.urdf:3:5: <lnk> is not read"); return nil }

func TestNoticesOfSeveralSetupsWithOneTextAreOne(t *testing.T) {
	d := New("test")
	d.Thread(Thread{Name: "main", Period: time.Millisecond})
	d.Add("robot", &doubtful{}, Place{Thread: "main", Source: "x.yaml:4:3"})
	d.Add("law", &doubtful{}, Place{Thread: "main", Source: "x.yaml:5:3"})
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	if want := []Notice{{"x.yaml:4:3", `block "robot": arm.urdf:3:5: <lnk> is not read`}}; !slices.Equal(net.Notices, want) {
		t.Errorf("got %v, want %v", net.Notices, want)
	}
}
