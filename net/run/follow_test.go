package run

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// diary notes when which of its steps ran.
type diary struct {
	mu    sync.Mutex
	steps map[clock.Time]entry
}

type entry struct {
	tick clock.Tick
	at   int64 // on the machine's clock
}

func (d *diary) Step(t clock.Tick) error {
	now := rt.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.steps == nil {
		d.steps = map[clock.Time]entry{}
	}
	d.steps[t.Time] = entry{t, now}
	return nil
}

// shared returns what two diaries have of the same time.
func shared(a, b *diary) (pairs [][2]entry) {
	a.mu.Lock()
	defer a.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	for t, x := range a.steps {
		if y, ok := b.steps[t]; ok {
			pairs = append(pairs, [2]entry{x, y})
		}
	}
	return pairs
}

// Threads of two processes keep one time: the same ticks at the same instants, also for a follower that comes late; without the
// leader the follower warns and goes on.
func TestThreadsFollowAcrossProcesses(t *testing.T) {
	testkit.NoLeaks(t)
	system := systemName(t)
	const period = 5 * time.Millisecond
	build := func(d *diary) *diagram.Diagram {
		g := diagram.New(system)
		g.Thread(diagram.Thread{Name: "base", Period: period, Process: "one"})
		g.Thread(diagram.Thread{Name: "arm", Period: 2 * period, Process: "two", Follow: "base"})
		g.Add("base", d, diagram.Place{Thread: "base"})
		g.Add("arm", d, diagram.Place{Thread: "arm", Every: 2, Offset: 1})
		return g
	}
	var base, arm diary
	one := run(t, system, build(&base), "one")
	testkit.Await(t, "the leader runs", func() bool { return one.core.Front().Now() > clock.At(20*period) })
	two := run(t, system, build(&arm), "two").core.Front()
	began, from := two.Stats()[0], 0
	testkit.Await(t, "a hundred common ticks without a loss, and grids that agree in the median", func() bool {
		now := two.Stats()[0]
		if began.Pace == nil || now.Pace == nil || !now.Pace.Locked || now.Pace.Losses != began.Pace.Losses { // a busy machine may hold the leader up
			began, from = now, len(shared(&base, &arm))
		}
		return len(shared(&base, &arm)) >= from+100 && now.Pace.Phase.Quantile(0.5) <= period/10
	})
	s := two.Stats()[0]
	if s.Follow != "base" || s.Pace.Shift%(2*period) != 0 || s.Pace.Losses == 0 && (s.Pace.Shift != 0 || len(two.Warnings()) != 0) {
		t.Fatalf("the follower reports %+v", s.Pace)
	}
	t.Logf("distance of the grids in %d ticks: p50 %v, p99 %v, max %v", s.Pace.Phase.Count(), s.Pace.Phase.Quantile(0.5), s.Pace.Phase.Quantile(0.99), s.Pace.Phase.Max())
	var apart []time.Duration
	for _, p := range shared(&base, &arm) {
		apart = append(apart, time.Duration(max(p[0].at-p[1].at, p[1].at-p[0].at)))
		if n := p[1].tick.Time.Sub(0)/(2*period) - 1; n%2 != 0 {
			t.Fatalf("every: 2, offset: 1 ran at %v", p[1].tick.Time)
		}
	}
	slices.Sort(apart)
	t.Logf("distance of the steps: p50 %v, max %v", apart[len(apart)/2], apart[len(apart)-1])
	if apart[len(apart)/2] > period/2 {
		t.Errorf("the steps of one time are %v apart in the median", apart[len(apart)/2])
	}

	one.stop()
	testkit.Await(t, "the follower warns that it runs free", func() bool {
		w := two.Warnings()
		return len(w) == 1 && strings.Contains(w[0].String(), `follow "base"`) && !two.Stats()[0].Pace.Locked
	})
	before := two.Stats()[0].Activations
	testkit.Await(t, "it goes on", func() bool { return two.Stats()[0].Activations > before+5 })
	var again diary
	run(t, system, build(&again), "one")
	testkit.Await(t, "it follows the next leader", func() bool { return two.Stats()[0].Pace.Locked })
	if p := two.Stats()[0].Pace; p.Losses <= s.Pace.Losses || p.Shift <= 0 || p.Shift%(2*period) != 0 {
		t.Errorf("the follower reports %+v", p)
	}
}

// A follower without a leader begins alone.
func TestFollowerBeginsAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: waits two seconds")
	}
	system := systemName(t)
	const period = 50 * time.Millisecond
	g := diagram.New(system)
	g.Thread(diagram.Thread{Name: "base", Period: period, Process: "one"})
	g.Thread(diagram.Thread{Name: "arm", Period: period, Process: "two", Follow: "base"})
	d := &diary{}
	g.Add("arm", d, diagram.Place{Thread: "arm"})
	two := run(t, system, g, "two").core.Front()
	testkit.Await(t, "it runs and warns that it is alone", func() bool { return two.Stats()[0].Activations > 3 && len(two.Warnings()) == 1 })
	d.mu.Lock()
	defer d.mu.Unlock()
	s := two.Stats()[0]
	first := slices.Min(slices.Collect(maps.Keys(d.steps)))
	if late := clock.At(time.Duration(s.Slips) * period); first > late || s.Pace.Locked { // a busy machine may skip the first ticks
		t.Errorf("it begins at %v after %d slips, locked: %v; want 0, unlocked", first, s.Slips, s.Pace.Locked)
	}
}
