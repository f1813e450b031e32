package cli

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/cli/live"
	"github.com/sinew-robotics/sinew/cli/verb"
	"github.com/sinew-robotics/sinew/net/histogram"
	"github.com/sinew-robotics/sinew/net/run"
)

// summary is what a run reports at its end.
type summary struct {
	System   string                   `json:"system"`
	Duration float64                  `json:"duration_s"`
	Threads  []threadSummary          `json:"threads"`
	Signals  map[string]signalSummary `json:"signals"`
	Log      string                   `json:"log"`
	Earlier  string                   `json:"earlier_log,omitempty"`    // new name of the log that was there before
	Problem  string                   `json:"log_problem,omitempty"`    // why the log is not complete
	Complete float64                  `json:"log_complete_s,omitempty"` // until when it is, with a problem
	Lost     uint64                   `json:"lost_samples"`
	Faults   []string                 `json:"faults"`
}

type threadSummary struct {
	Name        string    `json:"name"`
	Period      float64   `json:"period_s"`
	Activations uint64    `json:"activations"`
	Slips       uint64    `json:"slips"`
	PageFaults  int64     `json:"page_faults"`
	Jitter      quantiles `json:"jitter_s"`
	Cycle       quantiles `json:"cycle_s"`
}

type quantiles struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

type signalSummary struct {
	RMS    verb.Number `json:"rms"`
	MaxAbs verb.Number `json:"max_abs"`
	Last   verb.Number `json:"last"`
}

func quantilesOf(h *histogram.Durations) quantiles {
	return quantiles{h.Quantile(0.5).Seconds(), h.Quantile(0.99).Seconds(), h.Max().Seconds()}
}

func summarize(r *run.Running) summary {
	front, rec := r.Front, r.Recorder
	s := summary{
		System: r.Name, Duration: front.Now().Seconds(), Log: rec.Path(), Earlier: rec.Earlier(), Lost: rec.Lost(),
		Signals: map[string]signalSummary{}, Faults: []string{}, Threads: []threadSummary{},
	}
	if complete, err := rec.Failure(); err != nil {
		s.Problem, s.Complete = err.Error(), complete.Seconds()
	}
	for _, t := range front.Stats() {
		s.Threads = append(s.Threads, threadSummary{
			Name: t.Thread, Period: t.Period.Seconds(), Activations: t.Activations, Slips: t.Slips,
			PageFaults: t.PageFaults, Jitter: quantilesOf(t.Jitter), Cycle: quantilesOf(t.Cycle),
		})
	}
	for ref, signal := range rec.Signals() {
		s.Signals[ref] = signalSummary{verb.Number(signal.RMS), verb.Number(signal.MaxAbs), verb.Number(signal.Last)}
	}
	for _, f := range front.Faults() {
		s.Faults = append(s.Faults, f.String())
	}
	return s
}

// print writes the summary for people.
func (s *summary) print(w io.Writer, wall time.Duration) {
	fmt.Fprintf(w, "%s ran %.3f s in %.2f s\n\n", s.System, s.Duration, wall.Seconds())
	fmt.Fprintf(w, "  %-14s %10s %8s %7s %12s %12s %12s\n", "thread", "runs", "period", "slips", "late p99", "cycle p50", "cycle max")
	for _, t := range s.Threads {
		period := "–"
		if t.Period > 0 {
			period = live.Seconds(t.Period)
		}
		fmt.Fprintf(w, "  %-14s %10d %8s %7d %12s %12s %12s\n", t.Name, t.Activations, period, t.Slips,
			live.Seconds(t.Jitter.P99), live.Seconds(t.Cycle.P50), live.Seconds(t.Cycle.Max))
	}
	if len(s.Signals) > 0 {
		fmt.Fprintf(w, "\n  %-24s %12s %12s %12s\n", "signal", "rms", "max", "last")
		var names []string
		for name := range s.Signals {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			v := s.Signals[name]
			fmt.Fprintf(w, "  %-24s %12.5g %12.5g %12.5g\n", name, v.RMS, v.MaxAbs, v.Last)
		}
	}
	if s.Log != "" {
		fmt.Fprintf(w, "\nlog: %s", s.Log)
		if s.Earlier != "" {
			fmt.Fprintf(w, " (the one before is now %s)", s.Earlier)
		}
		fmt.Fprintln(w)
	}
	if s.Problem != "" {
		fmt.Fprintf(w, "the log is complete only until %.3f s: %s\n", s.Complete, s.Problem)
	}
	if s.Lost > 0 {
		fmt.Fprintf(w, "%d samples found no room and are missing in the log\n", s.Lost)
	}
}
