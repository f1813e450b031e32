package thread

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// watch writes the number of its tick, in ms.
type watch struct{ Out block.Out[float64] }

func (w *watch) Step(t clock.Tick) error {
	w.Out.Write(float64(t.Time) / 1e6)
	return nil
}

// diary adds Plus to what it reads, and notes what it read at each tick; NaN would be noted as no number.
type diary struct {
	In   block.In[float64]
	Out  block.Out[float64]
	plus float64
	mu   sync.Mutex
	read map[clock.Time]float64
}

func newDiary(plus float64) *diary { return &diary{plus: plus, read: map[clock.Time]float64{}} }

func (d *diary) Step(t clock.Tick) error {
	v, status := d.In.Read()
	if status == block.NoData {
		return nil
	}
	d.mu.Lock()
	d.read[t.Time] = v
	d.mu.Unlock()
	d.Out.Write(v + d.plus)
	return nil
}

func (d *diary) notes() map[clock.Time]float64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := make(map[clock.Time]float64, len(d.read))
	for t, v := range d.read {
		all[t] = v
	}
	return all
}

// measuredNet is the net of which 5 % of the values that crossed differed from virtual time, before exchange by tick: a wave at 1 ms, a
// gain at 1 ms and one at 2 ms, each in a thread of its own, and scopes back at the wave's.
func measuredNet(t *testing.T, o Options) (c *Core, scopes map[string]*diary) {
	t.Helper()
	d := diagram.New("test")
	for name, period := range map[string]time.Duration{"a": time.Millisecond, "b": time.Millisecond, "c": 2 * time.Millisecond} {
		d.Thread(diagram.Thread{Name: name, Period: period})
	}
	scopes = map[string]*diary{"b": newDiary(0.25), "c": newDiary(0.5), "back": newDiary(0), "back2": newDiary(0)}
	d.Add("wave", &watch{}, diagram.Place{Thread: "a"})
	d.Add("gain", scopes["b"], diagram.Place{Thread: "b"})
	d.Add("gain2", scopes["c"], diagram.Place{Thread: "c"})
	d.Add("back", scopes["back"], diagram.Place{Thread: "a"})
	d.Add("back2", scopes["back2"], diagram.Place{Thread: "a"})
	for _, l := range []string{"wave.out -> gain.in", "wave.out -> gain2.in", "gain.out -> back.in", "gain2.out -> back2.in"} {
		d.Link(l)
	}
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	return New(net, o), scopes
}

func TestRealTimeGivesTheNumbersOfVirtualTime(t *testing.T) {
	testkit.NoLeaks(t)
	const enough = 2000 // values that are compared
	real, got := measuredNet(t, Options{})
	r := run(t, real)
	testkit.Await(t, "the threads have run for a while", func() bool { return len(got["b"].notes()) > enough })
	if err := r.end(t); err != nil {
		t.Fatal(err)
	}
	misses, more := real.Front().Misses()
	if more > 0 {
		t.Errorf("%d misses have no name", more)
	}
	virtual, want := measuredNet(t, Options{Until: real.Front().Now()})
	if err := virtual.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	// Values that a miss touches are read elsewhere up to two periods of the slow thread later.
	const reach = 8 * time.Millisecond
	excused := func(at clock.Time) bool {
		for _, m := range misses {
			if at >= m.First.Add(-reach) && at <= m.Last.Add(reach) {
				return true
			}
		}
		return false
	}
	equal := 0
	for name, scope := range got {
		expected := want[name].notes()
		for at, v := range scope.notes() {
			switch w, ok := expected[at]; {
			case ok && v == w:
				equal++
			case !excused(at):
				t.Errorf("%s at %v: %v in real time, %v in virtual time (%v), and no miss is near", name, at, v, w, ok)
			}
		}
	}
	if equal < enough {
		t.Errorf("%d values are equal, want at least %d; misses: %+v", equal, enough, misses)
	}
	t.Logf("%d values are equal; %d misses", equal, len(misses))
}

// However late a front looks, it learns of all that a thread has missed.
func TestMissesWaitForTheFront(t *testing.T) {
	testkit.NoLeaks(t)
	const ticks = 10_000
	a := newApart(t)
	thread := a.core.threads[0]
	for n := range int64(ticks) {
		thread.slipped(clock.Time(n*3e6), 1)
	}
	ended := make(chan struct{})
	go func() {
		thread.endMisses()
		close(ended)
	}()
	testkit.Await(t, "the thread has handed over its misses", func() bool {
		a.front.poll()
		select {
		case <-ended:
			return true
		default:
			return false
		}
	})
	a.front.poll()
	misses, more := a.front.Misses()
	count := uint64(0)
	for _, m := range misses {
		count += m.Count
	}
	if last := misses[len(misses)-1]; count != ticks || more != 0 || last.Last != (ticks-1)*3e6 || last.Gap != 3*time.Millisecond {
		t.Errorf("%d misses are named and %d are not, of %d; the last: %+v", count, more, ticks, last)
	}
}

// gate is a block that stays in its step at a tick from a time on, after its first, until it is let go.
type gate struct {
	Out  block.Out[float64]
	from clock.Time
	at   atomic.Int64 // the tick at which it stays, as a clock.Time; 0: not yet
	open chan struct{}

	written bool // a value that its reader can go on with: on a busy machine its first tick may be a late one
}

func (g *gate) Step(t clock.Tick) error {
	if g.written && t.Time >= g.from && g.at.CompareAndSwap(0, int64(t.Time)) {
		<-g.open
	}
	g.Out.Write(float64(t.Time) / 1e6)
	g.written = true
	return nil
}

// While the sender has not finished the activation that the reader's tick takes, the reader goes on with the value before; the
// value is counted and named as late, with link and tick.
func TestLateValuesAreNamed(t *testing.T) {
	testkit.NoLeaks(t)
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "a", Period: 2 * time.Millisecond, Watchdog: time.Minute})
	d.Thread(diagram.Thread{Name: "b", Period: 2 * time.Millisecond, Watchdog: time.Minute})
	g, reads := &gate{from: clock.At(20 * time.Millisecond), open: make(chan struct{})}, newDiary(0)
	d.Add("g", g, diagram.Place{Thread: "a"})
	d.Add("reads", reads, diagram.Place{Thread: "b"})
	d.Link("g.out -> reads.in")
	net, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	c := New(net, Options{})
	warnings := make(chan string, 100)
	c.Front().OnWarning(func(w Warning) { warnings <- w.String() })
	r := run(t, c)
	late := func() *Stats {
		for _, s := range c.Front().Stats() {
			if s.Thread == "b" {
				return &s
			}
		}
		return nil
	}
	testkit.Await(t, "the reader misses a value", func() bool { return late().Late > 0 })
	testkit.Await(t, "the sender stays", func() bool { return g.at.Load() > 0 })
	stays := clock.Time(g.at.Load())
	testkit.Await(t, "it goes on at several ticks", func() bool {
		for at := range reads.notes() {
			if at >= stays.Add(10*time.Millisecond) {
				return true
			}
		}
		return false
	})
	before := reads.notes()
	close(g.open)
	began := `thread "b" goes on with old values: those of its tick came late over g.out -> reads.in, first at `
	testkit.Await(t, "a warning names the link", func() bool { return strings.HasPrefix(<-warnings, began) })
	if err := r.end(t); err != nil {
		t.Fatal(err)
	}
	misses, _ := c.Front().Misses()
	named := false
	for _, m := range misses {
		named = named || m.Thread == "b" && len(m.Links) == 1 && m.Links[0] == "g.out -> reads.in" && m.Last >= stays.Add(4*time.Millisecond)
	}
	if !named {
		t.Errorf("the misses do not name the link: %+v", misses)
	}
	for at, v := range before {
		if at >= stays.Add(2*time.Millisecond) && v > float64(stays)/1e6-2 {
			t.Errorf("at %v the reader has %v, which was not there yet", at, v)
		}
	}
}

// The judge is a published program in Lingua Franca, test/C/src/federated/DistributedCount.lf by Edward A. Lee: a counter at 1 s, whose
// numbers another federate reads 200 ms after they were counted, in the order 1 to 5, at 0.2 s, 1.2 s and so on, before it stops at 5 s.
// In ours the offset of the reader is the logical delay, and the link is direct.
func TestDistributedCountGivesTheAnswersOfLinguaFranca(t *testing.T) {
	build := func(second time.Duration, o Options) (*Core, *diary) {
		d := diagram.New("test")
		d.Thread(diagram.Thread{Name: "c", Period: second})
		d.Thread(diagram.Thread{Name: "p", Period: second, Offset: second / 5})
		p := newDiary(0)
		d.Add("count", &counter{}, diagram.Place{Thread: "c"})
		d.Add("print", p, diagram.Place{Thread: "p"})
		l, err := diagram.ParseLink("count.out -> print.in")
		if err != nil {
			t.Fatal(err)
		}
		l.Direct = true
		d.Join(l)
		net, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		return New(net, o), p
	}
	virtual, p := build(time.Second, Options{Until: clock.At(5*time.Second - 1)})
	if err := virtual.RunVirtual(context.Background()); err != nil {
		t.Fatal(err)
	}
	want := "map[1.2s:2 2.2s:3 200ms:1 3.2s:4 4.2s:5]"
	if got := fmt.Sprint(texts(p.notes())); got != want {
		t.Errorf("got %v, want %v", got, want)
	}

	// In real time, a hundred times as fast, each number is that of its tick, or follows a miss. A run that begins with a miss has no right
	// one: then there is another.
	testkit.Await(t, "a run has numbers of their ticks", func() bool {
		real, p := build(10*time.Millisecond, Options{})
		r := run(t, real)
		testkit.Await(t, "fifty numbers have come", func() bool { return len(p.notes()) >= 50 })
		if err := r.end(t); err != nil {
			t.Fatal(err)
		}
		misses, _ := real.Front().Misses()
		right := 0
		for at, v := range p.notes() {
			switch count := float64(at.Sub(0)/(10*time.Millisecond)) + 1; {
			case v == count:
				right++
			case len(misses) == 0:
				t.Errorf("at %v the number is %v, want %v", at, v, count)
			}
		}
		return right > 0
	})
}

func texts(notes map[clock.Time]float64) map[string]float64 {
	all := map[string]float64{}
	for t, v := range notes {
		all[t.Sub(0).String()] = v
	}
	return all
}
