package console_test

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
)

// frames collects the frames of a watch.
type frames struct {
	mu   sync.Mutex
	list []frame
}

type frame struct {
	ID   string
	T    int64
	Lost int
	S    [][3]any
}

func (p *page) watch(args m) (*frames, string) {
	p.t.Helper()
	f := &frames{}
	if _, err := p.Subscribe("c."+p.id+".frame.*", func(msg *nats.Msg) {
		var x frame
		if err := json.Unmarshal(msg.Data, &x); err != nil {
			p.t.Errorf("%v in %s", err, msg.Data)
		}
		f.mu.Lock()
		f.list = append(f.list, x)
		f.mu.Unlock()
	}); err != nil {
		p.t.Fatal(err)
	}
	return f, p.want("watch", args).(m)["id"].(string)
}

// values returns all values of a signal so far.
func (f *frames) values(index int) (times []float64, values []any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, x := range f.list {
		for _, s := range x.S {
			if s[0] == float64(index) {
				for _, t := range s[1].([]any) {
					times = append(times, t.(float64))
				}
				values = append(values, s[2].([]any)...)
			}
		}
	}
	return times, values
}

func TestWatchSendsFramesOfSignals(t *testing.T) {
	p := open(t, run(t, time.Millisecond, "a")).page("")
	f, id := p.watch(m{"system": "test", "rate": 30, "signals": []m{
		{"ref": "a.out"}, {"ref": "a.wide", "element": 0}, {"ref": "a.wide", "element": "2"}, {"ref": "a.wide"}, {"ref": "a.wide", "element": 9}}})
	testkit.Await(t, "samples", func() bool { _, v := f.values(0); return len(v) > 200 })
	times, values := f.values(0)
	for i := 2; i < len(values); i++ { // the first one may be what was there before
		if d := values[i].(float64) - values[i-1].(float64); d != 1 {
			t.Fatalf("sample %d is %v after %v", i, values[i], values[i-1])
		}
		if times[i] <= times[i-1] {
			t.Fatalf("time %v after %v", times[i], times[i-1])
		}
	}
	if _, v := f.values(1); v[len(v)-1] != "NaN" {
		t.Errorf("NaN came as %v", v[len(v)-1])
	}
	if _, v := f.values(2); v[len(v)-1].(float64) < 100 {
		t.Errorf("element 2 is %v", v[len(v)-1])
	}
	if _, v := f.values(3); len(v[len(v)-1].([]any)) != 3 {
		t.Errorf("the array is %v", v[len(v)-1])
	}
	if _, v := f.values(4); v[len(v)-1] != nil {
		t.Errorf("no element is %v", v[len(v)-1])
	}
	p.want("unwatch", m{"id": id})
	p.refuse("unwatch", m{"id": id}, id)
	p.refuse("watch", m{"system": "test"}, "signals")
	p.refuse("watch", m{"system": "test", "rate": -1, "signals": []m{{"ref": "a.out"}}}, "rate")
	p.refuse("watch", m{"system": "test", "signals": []m{{"ref": "a.uot"}, {"ref": "x.out"}}}, "uot", "x")
	some := p.want("watch", m{"system": "test", "signals": []m{{"ref": "a.uot"}, {"ref": "a.out"}}}).(m)["problems"].(m)
	if len(some) != 1 || some["0"] == nil {
		t.Errorf("problems %v", some)
	}
	p.refuse("watch", m{"system": "test", "signals": []m{{"ref": "a.out", "element": -1}}}, "element")
}

// TestWatchShowsWhatNeverChanges checks that a port that rests has its value.
func TestWatchShowsWhatNeverChanges(t *testing.T) {
	p := open(t, run(t, time.Millisecond, "a")).page("")
	testkit.Await(t, "a step", func() bool { return p.want("read", m{"system": "test", "ref": "a.out"}).(m)["count"].(float64) > 0 })
	p.want("enable", m{"system": "test", "ref": "a", "value": false})
	f, _ := p.watch(m{"system": "test", "signals": []m{{"ref": "a.out"}}})
	testkit.Await(t, "the value", func() bool { _, v := f.values(0); return len(v) > 0 })
}

func TestTwoPagesWatchTheSame(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a"))
	p, q := r.page(""), r.page(aToken+" ann")
	f, id := p.watch(m{"system": "test", "signals": []m{{"ref": "a.out"}}})
	g, _ := q.watch(m{"system": "test", "signals": []m{{"ref": "a.out"}}})
	testkit.Await(t, "samples", func() bool { _, v := f.values(0); _, w := g.values(0); return len(v) > 20 && len(w) > 20 })
	p.want("unwatch", m{"id": id})
	_, w := g.values(0)
	testkit.Await(t, "more samples", func() bool { _, more := g.values(0); return len(more) > len(w)+50 })
}

// TestWatchLastsThroughRestart checks that frames go on when a system has ended and another of its name has begun, and
// that pages get events of both.
func TestWatchLastsThroughRestart(t *testing.T) {
	r := open(t, run(t, time.Millisecond, "a", "b"))
	p := r.page("")
	f, _ := p.watch(m{"system": "test", "signals": []m{{"ref": "a.out"}, {"ref": "b.out"}}})
	testkit.Await(t, "samples", func() bool { _, v := f.values(0); return len(v) > 20 })
	r.systems.Remove("test")
	kinds := func() (list []string) {
		for _, e := range p.want("log", nil).([]any) {
			list = append(list, e.(m)["kind"].(string))
		}
		return list
	}
	testkit.Await(t, "the end", func() bool { return slices.Contains(kinds(), "gone") })
	_, before := f.values(0)
	r.systems.Add("test", run(t, time.Millisecond, "a"))
	testkit.Await(t, "more samples", func() bool { _, v := f.values(0); return len(v) > len(before)+20 })
	if !slices.Contains(kinds(), "back") {
		t.Errorf("events %v", kinds())
	}
}

// lossy is a system whose samples are lost on the way while loses is set.
type lossy struct {
	*admin.Local
	loses atomic.Bool
	lost  atomic.Uint64
}

func (l *lossy) Lost() uint64 { return l.lost.Load() }

func (l *lossy) Tap(ctx context.Context, ref string, every int, sink func(admin.Sample)) (end func(), err error) {
	return l.Local.Tap(ctx, ref, every, func(x admin.Sample) {
		if l.loses.Load() {
			l.lost.Add(1)
			return
		}
		sink(x)
	})
}

// TestWatchShowsValueWhoseLastSampleIsLost loses the last samples of a port that rests from then on: pages that watch it, and one that comes
// later, see its value, once.
func TestWatchShowsValueWhoseLastSampleIsLost(t *testing.T) {
	sys := &lossy{Local: run(t, time.Millisecond, "a")}
	r := open(t, sys)
	p := r.page("")
	signals := m{"system": "test", "signals": []m{{"ref": "a.out"}}}
	f, _ := p.watch(signals)
	testkit.Await(t, "samples", func() bool { _, v := f.values(0); return len(v) > 0 })
	sys.loses.Store(true)
	testkit.Await(t, "losses", func() bool { return sys.Lost() > 0 })
	p.want("enable", m{"system": "test", "ref": "a", "value": false})
	var last any
	testkit.Await(t, "rest", func() bool {
		before := last
		last = p.want("read", m{"system": "test", "ref": "a.out"}).(m)["value"]
		return last == before
	})
	shows := func(f *frames) func() bool {
		return func() bool { _, v := f.values(0); return len(v) > 0 && v[len(v)-1] == last }
	}
	testkit.Await(t, "the last value", shows(f))
	g, _ := r.page(aToken + " ann").watch(signals)
	testkit.Await(t, "the last value on another page", shows(g))
	p.want("enable", m{"system": "test", "ref": "a", "value": true})
	sys.loses.Store(false)
	_, before := f.values(0)
	testkit.Await(t, "more samples", func() bool { _, v := f.values(0); return len(v) > len(before)+20 })
	times, values := f.values(0)
	for i := range times[1:] {
		if times[i+1] <= times[i] || values[i+1] == values[i] {
			t.Fatalf("%v at %v after %v at %v", values[i+1], times[i+1], values[i], times[i])
		}
	}
}
