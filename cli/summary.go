package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/system"
	"github.com/sinew-robotics/sinew/net/thread"
)

// summary is what a run tells at its end.
type summary struct {
	System   string                   `json:"system"`
	Duration float64                  `json:"duration_s"`
	Threads  []threadSummary          `json:"threads"`
	Signals  map[string]signalSummary `json:"signals"`
	Log      string                   `json:"log"`
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
	RMS    number `json:"rms"`
	MaxAbs number `json:"max_abs"`
	Last   number `json:"last"`
}

// number is a float64 that JSON can hold: NaN and infinities become null.
type number float64

// MarshalJSON writes what JSON has no number for as null.
func (n number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

func quantilesOf(h *thread.Histogram) quantiles {
	return quantiles{h.Quantile(0.5).Seconds(), h.Quantile(0.99).Seconds(), h.Max().Seconds()}
}

func summarize(name string, now clock.Time, front *thread.Front, rec *system.Recorder) summary {
	s := summary{
		System: name, Duration: now.Seconds(), Log: rec.Path(), Lost: rec.Lost(),
		Signals: map[string]signalSummary{}, Faults: []string{}, Threads: []threadSummary{},
	}
	for _, t := range front.Stats() {
		s.Threads = append(s.Threads, threadSummary{
			Name: t.Thread, Period: t.Period.Seconds(), Activations: t.Activations, Slips: t.Slips,
			PageFaults: t.PageFaults, Jitter: quantilesOf(t.Jitter), Cycle: quantilesOf(t.Cycle),
		})
	}
	for ref, signal := range rec.Signals() {
		s.Signals[ref] = signalSummary{number(signal.RMS), number(signal.MaxAbs), number(signal.Last)}
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
			period = seconds(t.Period)
		}
		fmt.Fprintf(w, "  %-14s %10d %8s %7d %12s %12s %12s\n", t.Name, t.Activations, period, t.Slips,
			seconds(t.Jitter.P99), seconds(t.Cycle.P50), seconds(t.Cycle.Max))
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
		fmt.Fprintf(w, "\nlog: %s\n", s.Log)
	}
	if s.Lost > 0 {
		fmt.Fprintf(w, "%d samples found no room and are missing in the log\n", s.Lost)
	}
}

// seconds writes a time with the prefix that suits it.
func seconds(s float64) string {
	return time.Duration(math.Round(s * 1e9)).Round(10 * time.Nanosecond).String()
}
