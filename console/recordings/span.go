package recordings

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/net/record"
)

// extent is the smallest and the largest sample in a part of a span.
type extent struct {
	n                    int
	least, greatest      float64
	leastTime, greatTime int64
}

// span reads a signal from one time to another. Of more samples than points, the least and the greatest of equal parts
// of the span stay: no peak is lost. The caller holds l.mu.
func (l *openLog) span(ctx context.Context, name string, from, to int64, points int) (times []int64, values []float64, err error) {
	signal, ok := l.signals[name]
	if !ok {
		return nil, nil, fmt.Errorf("the log has no signal %q%s", name, nearest.Hint(name, slices.Collect(maps.Keys(l.signals))))
	}
	times, values = []int64{}, []float64{}
	parts := make([]extent, max(points/2, 1))
	filter := record.Filter{Channels: []string{signal.channel.Name}, From: from, To: to}
	for s, err := range l.reader.Samples(filter) {
		if err != nil || len(s.CDR) != signal.size {
			continue // what cannot be read is missing
		}
		if ctx.Err() != nil {
			return nil, nil, fmt.Errorf("read %s: %w", name, ctx.Err())
		}
		v := signal.leaf.Float(s.CDR)
		if len(times) <= points {
			times, values = append(times, s.LogTime), append(values, v)
		}
		part := int(float64(s.LogTime-from) / float64(to-from) * float64(len(parts)))
		parts[min(max(part, 0), len(parts)-1)].add(s.LogTime, v)
	}
	if len(times) <= points {
		return times, values, nil
	}
	times, values = times[:0], values[:0]
	for _, p := range parts {
		times, values = p.appendTo(times, values)
	}
	return times, values, nil
}

func (e *extent) add(t int64, v float64) {
	if e.n == 0 || v < e.least || v != v {
		e.least, e.leastTime = v, t
	}
	if e.n == 0 || v > e.greatest {
		e.greatest, e.greatTime = v, t
	}
	e.n++
}

func (e *extent) appendTo(times []int64, values []float64) ([]int64, []float64) {
	switch {
	case e.n == 0:
		return times, values
	case e.leastTime == e.greatTime:
		return append(times, e.leastTime), append(values, e.least)
	case e.leastTime < e.greatTime:
		return append(times, e.leastTime, e.greatTime), append(values, e.least, e.greatest)
	}
	return append(times, e.greatTime, e.leastTime), append(values, e.greatest, e.least)
}
