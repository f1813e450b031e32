package thread

import (
	"fmt"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/exchange"
)

// Miss is what did not happen at ticks of a thread: it did not run, or a value of another thread was not there.
type Miss struct {
	Thread string   // that did not run, or that went on with the value before
	Links  []string // that the value came over; nil: the thread did not run
	exchange.Miss
}

const (
	missBytes    = 1 << 14               // waiting misses of one thread
	missesEnd    = time.Second           // for how long an ended core waits for a reader of its misses
	lateShown    = time.Second           // after the last late value, a warning lasts as long
	leastPause   = 20 * time.Microsecond // between two looks for a value that a direct link waits for
	lateExamples = 3                     // links that a warning names
)

// slipped notes the periods from first on in which the thread did not run.
func (t *thread) slipped(first clock.Time, periods int64) {
	last := first.Add(time.Duration(periods-1) * t.plan.Period)
	t.misses.Write(exchange.Miss{Exchange: exchange.NoExchange, First: first, Last: last, Count: uint64(periods)})
}

// missed notes values that did not come in time. The exchanges of a thread are numbered: imports of all phases, then inlets.
func (t *thread) missed(late exchange.Late, number int) {
	if late.Count == 0 {
		return
	}
	n := &t.counters.late
	n.Store(n.Load() + uint64(late.Count))
	t.misses.Write(exchange.Miss{Exchange: uint32(number), First: late.First, Last: late.Last, Count: uint64(late.Count)})
}

// endMisses hands over what a thread that has ended still keeps. It waits for the front, at most for missesEnd: it may be gone.
func (t *thread) endMisses() {
	for end := rt.Now() + int64(missesEnd); !t.misses.Flush() && rt.Now() < end; {
		time.Sleep(time.Millisecond)
	}
	t.misses.Abandon()
}

// exchanges returns the links of each exchange of a thread: imports of all phases, then inlets.
func exchanges(plan *diagram.ThreadPlan) (links [][]string) {
	for _, p := range plan.Phases {
		for _, c := range p.Imports {
			links = append(links, c.Links)
		}
	}
	for _, p := range plan.Phases {
		for _, i := range p.Inlets {
			links = append(links, i.Links)
		}
	}
	return links
}

// number gives the thread the numbers of its exchanges, and returns how many there are.
func (t *thread) number() (n int) {
	for _, p := range t.plan.Phases {
		t.imports = append(t.imports, n)
		n += len(p.Imports)
	}
	for _, p := range t.plan.Phases {
		t.inlets = append(t.inlets, n)
		n += len(p.Inlets)
	}
	return n
}

// expectFrom sets the time at which the threads begin: what others would have published before is not missed.
func (t *thread) expectFrom(first clock.Time) {
	for _, p := range t.plan.Phases {
		for _, c := range p.Imports {
			c.Begin(first)
		}
	}
}

// fetch takes the snapshot of all that comes from other threads for the steps of a phase.
func (t *thread) fetch(phase int) {
	p := &t.plan.Phases[phase]
	for k, c := range p.Imports {
		if c.Waits(t.now) {
			t.awaitChannel(c)
		}
		if _, late := c.Fetch(t.now); late {
			t.missed(exchange.Late{Count: 1, First: t.now, Last: t.now}, t.imports[phase]+k)
		}
	}
	for k, i := range p.Inlets {
		late, waits := i.Fetch(t.now, t.leader)
		t.missed(late, t.inlets[phase]+k)
		if waits {
			t.missed(t.awaitPacket(i), t.inlets[phase]+k)
		}
	}
	for _, p := range p.Queued {
		p.Refill()
	}
	for _, p := range p.Events {
		p.Collect()
	}
}

// awaitChannel waits for the value of a direct link from another thread, at most as long as the link allows.
func (t *thread) awaitChannel(c *exchange.Channel) {
	for t.pausedBefore(c.Grid.Wait) && c.Waits(t.now) {
	}
}

// awaitPacket waits for the value of a direct link from another process, at most as long as the link allows. It returns what was lost
// on its way.
func (t *thread) awaitPacket(i *exchange.Inlet) (late exchange.Late) {
	for waits := true; waits && late.Count == 0 && t.pausedBefore(i.Grid().Wait); {
		late, waits = i.Fetch(t.now, t.leader)
	}
	return late
}

// pausedBefore sleeps a moment, and reports whether it did: not when the time after the nominal beginning of the activation is over. In
// virtual time there is nothing to wait for: what the activation reads has been written.
func (t *thread) pausedBefore(wait time.Duration) bool {
	if t.pause == nil || t.core.stopping() {
		return false
	}
	now, end := rt.Now(), t.core.base.Load()+int64(t.now.Add(wait))
	if now >= end {
		return false
	}
	t.pause.SleepUntil(min(now+int64(leastPause), end))
	return true
}

// Misses returns all misses of the run, in the order in which the front learned of them; those that follow one another are one, and
// near ones where there were too many ([exchange.Misses]). more counts those that ended with the core, since no front took them.
func (f *Front) Misses() (list []Miss, more uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range f.boundary.edges {
		more += e.misses.Lost()
	}
	for _, m := range f.misses.All() {
		named := Miss{Thread: f.net.Threads[m.Thread].Name, Miss: m.Miss}
		if m.Exchange != exchange.NoExchange {
			named.Links = f.exchanges[m.Thread][m.Exchange]
		}
		list = append(list, named)
	}
	return list, more
}

// lateness is what the front knows of the misses of an exchange.
type lateness struct {
	first clock.Time // of those in the present warning
	at    time.Time  // when the front learned of the last one
}

// exchangeKey names an exchange: its thread, and its number there.
type exchangeKey struct {
	thread int
	number uint32
}

// pollMisses takes what a thread has missed.
func (f *Front) pollMisses(thread int) {
	period := f.net.Threads[thread].Period
	exchange.ReadMisses(f.boundary.edges[thread].misses, func(m exchange.Miss) {
		if m.Exchange >= uint32(len(f.exchanges[thread])) {
			m.Exchange = exchange.NoExchange
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.misses.Add(exchange.ThreadMiss{Thread: thread, Miss: m}, period)
		of := exchangeKey{thread, m.Exchange}
		l := f.late[of]
		if time.Since(l.at) > lateShown {
			l.first = m.First
		}
		l.at = time.Now()
		f.late[of] = l
	})
}

// lateWarnings returns the warnings about values that come late. The caller holds f.mu.
func (f *Front) lateWarnings() (list []Warning) {
	for thread, links := range f.exchanges {
		for number := range links {
			l, any := f.late[exchangeKey{thread, uint32(number)}]
			if !any || time.Since(l.at) > lateShown {
				continue
			}
			names := strings.Join(links[number][:min(len(links[number]), lateExamples)], ", ")
			if more := len(links[number]) - lateExamples; more > 0 {
				names += fmt.Sprintf(" and %d more", more)
			}
			list = append(list, Warning{
				begun: fmt.Sprintf("thread %q goes on with old values: those of its tick came late over %s, first at %.6f s; sinew top counts them", f.net.Threads[thread].Name, names, l.first.Seconds()),
				ended: fmt.Sprintf("the values of %s come in time again", names),
			})
		}
	}
	return list
}
