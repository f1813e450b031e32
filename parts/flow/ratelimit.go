package flow

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/control"
)

// RateLimit bounds how fast each element rises and falls.
//
//	out[k] = min(max(in[k], out[k-1] - falling h), out[k-1] + rising h)
//
//	      ┌───────────┐
//	in ─► │ RateLimit ├─► out
//	      └───────────┘
//
// h is the time since the step before. The first value passes unchanged. Elements that are not finite are left out: their
// output stays.
type RateLimit struct {
	Rising  block.Param[[]float64] `default:"[1]" min:"0" spread:"yes" doc:"greatest increase per second: one, or one for each element"`
	Falling block.Param[[]float64] `default:"[0]" min:"0" spread:"yes" doc:"greatest decrease per second: one, or one for each element; 0: as rising"`
	In      block.In[[]float64]    `doc:"a vector"`
	Out     block.Out[[]float64]   `doc:"the vector that follows it"`

	laws []control.RateLimiter
}

// Setup declares the length of in.
func (l *RateLimit) Setup(s *block.Setup) error {
	s.SameLen(&l.In, &l.Out)
	return fit(s, []block.Sized{&l.In, &l.Out}, elements{"rising", l.Rising.Value()}, elements{"falling", l.Falling.Value()})
}

// Start forgets the values before.
func (l *RateLimit) Start() error {
	l.laws = make([]control.RateLimiter, l.Out.Len())
	return nil
}

// Restart implements [block.Restarter].
func (l *RateLimit) Restart() { clear(l.laws) }

// Step follows the input.
func (l *RateLimit) Step(t clock.Tick) error {
	in, status := l.In.Read()
	if status == block.NoData {
		return nil
	}
	out := *l.Out.Slot()
	for i := range out {
		law := &l.laws[i]
		law.Rate, law.Fall = element(l.Rising.Value(), i), element(l.Falling.Value(), i)
		out[i], _ = law.Step(in[i], t.Seconds())
	}
	l.Out.Commit()
	return nil
}
