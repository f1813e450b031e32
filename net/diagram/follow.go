package diagram

import (
	"slices"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/exchange"
)

// checkFollowers reports what is wrong with the threads that follow others.
func (d *Diagram) checkFollowers() {
	for _, t := range d.threads {
		leader := d.threadNamed(t.Follow)
		switch {
		case t.Offset < 0 || t.Offset > 0 && t.Offset >= t.Period:
			d.fail(t.Source, "thread %q: its offset of %v is not between 0 and its period", t.Name, t.Offset)
		case t.Follow == "":
		case leader == nil:
			d.fail(t.Source, "thread %q follows %q: no such thread%s", t.Name, t.Follow, nearest.Later(t.Follow, d.threadNames))
		case t.Triggered || leader.Triggered:
			d.fail(t.Source, "thread %q follows %q: only threads with a period follow and lead", t.Name, t.Follow)
		case t.Period <= 0 || leader.Period <= 0: // reported already
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
			d.fail(t.Source, "thread %q follows %q over the link %s, which is one of a block, too: rename the block", t.Name, leader.Name, tickName(leader))
		}
		if other := leaders[t.Process]; other != nil && other != leader {
			d.fail(t.Source, "thread %q follows %q, but process %q follows %q already: a process has one time", t.Name, leader.Name, t.Process, other.Name)
		}
		leaders[t.Process] = leader
	}
}

// checkCircle makes sure that the leader of a thread does not follow it.
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

// tickName returns the name of the link with the ticks of a thread.
func tickName(leader *thread) string { return "thread." + leader.Name + ".tick" }

// ticks makes the ends here of the links by which threads lead those of other processes.
func (f *flattener) ticks() {
	for _, t := range f.d.threads {
		leader := f.d.threadNamed(t.Follow)
		if leader == nil || leader.Process == t.Process {
			continue
		}
		spec := exchange.TickSpec(tickName(leader), leader.Process)
		f.net.Ticks = append(f.net.Ticks, TickPlan{Leader: leader.Name, Follower: t.Name, Spec: spec})
		if f.d.process == "" {
			continue // all threads are in this one
		}
		if leader.Process == f.d.process {
			plan := f.net.Threads[leader.index]
			if plan.Ticks == nil {
				plan.Ticks = exchange.NewTickSender(spec)
				f.net.Outlets = append(f.net.Outlets, &plan.Ticks.Outlet)
			}
			if !slices.Contains(plan.Ticks.To, t.Process) {
				plan.Ticks.To = append(plan.Ticks.To, t.Process)
			}
		}
		if t.Process == f.d.process {
			f.follow(f.net.Threads[t.index], leader, spec)
		}
	}
}

// follow makes the time of this process follow a leader. The fastest of the followers receives the ticks.
func (f *flattener) follow(plan *ThreadPlan, leading *thread, spec exchange.Spec) {
	leader := f.net.Leader
	if leader == nil {
		leader = exchange.NewLeader(spec, f.d.process, plan.Index)
		leader.Leading, leader.Period, leader.Shortest, leader.Grid = leading.Name, leading.Period, plan.Period, leading.Period
		for _, t := range f.net.Threads {
			if !t.Triggered {
				leader.Shortest = min(leader.Shortest, t.Period)
			}
		}
		f.net.Leader = leader
		f.net.Inlets = append(f.net.Inlets, &leader.Inlet)
	}
	if plan.Period < f.net.Threads[leader.Thread].Period {
		leader.Thread = plan.Index
	}
	if leader.Grid = leastMultiple(leader.Grid, plan.Period); leader.Grid > MaxAge {
		f.d.fail(plan.Source, "thread %q follows %q: the periods of the threads that do have no common multiple up to %v", plan.Name, leading.Name, MaxAge)
	}
}

// leastMultiple returns the least common multiple of two periods, or the longest duration where it is longer.
func leastMultiple(a, b time.Duration) time.Duration {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return times(a/x, int(b))
}
