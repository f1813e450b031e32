package systems

import (
	"context"
	"sync"
	"time"

	"github.com/sinew-robotics/sinew/net/admin"
)

// How lost samples are made up for.
const (
	lossPeriod   = 250 * time.Millisecond // between two looks at the number of losses; a tap without a sample for as long is silent
	readPause    = time.Second            // between two rounds of reading, at least; longer where the round before took longer
	readsAtOnce  = 16
	readPatience = 10 * time.Second // for one answer
)

// keepFresh reads the ports of silent taps each time that samples were lost, until the context ends: the lost sample may have been a port's
// last for a long time.
func (s *System) keepFresh(ctx context.Context, losses admin.LossCounter) {
	var seen uint64
	for wait(ctx, lossPeriod) {
		lost := losses.Lost()
		if lost == seen {
			continue
		}
		seen = lost
		silent := s.taps.marks()
		if !wait(ctx, lossPeriod) {
			return
		}
		begin := time.Now()
		s.readSilent(ctx, silent)
		if !wait(ctx, max(readPause, time.Since(begin))) {
			return
		}
	}
}

// readSilent reads the ports of the taps that had no sample since their marks, a few at once.
func (s *System) readSilent(ctx context.Context, marks []mark) {
	slots := make(chan struct{}, readsAtOnce)
	var all sync.WaitGroup
	for _, m := range marks {
		if ctx.Err() != nil || !m.silent() {
			continue
		}
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			ctx, cancel := context.WithTimeout(ctx, readPatience)
			defer cancel()
			now := s.Now() // before the value is read: no later sample is older
			if r, err := s.Read(ctx, m.ref); err == nil {
				m.replace(admin.Sample{Time: now, Count: uint32(r.Count), Value: r.Value, Age: r.Age})
			}
		})
	}
	all.Wait()
}

// mark is a tap as it was at some time.
type mark struct {
	*tap
	ref     string
	samples uint64
}

// marks returns all taps that had samples: others have no value that could be old.
func (t *taps) marks() (list []mark) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for key, k := range t.all {
		k.mu.Lock()
		if k.samples > 0 {
			list = append(list, mark{k, key.ref, k.samples})
		}
		k.mu.Unlock()
	}
	return list
}

// silent reports whether the tap had no sample since.
func (m mark) silent() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tap.samples == m.samples
}

// replace passes a value on that was read, unless the tap has had it, or one since.
func (m mark) replace(x admin.Sample) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tap.samples == m.samples && x.Count != m.last.Count {
		m.read = true
		m.pass(x)
	}
}

// wait waits; it returns false as soon as the context ends.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
