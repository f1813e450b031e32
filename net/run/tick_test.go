package run

import (
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
)

// timer writes the number of its tick, in ms.
type timer struct{ Out block.Out[float64] }

func (w *timer) Step(t clock.Tick) error {
	w.Out.Write(float64(t.Time) / 1e6)
	return nil
}

// relay passes on what it reads, and notes it for each tick.
type relay struct {
	In   block.In[float64]
	Out  block.Out[float64]
	mu   sync.Mutex
	read map[clock.Time]reading
}

type reading struct {
	value float64
	age   time.Duration
}

func (r *relay) Step(t clock.Tick) error {
	v, status := r.In.Read()
	if status == block.NoData {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.read == nil {
		r.read = map[clock.Time]reading{}
	}
	r.read[t.Time] = reading{v, r.In.Age()}
	r.Out.Write(v)
	return nil
}

// taken returns what was read up to now.
func (r *relay) taken() map[clock.Time]reading {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.read)
}

// Threads of two processes exchange by tick, there and back: each activation reads the value that its tick determines, as in one
// process, or the value is named as late.
func TestProcessesExchangeByTick(t *testing.T) {
	const period, enough = 4 * time.Millisecond, 200
	for name, c := range map[string]struct {
		direct bool
		offset time.Duration
		there  time.Duration // age of what the follower reads
	}{
		"by tick": {there: period},
		"direct":  {direct: true, offset: period / 2, there: period / 2},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.NoLeaks(t)
			system := systemName(t)
			build := func(there, back *relay) *diagram.Diagram {
				g := diagram.New(system)
				g.Thread(diagram.Thread{Name: "a", Period: period, Process: "one"})
				g.Thread(diagram.Thread{Name: "b", Period: period, Offset: c.offset, Process: "two", Follow: "a"})
				g.Add("timer", &timer{}, diagram.Place{Thread: "a"})
				g.Add("there", there, diagram.Place{Thread: "b"})
				g.Add("back", back, diagram.Place{Thread: "a"})
				l, err := diagram.ParseLink("timer.out -> there.in")
				if err != nil {
					t.Fatal(err)
				}
				l.Direct, l.Wait = c.direct, period/4
				if !c.direct {
					l.Wait = 0
				}
				g.Join(l)
				g.Link("there.out -> back.in")
				return g
			}
			there, back := &relay{}, &relay{}
			one := run(t, system, build(&relay{}, back), "one")
			two := run(t, system, build(there, &relay{}), "two")
			// Both ways together take two periods: what b writes within a period is read by a when that is over.
			const wayBack = 2 * period
			count := func(read map[clock.Time]reading, age time.Duration) (right, wrong int) {
				for at, n := range read {
					if n.value == float64(at.Add(-age))/1e6 {
						right++
					} else {
						wrong++
					}
				}
				return right, wrong
			}
			await := func(n int) {
				t.Helper()
				testkit.Await(t, fmt.Sprintf("%d values came at their ticks, there and back", n), func() bool {
					a, _ := count(there.taken(), c.there)
					b, _ := count(back.taken(), wayBack)
					return a >= n && b >= n
				})
			}
			await(enough)
			judged := map[*relay]map[clock.Time]reading{there: there.taken(), back: back.taken()}
			a, _ := count(judged[there], c.there)
			b, _ := count(judged[back], wayBack)
			await(max(a, b) + 1) // a later packet shows which values were late; the end of a sender shows none
			two.stop()
			one.stop()
			for name, x := range map[string]struct {
				relay *relay
				age   time.Duration
			}{"there": {there, c.there}, "back": {back, wayBack}} {
				right, wrong := count(judged[x.relay], x.age)
				misses, _ := one.core.Front().Misses()
				others, _ := two.core.Front().Misses() // what one process misses is read by the other
				t.Logf("%s: %d values at their tick, %d others; %d and %d misses", name, right, wrong, len(misses), len(others))
				if wrong > 0 && len(misses)+len(others) == 0 && two.core.Front().Stats()[0].Pace.Losses == 0 {
					t.Errorf("%s: %d values are not those of their ticks, and nothing is named as late", name, wrong)
				}
				for at, n := range judged[x.relay] {
					if n.value == float64(at.Add(-x.age))/1e6 && n.age > x.age {
						t.Fatalf("%s at %v: the value of its tick is %v old, not %v", name, at, n.age, x.age)
					}
				}
			}
		})
	}
}
