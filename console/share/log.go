package share

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/record"
	"github.com/sinew-robotics/sinew/net/schema"
)

// overview is the number of signals of a log that has neither watched signals nor a robot.
const overview = 8

// FromLog fills a run with the part of a log from one time to another, both in ns; to = 0 means the end. The patterns choose the signals to plot,
// in the syntax of [record.Pattern]; without any they are those that the system file watches, or else those of the robots, or else the
// first 8. Signals of the robots are added. A pattern without a match is an error, and so is a span without samples.
func FromLog(r *Run, log *record.Reader, patterns []string, from, to int64) error {
	statistics, err := statisticsOf(log)
	if err != nil {
		return err
	}
	if r.System == "" {
		r.System = statistics.System
	}
	if r.Title == "" {
		r.Title = strings.TrimSuffix(filepath.Base(log.Path()), ".mcap")
	}
	r.Facts = append(r.Facts, factsOf(statistics, log)...)
	for _, err := range log.Damage() {
		r.Problems = append(r.Problems, "Part of the log cannot be read: "+err.Error())
	}
	names, err := log.Signals()
	if err != nil {
		return err
	}
	for _, c := range log.Channels() {
		if c.Type != nil && c.Type.Most() > 0 { // a list whose values have lengths of their own is no curve
			names = slices.DeleteFunc(names, func(n string) bool { return strings.HasPrefix(n, c.Name+"[") })
		}
	}
	var ports []string
	for _, robot := range r.Robots {
		ports = append(ports, robot.MotionRefs()...)
	}
	chosen, err := choose(names, patterns, statistics.Watch, ports)
	if err != nil {
		return fmt.Errorf("share %s: %w", log.Path(), err)
	}
	r.Plots = plotsOf(chosen)
	wanted := map[string]bool{}
	for _, name := range names {
		ref, _ := split(name)
		wanted[name] = slices.Contains(chosen, name) || slices.Contains(ports, ref)
	}
	if err := r.read(log, names, wanted, statistics.Units, from, to); err != nil {
		return fmt.Errorf("share %s: %w", log.Path(), err)
	}
	return r.close()
}

// statisticsOf returns the statistics at the end of a log; empty ones if it has none.
func statisticsOf(log *record.Reader) (s record.RunStatistics, err error) {
	text, err := log.Attachment(record.StatisticsName)
	if err != nil {
		return s, nil // the run has not ended in order
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("statistics in %s: %w", log.Path(), err)
	}
	return s, nil
}

// factsOf returns what the statistics of a run report, in sentences.
func factsOf(s record.RunStatistics, log *record.Reader) (facts []string) {
	for _, f := range s.Faults {
		facts = append(facts, "In error: "+f)
	}
	for _, t := range s.Threads {
		if t.Slips > 0 {
			facts = append(facts, fmt.Sprintf("Thread %s: %d slips in %d activations", t.Name, t.Slips, t.Activations))
		}
	}
	for _, c := range log.Channels() {
		if c.Lost > 0 {
			facts = append(facts, fmt.Sprintf("%s: %d samples were not recorded", c.Name, c.Lost))
		}
	}
	return append(facts, s.Warnings...)
}

// choose returns the signals to plot, each once.
func choose(names, patterns, watched, ports []string) ([]string, error) {
	if len(patterns) > 0 {
		return match(names, patterns, true)
	}
	if chosen, err := match(names, watched, false); err != nil || len(chosen) > 0 {
		return chosen, err
	}
	var chosen []string
	for _, name := range names {
		if ref, _ := split(name); slices.Contains(ports, ref) {
			chosen = append(chosen, name)
		}
	}
	if len(chosen) > 0 {
		return chosen, nil
	}
	return names[:min(len(names), overview)], nil
}

// match returns the names that patterns select, in the order of the patterns. With all, each pattern must match.
func match(names, patterns []string, all bool) (chosen []string, err error) {
	for _, text := range patterns {
		pattern, err := record.ParsePattern(text)
		if err != nil {
			return nil, err
		}
		found := false
		for _, name := range names {
			if pattern.Match(name) {
				found = true
				if !slices.Contains(chosen, name) {
					chosen = append(chosen, name)
				}
			}
		}
		if !found && all {
			return nil, fmt.Errorf("no signal %q%s", text, nearest.Hint(text, names))
		}
	}
	return chosen, nil
}

// reading is a channel while its samples are read.
type reading struct {
	layout  *schema.Layout
	times   []int64
	leaves  []schema.Leaf
	signals []*Signal
}

// read reads the wanted signals in one pass over the log.
func (r *Run) read(log *record.Reader, names []string, wanted map[string]bool, units map[string]string, from, to int64) error {
	var filter []string
	open := map[record.ID]*reading{}
	channels := map[record.ID]record.Channel{}
	for _, c := range log.Channels() {
		if slices.ContainsFunc(names, func(n string) bool { return wanted[n] && strings.HasPrefix(n, c.Name) }) && c.Type != nil {
			filter = append(filter, c.Name)
			channels[c.ID] = c
		}
	}
	if len(filter) == 0 {
		return errors.New("the log has no signals")
	}
	numbers := 0
	for s, err := range log.Samples(record.Filter{Channels: filter, From: from, To: to}) {
		if err != nil {
			continue // reported as damage of the log
		}
		c := channels[s.Channel]
		in := open[s.Channel]
		if in == nil {
			if in, err = newReading(c, s.CDR, wanted, units); err != nil {
				return err
			}
			open[s.Channel] = in
			r.Signals = append(r.Signals, in.signals...)
		}
		if len(s.CDR) != in.layout.Size() {
			return fmt.Errorf("%s changes its length at %.3f s: leave it out", c.Name, float64(s.LogTime)/1e9)
		}
		in.times = append(in.times, s.LogTime)
		for i, x := range in.signals {
			x.Values = append(x.Values, in.leaves[i].Float(s.CDR))
		}
		if numbers += 1 + len(in.signals); 8*numbers > 2*maxContents {
			break // checkSize reports it
		}
	}
	for _, in := range open {
		for _, s := range in.signals {
			s.Times = in.times
		}
	}
	slices.SortStableFunc(r.Signals, func(a, b *Signal) int { return slices.Index(names, a.Name) - slices.Index(names, b.Name) })
	return nil
}

func newReading(c record.Channel, cdr []byte, wanted map[string]bool, units map[string]string) (*reading, error) {
	lengths, err := c.Type.Lengths(cdr)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	in := &reading{layout: c.Type.Layout(lengths...)}
	leaves := in.layout.Leaves()
	for i, name := range record.SignalNames(c.Name, c.Type, leaves) {
		if wanted[name] {
			in.leaves = append(in.leaves, leaves[i])
			in.signals = append(in.signals, NewSignal(name, units[c.Name]))
		}
	}
	return in, nil
}

// close sets the span of the run to that of its samples, and reports ports of its robots without any.
func (r *Run) close() error {
	r.Start, r.End = math.MaxInt64, math.MinInt64
	for _, s := range r.Signals {
		if n := len(s.Times); n > 0 {
			r.Start, r.End = min(r.Start, s.Times[0]), max(r.End, s.Times[n-1])
		}
	}
	if r.Start > r.End {
		return errors.New("there are no samples in this time")
	}
	r.Missing()
	return nil
}

// Missing adds a problem for each robot whose joint positions the run does not have.
func (r *Run) Missing() {
	for _, robot := range r.Robots {
		for _, ref := range robot.Position {
			if !r.Has(ref) {
				r.Problems = append(r.Problems, fmt.Sprintf("Robot %s: %s was not recorded, so it is shown with zeros", robot.Name, ref))
			}
		}
	}
}

// plotsOf returns a plot for each port.
func plotsOf(names []string) []Plot {
	plots := []Plot{}
	for _, name := range names {
		ref, _ := split(name)
		i := slices.IndexFunc(plots, func(p Plot) bool { return p.Title == ref })
		if i < 0 {
			i = len(plots)
			plots = append(plots, Plot{Title: ref})
		}
		plots[i].Signals = append(plots[i].Signals, name)
	}
	return plots
}

var element = regexp.MustCompile(`^(.*)\[(\d+)\]$`)

// split returns the port of a signal, and its element if it has one.
func split(name string) (ref string, index *int) {
	m := element.FindStringSubmatch(name)
	if m == nil {
		return name, nil
	}
	var n int
	if _, err := fmt.Sscan(m[2], &n); err != nil {
		return name, nil
	}
	return m[1], &n
}
