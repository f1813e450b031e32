package fleet

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/record"
)

// topBlocks is how many blocks are shown of each system, the most expensive ones.
const topBlocks = 12

// rates are activations of threads and packets of links a second since the look before.
type rates map[string]float64

// threadKey and linkKey name what a process counts.
func threadKey(s *topSystem, t *record.ThreadStatistics) string {
	return "thread/" + s.System + "/" + t.Process + "/" + t.Name
}

func linkKey(s *topSystem, l *link.State) string {
	return fmt.Sprintf("link/%s/%s/%s/%s/%t", s.System, l.Name, l.From, l.To, l.Outgoing)
}

// counts returns everything that is counted, by name, and the time of each process when it was.
func counts(list []topSystem) (n map[string]uint64, at map[string]float64) {
	n, at = map[string]uint64{}, map[string]float64{}
	for i := range list {
		s := &list[i]
		for _, part := range s.parts {
			for k := range part.Threads {
				key := threadKey(s, &part.Threads[k])
				n[key], at[key] = part.Threads[k].Activations, part.Duration
			}
			for k := range part.Links {
				key := linkKey(s, &part.Links[k])
				n[key], at[key] = part.Links[k].Packets, part.Duration
			}
		}
	}
	return n, at
}

// ratesBetween returns the rates between two looks. A process that has not answered in between keeps the rates that it had; what was
// restarted has none.
func ratesBetween(before, now []topSystem, had rates) rates {
	r := rates{}
	was, then := counts(before)
	is, at := counts(now)
	for key, n := range is {
		m, ok := was[key]
		switch {
		case ok && n >= m && at[key] > then[key]:
			r[key] = float64(n-m) / (at[key] - then[key])
		case ok && n == m && at[key] == then[key]:
			if rate, ok := had[key]; ok {
				r[key] = rate
			}
		}
	}
	return r
}

// of returns a rate: the measured one, or that since the start.
func (r rates) of(key string, n uint64, s *topSystem) float64 {
	if rate, ok := r[key]; ok {
		return rate
	}
	if s.Duration <= 0 {
		return 0
	}
	return float64(n) / s.Duration
}

// writeTop writes the tables of all systems.
func writeTop(out io.Writer, list []topSystem, measured rates) {
	if len(list) == 0 {
		fmt.Fprintln(out, "no system runs")
		return
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	writeProcesses(w, list)
	writeThreads(w, list, measured)
	writeBlocks(w, list)
	writeLinks(w, list, measured)
	_ = w.Flush()
	for _, s := range list {
		for _, f := range slices.Concat(s.Faults, s.Warnings) {
			fmt.Fprintf(out, "%s: %s\n", s.System, f)
		}
		for _, o := range s.Orphans {
			fmt.Fprintf(out, "%s: process %d: %s; what its threads do is shown then\n", o.Name, o.PID, o.Advice)
		}
	}
}

func writeProcesses(w *tabwriter.Writer, list []topSystem) {
	fmt.Fprintln(w, "system\tprocess\thost\tpid\tsinew\tage\t")
	for _, s := range list {
		for _, p := range s.Processes {
			pid := "–"
			if p.PID > 0 {
				pid = fmt.Sprint(p.PID)
			}
			if p.Problem != "" {
				pid = "away" // the line below gives the reason
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t\n", s.System, p.Name, p.Host, pid, p.Version, p.age())
		}
	}
	_ = w.Flush()
}

// age describes how old the values of a process are.
func (p *topProcess) age() string {
	age := "–"
	if p.Age >= 0 {
		age = rounded(time.Duration(p.Age * float64(time.Second)))
	}
	if p.Late {
		age += ", late"
	}
	return age
}

func writeThreads(w *tabwriter.Writer, list []topSystem, measured rates) {
	fmt.Fprintln(w, "\nsystem\tthread\tpriority\trate\truns\tslips\tlate values\thangs\tlate p50\tp99\tcycle p50\tp99\tload\tpace\t")
	for i := range list {
		s := &list[i]
		for k := range s.Threads {
			t := &s.Threads[k]
			rate := measured.of(threadKey(s, t), t.Activations, s)
			load := rate * float64(t.Cycle.P50) * 1e-9
			fmt.Fprintf(w, "%s\t%s\t%d\t%.0f Hz\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%.1f %%\t%s\t\n", s.System, t.Name, t.Priority, rate, t.Activations, t.Slips, t.Late, t.Hangs,
				live.Nanoseconds(t.Jitter.P50), live.Nanoseconds(t.Jitter.P99), live.Nanoseconds(t.Cycle.P50), live.Nanoseconds(t.Cycle.P99), 100*load, live.Pace(t))
		}
	}
	_ = w.Flush()
}

func writeBlocks(w *tabwriter.Writer, list []topSystem) {
	fmt.Fprintln(w, "\nsystem\tblock\tpart\tthread\tp50\tp99\tshare of period\t")
	for _, s := range list {
		for _, b := range mostExpensive(s.RunStatistics) {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", s.System, b.Block, b.Part, b.thread, live.Nanoseconds(b.P50), live.Nanoseconds(b.P99), shareBar(b.share))
		}
	}
	_ = w.Flush()
}

func writeLinks(w *tabwriter.Writer, list []topSystem, measured rates) {
	if !slices.ContainsFunc(list, func(s topSystem) bool { return len(s.Links) > 0 }) {
		return
	}
	fmt.Fprintln(w, "\nsystem\tlink\tfrom\tto\tend\trate\tage\tlost\tstale\tlate\tclipped\trefused\tstate\t")
	for i := range list {
		s := &list[i]
		for k := range s.Links {
			l := &s.Links[k]
			end, age := "receives", live.Nanoseconds(int64(l.Age*1e9))
			if l.Outgoing {
				end, age = "sends", "–"
			}
			state := l.Problem
			if state == "" {
				if state = "connected"; !l.Connected {
					state = "waits for the other end"
				}
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%.0f Hz\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t\n", s.System, l.Name, l.From, l.To, end,
				measured.of(linkKey(s, l), l.Packets, s), age, l.Lost, l.Stale, l.Late, l.Clipped, l.Rejected, state)
		}
	}
}

// shareBar shows a share as a number and a quiet bar.
func shareBar(share float64) string {
	const width = 20
	n := min(int(share*width+0.5), width)
	return fmt.Sprintf("%5.1f %% %s", 100*share, strings.Repeat("▪", n))
}

// cost is a step of a thread with its share of the thread's period.
type cost struct {
	record.StepStatistics
	thread string
	share  float64
}

func mostExpensive(s *record.RunStatistics) (list []cost) {
	for _, t := range s.Threads {
		for _, b := range t.Steps {
			c := cost{b, t.Name, 0}
			if t.Period > 0 {
				c.share = float64(b.P50) * 1e-9 / t.Period
			}
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b cost) int {
		return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(b.P50, a.P50))
	})
	return list[:min(len(list), topBlocks)]
}
