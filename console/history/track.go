package history

import (
	"sort"
	"time"

	"github.com/sinew-robotics/sinew/net/clock"
)

// The size of a history.
const (
	length     = 10 * time.Minute
	budget     = 186 << 20 // bytes of a system's tracks
	mostRecent = 10_000    // samples of a track
	shortest   = 25 * time.Millisecond
	sampleSize = 16 // bytes
	spanSize   = 32
)

// sample is a number as it came.
type sample struct {
	at clock.Time
	v  float64
}

// span is what a number was in a short time: its last value, and the extremes.
type span struct {
	at                    clock.Time // of the last value
	last, least, greatest float64
}

// limits are the share of one track.
type limits struct {
	recent, spans int
	span          clock.Time
}

// limitsOf returns the share of each of n tracks.
func limitsOf(n int) limits {
	full := int(length / shortest)
	part := min(1, float64(budget)/float64(max(n, 1)*(mostRecent*sampleSize+full*spanSize)))
	spans := max(int(part*float64(full)), 2*chunk)
	return limits{max(int(part*mostRecent), 2*chunk), spans, max(clock.Time(shortest), clock.Time(int(length)/spans))}
}

// track is the history of one number.
type track struct {
	recent ring[sample]
	spans  ring[span]
	open   span       // being filled
	until  clock.Time // where it ends; 0: there is none
}

// push adds a sample. One that is older than its predecessor is ignored.
func (t *track) push(at clock.Time, v float64, l limits) {
	if n := t.recent.len(); n > 0 && at < t.recent.at(n-1).at {
		return
	}
	t.recent.push(sample{at, v}, l.recent)
	if at >= t.until {
		if t.until > 0 {
			t.spans.push(t.open, l.spans)
		}
		t.until = (at/l.span + 1) * l.span
		t.open = span{at, v, v, v}
		return
	}
	t.open.at, t.open.last = at, v
	if v < t.open.least || v != v {
		t.open.least = v
	}
	if v > t.open.greatest || v != v {
		t.open.greatest = v
	}
}

// first returns the time of the oldest value; ok is false without any.
func (t *track) first() (at clock.Time, ok bool) {
	switch {
	case t.spans.len() > 0:
		return t.spans.at(0).at, true
	case t.recent.len() > 0:
		return t.recent.at(0).at, true
	}
	return 0, false
}

// value returns the number at a time: the last sample at or before it. ok is false before the oldest one.
func (t *track) value(at clock.Time) (v float64, ok bool) {
	if i := t.recentFrom(at + 1); i > 0 {
		return t.recent.at(i - 1).v, true
	}
	if i := t.spansFrom(at + 1); i > 0 {
		return t.spans.at(i - 1).last, true
	}
	return 0, false
}

// recentFrom returns the index of the first recent sample at or after a time.
func (t *track) recentFrom(at clock.Time) int {
	return sort.Search(t.recent.len(), func(i int) bool { return t.recent.at(i).at >= at })
}

func (t *track) spansFrom(at clock.Time) int {
	return sort.Search(t.spans.len(), func(i int) bool { return t.spans.at(i).at >= at })
}

// curve returns the number from one time to another, and the values before and after. Of more samples than points, the least and the greatest of
// equal parts stay.
func (t *track) curve(from, to clock.Time, points int) (times []int64, values []float64) {
	c := newCurve(from, to, points)
	begin := to + 1 // of what is there as it came
	if t.recent.len() > 0 {
		begin = t.recent.at(0).at
	}
	for i := max(t.spansFrom(from)-1, 0); i < t.spans.len(); i++ {
		s := t.spans.at(i)
		if s.at >= begin {
			break
		}
		if s.least != s.greatest {
			c.add(s.at-1, s.least)
			c.add(s.at-1, s.greatest)
		}
		c.add(s.at, s.last)
		if s.at > to {
			break
		}
	}
	for i := max(t.recentFrom(from)-1, 0); i < t.recent.len(); i++ {
		s := t.recent.at(i)
		c.add(s.at, s.v)
		if s.at > to {
			break
		}
	}
	return c.result()
}
