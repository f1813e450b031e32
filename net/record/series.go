package record

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/net/record/mcap"
	"github.com/sinew-robotics/sinew/net/schema"
)

// signalName returns the name of one number of a channel in plots and tables: joint1.position, joint1.q[0],
// joint1.pose.x.
func signalName(channel string, t *schema.Type, leaf schema.Leaf) string {
	if t.Kind() != schema.Struct {
		return channel + strings.TrimPrefix(leaf.Path, "data")
	}
	return channel + "." + leaf.Path
}

// listedElements is how many elements of a list whose values have lengths of their own Signals names.
const listedElements = 64

// Signals returns the name of every number in the log that Series can read, in the order of the channels. Of a list whose values
// have lengths of their own it names the first 64 elements.
func (r *Reader) Signals() ([]string, error) {
	var names []string
	for _, c := range r.channels {
		if c.Type == nil || c.Samples == 0 {
			continue
		}
		l, err := r.layout(c)
		if err != nil {
			return nil, err
		}
		for _, leaf := range leaves(l, listedElements) {
			names = append(names, signalName(c.Name, c.Type, leaf))
		}
	}
	return names, nil
}

// Series reads one signal, as Signals names it. It returns log times in seconds and values, of equal length, in the order of
// time. It fails for an unknown signal, and if the lengths of the channel's slices change. Of a list whose values have lengths of
// their own it leaves out the samples that do not have the element.
func (r *Reader) Series(signal string) (times, values []float64, err error) {
	c, leaf, l, err := r.find(signal)
	if err != nil {
		return nil, nil, err
	}
	for s, err := range r.Samples(Filter{Channels: []string{c.Name}}) {
		if err != nil {
			return nil, nil, err
		}
		if l.Bounded() {
			if err := l.Check(s.CDR); err != nil {
				return nil, nil, fmt.Errorf("record: log %s: channel %s: a sample at %g s: %w", r.path, c.Name, seconds(s.LogTime), err)
			}
			if leaf.Offset >= len(s.CDR) {
				continue
			}
		} else if len(s.CDR) != l.Size() {
			return nil, nil, fmt.Errorf("record: log %s: channel %s: a sample at %g s has %d bytes, the first had %d: its slices do not keep their lengths",
				r.path, c.Name, seconds(s.LogTime), len(s.CDR), l.Size())
		}
		times = append(times, seconds(s.LogTime))
		values = append(values, leaf.Float(s.CDR))
	}
	return times, values, nil
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }

// find returns the channel and the leaf of a signal's name.
func (r *Reader) find(signal string) (Channel, schema.Leaf, *schema.Layout, error) {
	var empty string
	for _, c := range r.channels {
		if !strings.HasPrefix(signal, c.Name) {
			continue
		}
		if c.Name == signal && c.Problem != nil {
			return c, schema.Leaf{}, nil, c.Problem
		}
		if c.Samples == 0 {
			empty = c.Name
			continue
		}
		if c.Type == nil {
			continue
		}
		l, err := r.layout(c)
		if err != nil {
			return c, schema.Leaf{}, nil, err
		}
		for _, leaf := range leaves(l, elementOf(signal[len(c.Name):])+1) {
			if signalName(c.Name, c.Type, leaf) == signal {
				return c, leaf, l, nil
			}
		}
	}
	if empty != "" {
		return Channel{}, schema.Leaf{}, nil, fmt.Errorf("record: log %s has no signal %s: its channel %s has no samples", r.path, signal, empty)
	}
	return Channel{}, schema.Leaf{}, nil, fmt.Errorf("record: log %s has no signal %s", r.path, signal)
}

// elementOf returns the number of the element in the end of a signal's name, as in [12].x; 0 where there is none.
func elementOf(end string) int {
	text, _, _ := strings.Cut(strings.TrimPrefix(end, "["), "]")
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// leaves returns the numbers of a layout; of a list whose values have lengths of their own, those of its first elements.
func leaves(l *schema.Layout, elements int) []schema.Leaf {
	if l.Bounded() {
		l = l.Type().Layout(min(elements, l.Type().Most()))
	}
	return l.Leaves()
}

// layout returns the layout of a channel's first sample, or that of all samples of a list whose values have lengths of their own.
func (r *Reader) layout(c Channel) (*schema.Layout, error) {
	if l := r.layouts[c.ID]; l != nil {
		return l, nil
	}
	if c.Type.Most() > 0 {
		r.layouts[c.ID] = c.Type.Layout()
		return r.layouts[c.ID], nil
	}
	for m, err := range r.mcap.Messages(mcap.Filter{Channels: []uint16{uint16(c.ID)}}) {
		if err != nil {
			continue
		}
		lengths, err := c.Type.Lengths(m.Data)
		if err != nil {
			return nil, fmt.Errorf("record: log %s: channel %s at %g s: %w", r.path, c.Name, seconds(int64(m.LogTime)), err)
		}
		r.layouts[c.ID] = c.Type.Layout(lengths...)
		return r.layouts[c.ID], nil
	}
	return nil, fmt.Errorf("record: log %s: channel %s has no sample that can be read", r.path, c.Name)
}
