package systems

import (
	"context"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Name returns the system's name.
func (s *System) Name() string { return s.name }

// Tap implements [admin.System]. Taps of the same port and rate are shared: the last sample comes at once, then what is new.
func (s *System) Tap(ctx context.Context, ref string, every int, take func(admin.Sample)) (end func(), err error) {
	return s.taps.add(ctx, ref, every, take)
}

// Now returns the system's time; 0 where the system does not publish it.
func (s *System) Now() clock.Time {
	if t, ok := s.Unwrapped().(admin.Clock); ok {
		return t.Now()
	}
	return 0
}

// Lost returns how many samples of all ports were lost on the way from the system.
func (s *System) Lost() uint64 {
	if c, ok := s.Unwrapped().(admin.LossCounter); ok {
		return c.Lost()
	}
	return 0
}

// Periods returns the period of each block's thread in seconds; 0 where it is triggered or not known.
func (s *System) Periods(ctx context.Context) map[string]float64 {
	list := map[string]float64{}
	st, err := s.Structure(ctx)
	if err != nil {
		return list // taps report what is wrong
	}
	type place struct{ process, thread string }
	threads := map[place]float64{}
	for _, t := range st.Threads {
		threads[place{t.Process, t.Name}] = t.Period
	}
	for _, b := range st.Blocks {
		list[b.Name] = threads[place{b.Process, b.Thread}]
	}
	return list
}
