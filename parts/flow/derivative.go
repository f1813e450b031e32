package flow

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/control"
)

// Derivative differentiates its input and smooths the result with a first-order low pass.
//
//	out[k] = out[k-1] + a ( (in[k] - in[k-1])/h - out[k-1] ),   a = 1 - exp(-2π cutoff h)
//
//	      ┌────────────┐
//	in ─► │ Derivative ├─► out
//	      └────────────┘
//
// It is the sampled form of s/(1 + s/(2π cutoff)). h is the time since the value before: a missed value gives no spike. It runs
// when in is new; the first value gives 0. A higher cutoff means less delay, about 1/(2π cutoff) s, and more noise. Elements
// that are not finite are left out: their derivative stays.
type Derivative struct {
	Cutoff block.Param[float64] `unit:"Hz" default:"20" min:"1e-6" doc:"cutoff frequency of the low pass"`
	In     block.In[[]float64]  `trigger:"yes" doc:"the vector to differentiate"`
	Out    block.Out[[]float64] `doc:"its change per second"`

	laws []control.Differentiator
}

// Setup declares the length of in.
func (d *Derivative) Setup(s *block.Setup) error {
	s.SameLen(&d.In, &d.Out)
	return nil
}

// Start forgets the values before.
func (d *Derivative) Start() error {
	d.laws = make([]control.Differentiator, d.Out.Len())
	d.Restart()
	return nil
}

// Restart implements [block.Restarter].
func (d *Derivative) Restart() {
	for i := range d.laws {
		d.laws[i] = control.NewDifferentiator(d.Cutoff.Value())
	}
}

// Step writes the derivative.
func (d *Derivative) Step(t clock.Tick) error {
	in, status := d.In.Read()
	if status == block.NoData {
		return nil
	}
	out := *d.Out.Slot()
	for i := range out {
		d.laws[i].Cutoff(d.Cutoff.Value())
		out[i], _ = d.laws[i].Step(in[i], t.Seconds())
	}
	d.Out.Commit()
	return nil
}
