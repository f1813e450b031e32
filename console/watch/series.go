package watch

import (
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/clock"
)

// series holds the samples of one watched signal that no frame has carried yet: numbers, or whole values.
type series struct {
	element element
	most    int // numbers; more samples are thinned out

	mu     sync.Mutex
	times  []clock.Time
	values []float64
	whole  []any         // in place of values where the signal is no number
	age    time.Duration // of the newest sample, at its time
	lost   uint64
	any    bool // it had a sample
}

// take adds a sample.
func (s *series) take(x admin.Sample) {
	v := s.element.of(x.Value)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.any = true
	switch {
	case len(s.times) < s.room(v):
	case s.most == 1: // only the newest is wanted
		s.forget()
	default:
		s.thin()
	}
	f, isNumber := admin.Scalar(v)
	switch {
	case isNumber && s.whole == nil:
		s.values = append(s.values, f)
	case isNumber:
		s.whole = append(s.whole, f)
	default:
		if s.whole == nil {
			s.whole = []any{}
			for _, f := range s.values {
				s.whole = append(s.whole, f)
			}
			s.values = s.values[:0]
		}
		s.whole = append(s.whole, v)
	}
	s.times, s.age = append(s.times, x.Time), x.Age
}

// room returns how many samples of a value's size are kept.
func (s *series) room(v any) int {
	if _, bulk := v.(*admin.RawValue); bulk {
		return 1 // the newest
	}
	list, ok := v.([]any)
	if !ok || s.most == 1 {
		return s.most
	}
	return max(s.most/max(len(list), 1), seriesLeast)
}

// first adds the value that a port had before it was watched, unless a sample has come since.
func (s *series) first(x admin.Sample) {
	if !s.has() {
		s.take(x)
	}
}

// has reports whether there was a sample.
func (s *series) has() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.any
}

// group is how many samples are thinned out to their least and their greatest.
const group = 4

// thin makes room: of each group of samples the least and the greatest stay, so that no peak is lost. Of values that are
// no numbers every other one stays. The caller holds s.mu.
func (s *series) thin() {
	n := len(s.times)
	kept := 0
	if s.whole != nil {
		for i := 1; i < n; i += 2 {
			s.times[kept], s.whole[kept] = s.times[i], s.whole[i]
			kept++
		}
		clear(s.whole[kept:])
		s.whole = s.whole[:kept]
	} else {
		for begin := 0; begin < n; begin += group {
			a, b := extremes(s.values, begin, min(begin+group, n))
			s.times[kept], s.values[kept] = s.times[a], s.values[a]
			kept++
			if b != a {
				s.times[kept], s.values[kept] = s.times[b], s.values[b]
				kept++
			}
		}
		s.values = s.values[:kept]
	}
	s.times = s.times[:kept]
	s.lost += uint64(n - kept)
}

// extremes returns where the least and the greatest of values[begin:end] are, in order.
func extremes(values []float64, begin, end int) (a, b int) {
	least, greatest := begin, begin
	for i := begin + 1; i < end; i++ {
		if values[i] < values[least] || math.IsNaN(values[i]) {
			least = i
		}
		if values[i] > values[greatest] {
			greatest = i
		}
	}
	return min(least, greatest), max(least, greatest)
}

// appendTo writes what is there as [index,[times],[values]], with the age of the newest value in ns behind it where that is not 0, and forgets it.
func (s *series) appendTo(b []byte, index int, f *frame) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.lost += s.lost
	s.lost = 0
	if len(s.times) == 0 {
		return b
	}
	if f.any {
		b = append(b, ',')
	}
	f.any = true
	b = append(b, '[')
	b = strconv.AppendInt(b, int64(index), 10)
	b = append(b, ",["...)
	for i, t := range s.times {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(t), 10)
		f.time = max(f.time, t)
	}
	b = append(b, "],["...)
	for i, v := range s.values {
		if i > 0 {
			b = append(b, ',')
		}
		b = admin.AppendNumber(b, v)
	}
	for i, v := range s.whole {
		if i > 0 {
			b = append(b, ',')
		}
		b = admin.AppendValue(b, v)
	}
	s.forget()
	b = append(b, ']')
	if s.age > 0 {
		b = append(b, ',')
		b = strconv.AppendInt(b, int64(s.age), 10)
	}
	return append(b, ']')
}

// forget empties the series. The caller holds s.mu.
func (s *series) forget() {
	clear(s.whole)
	s.times, s.values = s.times[:0], s.values[:0]
	if s.whole != nil {
		s.whole = s.whole[:0]
	}
}
