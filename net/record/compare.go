package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
)

// Comparison is how two logs of one system differ, signal by signal and sample by sample: values are compared bit for bit, at the same
// time of the system.
type Comparison struct {
	Until   int64              `json:"until_ns"` // up to here both logs have samples, and are compared
	Equal   uint64             `json:"equal"`    // samples that both have, with the same value
	Signals []SignalComparison `json:"signals"`  // those that part, by the first time at which they do
	Absent  [2][]string        `json:"absent"`   // signals that a log does not have: those of other processes, or not recorded; they are not compared
	Misses  [2][]Miss          `json:"misses"`   // of each log, up to Until: threads that did not run, values that came late
}

// SignalComparison is how a signal of two logs differs.
type SignalComparison struct {
	Name   string    `json:"name"`
	First  int64     `json:"first_ns"`       // time of the first sample that differs, or that one log does not have
	Equal  uint64    `json:"equal"`          // samples that both have, with the same value
	Differ uint64    `json:"differ"`         // samples that both have, with another value
	Only   [2]uint64 `json:"only"`           // samples that one log has at a time at which the other has none
	Type   string    `json:"type,omitempty"` // why no values are compared
}

// Miss is what did not happen at ticks in a row, as a log names it.
type Miss struct {
	Thread string   `json:"thread"`   // that did not run, or that went on with the value before
	First  int64    `json:"first_ns"` // ticks of the thread; of a value from another process, those of the value
	Last   int64    `json:"last_ns"`
	Links  []string `json:"links,omitempty"` // that the value came over; none: the thread did not run
}

// String describes the miss in a sentence without a full stop.
func (m Miss) String() string {
	when := fmt.Sprintf("at %s", instant(m.First))
	if m.Last > m.First {
		when = fmt.Sprintf("from %s to %s", instant(m.First), instant(m.Last))
	}
	if m.Links == nil {
		return fmt.Sprintf("thread %q did not run %s", m.Thread, when)
	}
	return fmt.Sprintf("thread %q went on with old values %s: late over %s", m.Thread, when, m.Links[0])
}

func instant(ns int64) string { return fmt.Sprintf("%.6f s", float64(ns)*1e-9) }

// Same reports whether the logs do not differ.
func (c *Comparison) Same() bool { return len(c.Signals) == 0 }

// Compare compares two logs up to the end of the shorter one. It fails where a log is damaged, or has lost samples while it was
// written: what is missing would look like a difference.
func Compare(a, b *Reader) (*Comparison, error) {
	_, endA := a.Span()
	_, endB := b.Span()
	c := &Comparison{Until: min(endA, endB)}
	for i, r := range []*Reader{a, b} {
		if damage := r.Damage(); len(damage) > 0 {
			return nil, fmt.Errorf("compare logs: %s is damaged: %w", r.Path(), damage[0])
		}
		for _, channel := range r.Channels() {
			if channel.Lost > 0 {
				return nil, fmt.Errorf("compare logs: %s lacks %d samples of %s that were lost while it was written: record fewer signals, or on a less busy machine",
					r.Path(), channel.Lost, channel.Name)
			}
		}
		misses, err := r.misses()
		if err != nil {
			return nil, err
		}
		c.Misses[i] = slices.DeleteFunc(misses, func(m Miss) bool { return m.First > c.Until })
		slices.SortStableFunc(c.Misses[i], func(x, y Miss) int { return cmp.Compare(x.First, y.First) })
	}
	names := map[string]bool{}
	for _, r := range []*Reader{a, b} {
		for _, channel := range r.Channels() {
			names[channel.Name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		_, inA := a.Channel(name)
		_, inB := b.Channel(name)
		switch {
		case !inA:
			c.Absent[0] = append(c.Absent[0], name)
			continue
		case !inB:
			c.Absent[1] = append(c.Absent[1], name)
			continue
		}
		s, err := compareSignal(a, b, name, c.Until)
		if err != nil {
			return nil, err
		}
		if c.Equal += s.Equal; s.Differ+s.Only[0]+s.Only[1] > 0 || s.Type != "" {
			c.Signals = append(c.Signals, s)
		}
	}
	if len(c.Absent[0])+len(c.Absent[1]) == len(names) {
		return nil, fmt.Errorf("compare logs: %s and %s have no signal in common", a.Path(), b.Path())
	}
	slices.SortFunc(c.Signals, func(x, y SignalComparison) int {
		return cmp.Or(cmp.Compare(x.First, y.First), cmp.Compare(x.Name, y.Name))
	})
	return c, nil
}

// misses returns what the log names as missed.
func (r *Reader) misses() ([]Miss, error) {
	if !slices.Contains(r.mcap.Attachments(), StatisticsName) {
		return nil, nil // its run was killed
	}
	text, err := r.Attachment(StatisticsName)
	if err != nil {
		return nil, err
	}
	var s RunStatistics
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("record: log %s: read the statistics: %w", r.path, err)
	}
	return s.Misses, nil
}

func compareSignal(a, b *Reader, name string, until int64) (SignalComparison, error) {
	s := SignalComparison{Name: name, First: -1}
	in := [2]Channel{}
	for i, r := range []*Reader{a, b} {
		in[i], _ = r.Channel(name)
	}
	if in[0].Type != nil && in[1].Type != nil && in[0].Type.Definition() != in[1].Type.Definition() {
		s.Type, s.First = fmt.Sprintf("%s in one log, %s in the other", in[0].Type.Name(), in[1].Type.Name()), 0
		return s, nil
	}
	filter := Filter{Channels: []string{name}}
	left, stopLeft := iter.Pull2(a.Samples(filter))
	defer stopLeft()
	right, stopRight := iter.Pull2(b.Samples(filter))
	defer stopRight()
	part := func(t int64, n *uint64) {
		if *n++; s.First < 0 {
			s.First = t
		}
	}
	x, errX, okX := left()
	y, errY, okY := right()
	for {
		if err := cmp.Or(errX, errY); err != nil {
			return s, err
		}
		okX, okY = okX && x.LogTime <= until, okY && y.LogTime <= until
		switch {
		case !okX && !okY:
			return s, nil
		case !okY || okX && x.LogTime < y.LogTime:
			part(x.LogTime, &s.Only[0])
			x, errX, okX = left()
			continue
		case !okX || y.LogTime < x.LogTime:
			part(y.LogTime, &s.Only[1])
			y, errY, okY = right()
			continue
		case bytes.Equal(x.CDR, y.CDR):
			s.Equal++
		default:
			part(x.LogTime, &s.Differ)
		}
		x, errX, okX = left()
		y, errY, okY = right()
	}
}
