package admin

import (
	"github.com/sinew-robotics/sinew/net/histogram"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/thread"
)

// Statistics returns what the threads of a running system have done so far.
func Statistics(f *thread.Front, name string) record.RunStatistics {
	s := record.RunStatistics{
		System: name, Duration: f.Now().Seconds(), Threads: []record.ThreadStatistics{},
		Links: f.Links(), Faults: []string{}, Warnings: []string{}, Units: map[string]string{}, Shows: map[string]string{},
	}
	for _, b := range f.Net().Blocks {
		for _, p := range b.Ports {
			if p.Unit != "" {
				s.Units[p.Ref()] = p.Unit
			}
			if p.Show != "" {
				s.Shows[p.Ref()] = p.Show
			}
		}
	}
	for _, l := range f.Net().Links { // what shows a signal without saying its unit has that of its source
		if l.Source == nil || l.Target == nil { // of a foreign block
			continue
		}
		if ref := l.Target.Ref(); s.Units[ref] == "" && l.Source.Unit != "" {
			s.Units[ref] = l.Source.Unit
		}
	}
	misses, more := f.Misses()
	for _, m := range misses {
		s.Misses = append(s.Misses, record.Miss{Thread: m.Thread, First: int64(m.First), Last: int64(m.Last), Count: m.Count, Gap: int64(m.Gap), Links: m.Links})
	}
	s.MissesMore = more
	s.FaultCount = f.FaultCount()
	for _, fault := range f.InError() {
		s.Faults = append(s.Faults, fault.String())
	}
	for _, w := range f.Warnings() {
		s.Warnings = append(s.Warnings, w.String())
	}
	for _, t := range f.Stats() {
		e := record.ThreadStatistics{
			Name: t.Thread, Period: t.Period.Seconds(), Priority: t.Priority, Activations: t.Activations, Slips: t.Slips, Late: t.Late, Hangs: t.Hangs,
			PageFaults: t.PageFaults, LostSamples: t.Lost.Log, Jitter: distribution(t.Jitter), Cycle: distribution(t.Cycle),
			Measured: int64(t.Measured), Start: t.Start,
		}
		if e.Follow = t.Follow; t.Pace != nil {
			e.Pace = &record.PaceStatistics{
				Locked: t.Pace.Locked, Heard: t.Pace.Heard.Seconds(), Losses: t.Pace.Losses, Shift: t.Pace.Shift.Seconds(),
				Phase: distribution(t.Pace.Phase),
			}
		}
		for _, step := range t.Steps {
			e.Steps = append(e.Steps, record.StepStatistics{
				Block: step.Block, Part: step.Part.String(), Timeouts: step.Timeouts, Begin: int64(step.Begin), End: int64(step.End),
				Again: int64(step.Again[0]), AgainEnd: int64(step.Again[1]),
				P50: int64(step.Time.Quantile(0.5)), P99: int64(step.Time.Quantile(0.99)), Max: int64(step.Time.Max()),
			})
		}
		s.Threads = append(s.Threads, e)
	}
	return s
}

func distribution(h *histogram.Durations) record.Distribution {
	d := record.Distribution{
		P50: int64(h.Quantile(0.5)), P99: int64(h.Quantile(0.99)), P999: int64(h.Quantile(0.999)), Max: int64(h.Max()),
		Buckets: []record.Bucket{},
	}
	for _, b := range h.Buckets() {
		d.Buckets = append(d.Buckets, record.Bucket{From: int64(b.From), To: int64(b.To), Count: b.Count})
	}
	return d
}
