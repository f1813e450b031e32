package thread

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/exchange"
)

// Miss is what did not happen at ticks in a row: a thread did not run, or a value of another thread was not there.
type Miss struct {
	Thread      string     // that did not run, or that went on with the value before
	First, Last clock.Time // ticks of the thread; of a value from another process, those of the value
	Links       []string   // that the value came over; nil: the thread did not run
}

const (
	// MaxMisses is how many misses a front keeps, the first ones; the others are counted.
	MaxMisses = 10_000

	missBytes    = 1 << 14               // waiting misses of one thread
	missRecord   = 20                    // first and last tick, 4 bytes of exchange
	lateShown    = time.Second           // after the last late value, a warning lasts as long
	leastPause   = 20 * time.Microsecond // between two looks for a value that a direct link waits for
	noExchange   = ^uint32(0)            // of a miss that is no late value
	lateExamples = 3                     // links that a warning names
)

// slipped notes the periods from first on in which the thread did not run.
func (t *thread) slipped(first clock.Time, periods int64) {
	t.miss(first, first.Add(time.Duration(periods-1)*t.plan.Period), noExchange)
}

// miss sends a miss to the front. Without room it is dropped and counted.
func (t *thread) miss(first, last clock.Time, exchange uint32) {
	b := t.edge.misses.Reserve(missRecord)
	if b == nil {
		return
	}
	binary.LittleEndian.PutUint64(b, uint64(first))
	binary.LittleEndian.PutUint64(b[8:], uint64(last))
	binary.LittleEndian.PutUint32(b[16:], exchange)
	t.edge.misses.Commit()
}

// missed notes values that did not come in time. The exchanges of a thread are numbered: imports of all phases, then inlets.
func (t *thread) missed(late exchange.Late, number int) {
	if late.Count == 0 {
		return
	}
	n := &t.counters.late
	n.Store(n.Load() + uint64(late.Count))
	t.miss(late.First, late.Last, uint32(number))
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

// number gives the thread the numbers of its exchanges.
func (t *thread) number() {
	n := 0
	for _, p := range t.plan.Phases {
		t.imports = append(t.imports, n)
		n += len(p.Imports)
	}
	for _, p := range t.plan.Phases {
		t.inlets = append(t.inlets, n)
		n += len(p.Inlets)
	}
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

// Misses returns the first [MaxMisses] misses of the run, and how many more there were.
func (f *Front) Misses() (list []Miss, more uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	more = f.missesMore
	for _, e := range f.boundary.edges {
		more += e.misses.Lost()
	}
	return slices.Clone(f.misses), more
}

// lateness is what the front knows of the misses of an exchange.
type lateness struct {
	last  int        // index among the misses of the last one
	first clock.Time // of those in the present warning
	at    time.Time  // when the front learned of the last one
}

// pollMisses takes what a thread has missed.
func (f *Front) pollMisses(thread int) {
	plan, ring := f.net.Threads[thread], f.boundary.edges[thread].misses
	for b := ring.Next(); b != nil; b = ring.Next() {
		if len(b) == missRecord {
			m := Miss{Thread: plan.Name, First: clock.Time(binary.LittleEndian.Uint64(b)), Last: clock.Time(binary.LittleEndian.Uint64(b[8:]))}
			number := binary.LittleEndian.Uint32(b[16:])
			if number < uint32(len(f.exchanges[thread])) {
				m.Links = f.exchanges[thread][number]
			}
			f.keepMiss(m, exchangeKey{thread, number}, plan.Period)
		}
		ring.Release()
	}
}

// exchangeKey names an exchange: its thread, and its number there.
type exchangeKey struct {
	thread int
	number uint32
}

// keepMiss adds a miss to the one before if it follows it.
func (f *Front) keepMiss(m Miss, of exchangeKey, period time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l, known := f.late[of]
	switch {
	case known && m.First.Sub(f.misses[l.last].Last) <= period:
		f.misses[l.last].Last = m.Last
	case len(f.misses) < MaxMisses:
		l.last = len(f.misses)
		f.misses = append(f.misses, m)
	default:
		f.missesMore++
		return
	}
	if time.Since(l.at) > lateShown {
		l.first = m.First
	}
	l.at = time.Now()
	f.late[of] = l
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
