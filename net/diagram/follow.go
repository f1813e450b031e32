package diagram

import (
	"reflect"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/schema"
)

// Beat is what a thread tells the threads that follow it in other processes, at the start of each activation.
type Beat struct {
	Time int64 // nominal time of the activation, ns
	Late int64 // from then until the beat was sent, ns
}

// beatType describes a [Beat] as links between processes carry it.
func beatType() *schema.Type {
	t, err := schema.Of(reflect.TypeFor[Beat]())
	if err != nil {
		panic("diagram: " + err.Error()) // it is plain data
	}
	return t
}

// Beater sends the beats of a thread.
type Beater struct {
	Outlet
	layout *schema.Layout
	beat   Beat
}

// Beat tells the followers that the activation of time t has begun so much late.
func (b *Beater) Beat(t clock.Time, late time.Duration) {
	if b.send == nil {
		return
	}
	b.beat = Beat{int64(t), int64(late)}
	b.layout.Encode(b.packet, unsafe.Pointer(&b.beat))
	b.send(b.packet)
}

// Lead receives the beats of a thread in another process, which the time of this process follows.
type Lead struct {
	Inlet
	Leader   string        // the thread
	Period   time.Duration // of the leader
	Shortest time.Duration // period in this process
	Grid     time.Duration // common multiple of the periods of leader and followers
	layout   *schema.Layout
	beat     Beat
}

// Hear returns the newest beat and how long ago it was sent, if it was not heard before.
func (l *Lead) Hear() (beat Beat, age time.Duration, ok bool) {
	if l.receive == nil {
		return Beat{}, 0, false
	}
	age, ok = l.receive(l.packet)
	if !ok || l.layout.Decode(unsafe.Pointer(&l.beat), l.packet) != nil {
		return Beat{}, 0, false
	}
	return l.beat, age, true
}

// checkFollowers tells what is wrong with the threads that follow others.
func (d *Diagram) checkFollowers() {
	for _, t := range d.threads {
		leader := d.threadNamed(t.Follow)
		switch {
		case t.Offset < 0 || t.Offset > 0 && t.Offset >= t.Period:
			d.fail(t.Source, "thread %q: its offset of %v is not between 0 and its period", t.Name, t.Offset)
		case t.Follow == "":
		case leader == nil:
			d.fail(t.Source, "thread %q follows %q: no such thread%s", t.Name, t.Follow, nearest.Hint(t.Follow, d.threadNames()))
		case t.Triggered || leader.Triggered:
			d.fail(t.Source, "thread %q follows %q: only threads with a period follow and lead", t.Name, t.Follow)
		case t.Period <= 0 || leader.Period <= 0: // told already
		case leader.Period%t.Period != 0 && t.Period%leader.Period != 0:
			d.fail(t.Source, "thread %q follows %q: its period of %v is neither a multiple nor a whole part of %v", t.Name, t.Follow, t.Period, leader.Period)
		default:
			d.checkCircle(t)
		}
	}
	leaders := map[string]*thread{}
	for _, t := range d.threads {
		if t.Follow == "" {
			continue
		}
		leader := d.threadNamed(t.Follow)
		if leader == nil || leader.Process == t.Process {
			continue
		}
		if d.byName["thread."+leader.Name] != nil {
			d.fail(t.Source, "thread %q follows %q over the link %s, which is one of a block, too: rename the block", t.Name, leader.Name, beatName(leader))
		}
		if other := leaders[t.Process]; other != nil && other != leader {
			d.fail(t.Source, "thread %q follows %q, but process %q follows %q already: a process has one time", t.Name, leader.Name, t.Process, other.Name)
		}
		leaders[t.Process] = leader
	}
}

// checkCircle makes sure that whom a thread follows does not follow it.
func (d *Diagram) checkCircle(t *thread) {
	path := []string{t.Name}
	for next := d.threadNamed(t.Follow); next != nil; next = d.threadNamed(next.Follow) {
		path = append(path, next.Name)
		if next == t {
			d.fail(t.Source, "threads follow one another in a circle: %s", strings.Join(path, ", "))
			return
		}
		if len(path) > len(d.threads) {
			return // a circle that t is not part of
		}
	}
}

// beatName is what the link with the beats of a thread is called.
func beatName(leader *thread) string { return "thread." + leader.Name + ".tick" }

// beats makes the ends here of the wires by which threads lead those of other processes.
func (f *flattener) beats() {
	typ := beatType()
	layout := typ.Layout()
	for _, t := range f.d.threads {
		leader := f.d.threadNamed(t.Follow)
		if leader == nil || leader.Process == t.Process {
			continue
		}
		wire := Wire{Name: beatName(leader), Type: typ, Size: layout.Size(), From: leader.Process}
		f.net.Beats = append(f.net.Beats, BeatPlan{Leader: leader.Name, Follower: t.Name, Wire: wire})
		if f.d.process == "" {
			continue // all threads are in this one
		}
		if leader.Process == f.d.process {
			plan := f.net.Threads[leader.index]
			if plan.Beater == nil {
				plan.Beater = &Beater{Outlet: Outlet{Wire: wire, packet: make([]byte, wire.Size)}, layout: layout}
				f.net.Outlets = append(f.net.Outlets, &plan.Beater.Outlet)
			}
			if !slices.Contains(plan.Beater.To, t.Process) {
				plan.Beater.To = append(plan.Beater.To, t.Process)
			}
		}
		if t.Process == f.d.process {
			f.follow(f.net.Threads[t.index], leader, wire, layout)
		}
	}
}

// follow makes the time of this process follow a leader. The fastest of the followers hears the beats.
func (f *flattener) follow(plan *ThreadPlan, leader *thread, wire Wire, layout *schema.Layout) {
	lead := f.net.Lead
	if lead == nil {
		lead = &Lead{
			Inlet:  Inlet{Wire: wire, To: f.d.process, Thread: plan.Index, packet: make([]byte, wire.Size)},
			Leader: leader.Name, Period: leader.Period, Shortest: plan.Period, Grid: leader.Period, layout: layout,
		}
		for _, t := range f.net.Threads {
			if !t.Triggered {
				lead.Shortest = min(lead.Shortest, t.Period)
			}
		}
		f.net.Lead = lead
		f.net.Inlets = append(f.net.Inlets, &lead.Inlet)
	}
	if plan.Period < f.net.Threads[lead.Thread].Period {
		lead.Thread = plan.Index
	}
	lead.Grid = leastMultiple(lead.Grid, plan.Period)
}

// leastMultiple returns the least common multiple of two periods.
func leastMultiple(a, b time.Duration) time.Duration {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}
