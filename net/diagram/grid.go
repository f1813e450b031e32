package diagram

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/net/exchange"
)

const (
	waitShare   = 2    // into which a direct link divides the period of its reader: the part that the reader waits, where the link does not say
	tickedSpare = 8    // packets beyond one period of the reader that may wait for their ticks: for senders and networks that are early
	maxTicked   = 4096 // packets of a link between processes that may wait for their ticks
)

// keepOneTime reports whether the ticks of two threads lie on one grid: they have periods, and their processes are one, or one follows
// the other, or both follow the same.
func (d *Diagram) keepOneTime(a, b *thread) bool {
	return a.Period > 0 && b.Period > 0 && (a.Process == b.Process || d.timeOf(a.Process) == d.timeOf(b.Process))
}

// timeOf returns the process whose time a process keeps.
func (d *Diagram) timeOf(process string) string {
	for range d.threads { // a circle is reported elsewhere
		leader := process
		for _, t := range d.threads {
			if l := d.threadNamed(t.Follow); t.Process == process && l != nil && l.Process != process {
				leader = l.Process
			}
		}
		if leader == process {
			break
		}
		process = leader
	}
	return process
}

// grid returns by which ticks a link between two threads is read; nil where its newest value wins. An edge of a group with levels
// carries the newest as well: the parts of MCA pass data on at once (Scholl, Albiez and Gassmann 2001, section 2.3).
func (d *Diagram) grid(l *link) *exchange.Grid {
	if l.isForeign() || l.Newest {
		return nil
	}
	if group, _, _ := d.edge(l); group != nil && !l.Direct {
		return nil
	}
	from, to := d.byName[l.From.Block].thread, d.byName[l.To.Block].thread
	if from == nil || to == nil || from == to || !d.keepOneTime(from, to) {
		return nil
	}
	g := &exchange.Grid{
		Sender: exchange.Ticks{Period: from.Period, Offset: from.Offset}, Reader: exchange.Ticks{Period: to.Period, Offset: to.Offset},
		Direct: l.Direct,
	}
	if g.Direct {
		g.Wait = l.Wait
		if g.Wait == 0 {
			g.Wait = to.Period / waitShare
		}
	}
	return g
}

// checkDirect returns what is wrong with a link that carries the value of the same tick.
func (d *Diagram) checkDirect(l *link) error {
	if l.Wait != 0 && !l.Direct {
		return errors.New("wait is for how long the reader of a direct link waits: write direct: true as well")
	}
	if !l.Direct {
		return nil
	}
	from, to := d.byName[l.From.Block].thread, d.byName[l.To.Block].thread
	switch {
	case l.Newest:
		return errors.New("it is direct and newest: choose one")
	case from == nil || to == nil: // reported already
		return nil
	case from == to:
		return nil // of one activation in any case
	case !d.keepOneTime(from, to):
		return fmt.Errorf("it is direct, but threads %q and %q do not keep one time: that wants two periods and, in two processes, follow", from.Name, to.Name)
	case l.Wait < 0 || l.Wait > to.Period:
		return fmt.Errorf("its reader waits %v, which is not between 0 and the period of thread %q, %v", l.Wait, to.Name, to.Period)
	case from.Offset < to.Offset:
		return nil
	}
	if loop := d.directLoop(l); loop != "" {
		return fmt.Errorf("direct links form a loop, in which each thread would wait for the next in the same tick: %s; leave direct out at one of them", loop)
	}
	return fmt.Errorf("it is direct, so thread %q must begin before %q: its offset of %v is not less than %v", from.Name, to.Name, from.Offset, to.Offset)
}

// directLoop returns the direct links of a loop that a link is part of; "": there is none.
func (d *Diagram) directLoop(l *link) string {
	start := d.byName[l.From.Block].thread
	back := map[*thread]*link{} // by which link a thread was reached
	for open := []*thread{d.byName[l.To.Block].thread}; len(open) > 0; open = open[1:] {
		for _, next := range d.links {
			from, to := d.byName[next.From.Block], d.byName[next.To.Block]
			if !next.Direct || next.replaced || from == nil || to == nil || from.thread != open[0] || to.thread == open[0] || back[to.thread] != nil {
				continue
			}
			back[to.thread] = next
			open = append(open, to.thread)
		}
	}
	if back[start] == nil {
		return ""
	}
	names := []string{l.String()}
	for t := start; t != d.byName[l.To.Block].thread; t = d.byName[back[t].From.Block].thread {
		names = append(names, back[t].String())
	}
	slices.Reverse(names[1:])
	return strings.Join(names, ", ")
}

// waiting returns how many packets of a link between processes may wait for their ticks.
func waiting(g *exchange.Grid) int {
	return int((g.Reader.Period+g.Sender.Period-1)/g.Sender.Period) + tickedSpare
}

// checkWaiting returns an error where too many packets of a link between processes would wait for their ticks.
func (d *Diagram) checkWaiting(l *link) error {
	g := d.grid(l)
	if g == nil || d.processOf(l.From) == d.processOf(l.To) || waiting(g) <= maxTicked {
		return nil
	}
	return fmt.Errorf("%d values are sent between two ticks of its reader, of which at most %d can wait: write newest: true", waiting(g)-tickedSpare, maxTicked)
}

// oldest returns how old a value of the link is at most when it is read, if its source writes whenever it runs.
func (d *Diagram) oldest(l *link) time.Duration {
	every := d.interval(l)
	if g := d.grid(l); g != nil {
		_, most := g.Delay()
		return most + every - g.Sender.Period
	}
	return every
}
