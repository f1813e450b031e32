package flow

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/control"
)

// Complementary joins a rate that drifts, as of a gyroscope, and an angle that is noisy, as of an inclinometer or a compass ([control.Complementary]).
//
//	out[k] = a (out[k-1] + h rate[k]) + (1-a) angle[k],   a = time/(time + h)
//
//	 rate ─► ┌───────────────┐
//	angle ─► │ Complementary ├─► out
//	         └───────────────┘
//
// h is the time since the step before. Movements faster than the time constant come from the rate, slower ones from the angle. Differences of
// angles are wrapped: an element of out is in (-π, π]. It begins with the first angle. While an angle is not finite the rate alone counts, and
// while a rate is not finite its element of out stays. Rotations in space: [mobile.Attitude].
type Complementary struct {
	Time  block.Param[float64] `unit:"s" default:"1" min:"1e-6" max:"1e6" doc:"time constant"`
	Rate  block.In[[]float64]  `required:"yes" unit:"rad/s" doc:"measured rates"`
	Angle block.In[[]float64]  `required:"yes" unit:"rad" doc:"measured angles"`
	Out   block.Out[[]float64] `unit:"rad" doc:"the angles"`

	laws []control.Complementary
}

// Setup makes all ports as long as their links.
func (f *Complementary) Setup(s *block.Setup) error {
	s.SameLen(&f.Rate, &f.Angle, &f.Out)
	return nil
}

// Start forgets the angles before.
func (f *Complementary) Start() error {
	f.laws = make([]control.Complementary, f.Out.Len())
	f.Restart()
	return nil
}

// Restart implements [block.Restarter].
func (f *Complementary) Restart() {
	for i := range f.laws {
		f.laws[i] = control.NewComplementary(f.Time.Value())
	}
}

// Step writes the angles.
func (f *Complementary) Step(t clock.Tick) error {
	rate, known := f.Rate.Read()
	angle, status := f.Angle.Read()
	if known == block.NoData || status == block.NoData {
		return nil
	}
	out := *f.Out.Slot()
	for i := range out {
		f.laws[i].Time(f.Time.Value())
		out[i], _ = f.laws[i].Step(rate[i], angle[i], t.Seconds())
	}
	f.Out.Commit()
	return nil
}
