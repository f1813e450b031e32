package record

import (
	"fmt"
	"strings"

	"github.com/sinew-robotics/sinew/net/record/mcap"
	"github.com/sinew-robotics/sinew/net/schema"
)

// signalName is how one number of a channel is called in plots and tables:
// joint1.position, joint1.q[0], joint1.pose.x.
func signalName(channel string, t *schema.Type, leaf schema.Leaf) string {
	if t.Kind() != schema.Struct {
		return channel + strings.TrimPrefix(leaf.Path, "data")
	}
	return channel + "." + leaf.Path
}

// Signals names every number in the log that Series can read, in the order of the channels.
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
		for _, leaf := range l.Leaves() {
			names = append(names, signalName(c.Name, c.Type, leaf))
		}
	}
	return names, nil
}

// Series reads one signal, as Signals names it: log times in seconds and
// values, of equal length, in the order of time.
func (r *Reader) Series(signal string) (times, values []float64, err error) {
	c, leaf, l, err := r.find(signal)
	if err != nil {
		return nil, nil, err
	}
	for s, err := range r.Samples(Filter{Channels: []string{c.Name}}) {
		if err != nil {
			return nil, nil, err
		}
		if len(s.CDR) != l.Size() {
			return nil, nil, fmt.Errorf("record: log %s: channel %s: a sample at %g s has %d bytes, the first had %d: its slices do not keep their lengths",
				r.path, c.Name, seconds(s.LogTime), len(s.CDR), l.Size())
		}
		times = append(times, seconds(s.LogTime))
		values = append(values, leaf.Float(s.CDR))
	}
	return times, values, nil
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }

// find finds the channel and the leaf that a signal's name means.
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
		for _, leaf := range l.Leaves() {
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

// layout is that of the first sample of a channel.
func (r *Reader) layout(c Channel) (*schema.Layout, error) {
	if l := r.layouts[c.ID]; l != nil {
		return l, nil
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
