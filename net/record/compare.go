package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// LogSet is the logs of one run: one, or that of each of its processes.
type LogSet []*Reader

// CompareOptions limit what counts as a difference. The zero value compares everything.
type CompareOptions struct {
	From   time.Duration // time of the system from which samples are compared: processes may have begun later than others
	Settle time.Duration // for how long after a miss that a log names values may differ; 0: forever, and no difference is explained
}

// Comparison is how two runs of one system differ, signal by signal and sample by sample: values are compared bit for bit, at the same
// time of the system.
type Comparison struct {
	Until   int64              `json:"until_ns"` // up to here all logs have samples, and are compared
	Equal   uint64             `json:"equal"`    // samples that both have, with the same value
	Signals []SignalComparison `json:"signals"`  // those that part, by the first time at which they do
	Absent  [2][]string        `json:"absent"`   // signals that a run does not have: those of other processes, or not recorded; they are not compared
	Misses  [2][]Miss          `json:"misses"`   // of each run, up to Until: threads that did not run, values that came late

	Unlisted [2]uint64 `json:"misses_more"` // misses of each run that its logs count, but do not list
}

// SignalComparison is how a signal of two runs differs.
type SignalComparison struct {
	Name   string    `json:"name"`
	First  int64     `json:"first_ns"`       // time of the first sample that differs, or that one run does not have
	Equal  uint64    `json:"equal"`          // samples that both have, with the same value
	Differ uint64    `json:"differ"`         // samples that both have, with another value
	Only   [2]uint64 `json:"only"`           // samples that one run has at a time at which the other has none
	Named  uint64    `json:"named"`          // of these differences, those within CompareOptions.Settle after a miss
	Open   int64     `json:"open_ns"`        // time of the first difference that no miss explains; -1: none
	Type   string    `json:"type,omitempty"` // why no values are compared
}

// differences returns how many samples differ.
func (s *SignalComparison) differences() uint64 { return s.Differ + s.Only[0] + s.Only[1] }

// Miss is what did not happen at ticks in a row, as a log names it.
type Miss struct {
	Thread string   `json:"thread"`   // that did not run, or that went on with the value before
	First  int64    `json:"first_ns"` // ticks of the thread; of a value from another process, those of the value
	Last   int64    `json:"last_ns"`
	Count  uint64   `json:"count"`            // of values or activations
	Gap    int64    `json:"gap_ns,omitempty"` // longest time between two of them that are one Miss since there were too many; nothing was missed in it
	Links  []string `json:"links,omitempty"`  // that the value came over; none: the thread did not run
}

// String describes the miss in a sentence without a full stop.
func (m Miss) String() string {
	when := fmt.Sprintf("at %s", instant(m.First))
	if m.Last > m.First {
		when = fmt.Sprintf("from %s to %s", instant(m.First), instant(m.Last))
	}
	if m.Gap > 0 {
		when = fmt.Sprintf("%d times %s", m.Count, when)
	}
	if m.Links == nil {
		return fmt.Sprintf("thread %q did not run %s", m.Thread, when)
	}
	return fmt.Sprintf("thread %q went on with old values %s: late over %s", m.Thread, when, m.Links[0])
}

func instant(ns int64) string { return fmt.Sprintf("%.6f s", float64(ns)*1e-9) }

// Gap returns the longest time within the misses of a run, 0 or 1, in which nothing was missed: how coarse its logs name them.
func (c *Comparison) Gap(run int) (longest time.Duration) {
	for _, m := range c.Misses[run] {
		longest = max(longest, time.Duration(m.Gap))
	}
	return longest
}

// Same reports whether the runs do not differ.
func (c *Comparison) Same() bool { return len(c.Signals) == 0 }

// Explained reports whether each difference lies within the time to settle after a miss that a log names.
func (c *Comparison) Explained() bool {
	return !slices.ContainsFunc(c.Signals, func(s SignalComparison) bool { return s.Type != "" || s.Open >= 0 })
}

// Compare compares two runs up to the end of the shortest log, in one pass: it reads each log once, and holds the part of it around one
// instant. It fails where a log is damaged, or has lost samples while it was written: what is missing would look like a difference. It
// also fails where more than 64 MiB of samples at one instant wait for those of the other run.
func Compare(a, b LogSet, o CompareOptions) (*Comparison, error) {
	c := &Comparison{Until: min(a.end(), b.end())}
	if int64(o.From) > c.Until {
		return nil, fmt.Errorf("compare logs: nothing to compare from %v on: the shortest log ends at %s", o.From, instant(c.Until))
	}
	signals := map[string][2]*Reader{}
	for i, run := range []LogSet{a, b} {
		for _, r := range run {
			s, err := r.whole()
			if err != nil {
				return nil, fmt.Errorf("compare logs: %w", err)
			}
			c.Unlisted[i] += s.MissesMore
			for _, m := range s.Misses {
				if m.First <= c.Until {
					c.Misses[i] = append(c.Misses[i], m)
				}
			}
			for _, channel := range r.Channels() {
				of := signals[channel.Name]
				if of[i] != nil {
					return nil, fmt.Errorf("compare logs: %s and %s are of one run and both have %s", of[i].Path(), r.Path(), channel.Name)
				}
				of[i] = r
				signals[channel.Name] = of
			}
		}
		slices.SortStableFunc(c.Misses[i], func(x, y Miss) int { return cmp.Compare(x.First, y.First) })
	}
	within := span{int64(o.From), c.Until, settling(slices.Concat(c.Misses[0], c.Misses[1]), int64(o.Settle))}
	var common []string
	for _, name := range slices.Sorted(maps.Keys(signals)) {
		switch of := signals[name]; {
		case of[0] == nil:
			c.Absent[0] = append(c.Absent[0], name)
		case of[1] == nil:
			c.Absent[1] = append(c.Absent[1], name)
		default:
			common = append(common, name)
		}
	}
	if len(common) == 0 {
		return nil, fmt.Errorf("compare logs: %s and %s have no signal in common", a[0].Path(), b[0].Path())
	}
	logs, pairs := comparedLogs(a, b, signals, common)
	if err := (&comparer{within: within, most: mostUnpaired}).compare(logs); err != nil {
		return nil, err
	}
	for _, p := range pairs {
		if c.Equal += p.Equal; p.differences() > 0 || p.Type != "" {
			c.Signals = append(c.Signals, p.SignalComparison)
		}
	}
	slices.SortFunc(c.Signals, func(x, y SignalComparison) int {
		return cmp.Or(cmp.Compare(x.First, y.First), cmp.Compare(x.Name, y.Name))
	})
	return c, nil
}

// end returns the time up to which all logs of the run have samples.
func (l LogSet) end() int64 {
	end := int64(math.MaxInt64)
	for _, r := range l {
		_, last := r.Span()
		end = min(end, last)
	}
	return end
}

// whole makes sure that a log has all samples, and returns its statistics, which name what was missed.
func (r *Reader) whole() (*RunStatistics, error) {
	if damage := r.Damage(); len(damage) > 0 {
		return nil, fmt.Errorf("%s is damaged: %w", r.Path(), damage[0])
	}
	for _, channel := range r.Channels() {
		if channel.Lost > 0 {
			return nil, fmt.Errorf("%s lacks %d samples of %s that were lost while it was written: record fewer signals, or on a less busy machine",
				r.Path(), channel.Lost, channel.Name)
		}
	}
	return r.statistics()
}

// span is the time in which samples are compared, and the parts of it in which differences are explained.
type span struct {
	from, until int64
	settling    []interval // in order, apart from one another
}

type interval struct{ first, last int64 }

// settling returns when values may differ because of the misses.
func settling(misses []Miss, settle int64) (list []interval) {
	if settle == 0 {
		return nil
	}
	slices.SortFunc(misses, func(x, y Miss) int { return cmp.Compare(x.First, y.First) })
	for _, m := range misses {
		if n := len(list); n > 0 && m.First <= list[n-1].last {
			list[n-1].last = max(list[n-1].last, m.Last+settle)
			continue
		}
		list = append(list, interval{m.First, m.Last + settle})
	}
	return list
}

// explains reports whether values may differ at a time.
func (s *span) explains(t int64) bool {
	i, found := slices.BinarySearchFunc(s.settling, t, func(x interval, t int64) int { return cmp.Compare(x.first, t) })
	return found || i > 0 && t <= s.settling[i-1].last
}

// statistics returns the statistics of the run; the zero value if it was killed.
func (r *Reader) statistics() (*RunStatistics, error) {
	var s RunStatistics
	if !slices.Contains(r.mcap.Attachments(), StatisticsName) {
		return &s, nil
	}
	text, err := r.Attachment(StatisticsName)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("record: log %s: read the statistics: %w", r.path, err)
	}
	return &s, nil
}
