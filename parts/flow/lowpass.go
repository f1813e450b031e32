package flow

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/control"
)

// LowPass smooths its input: a first-order low pass.
//
//	out[k] = out[k-1] + a (in[k] - out[k-1]),   a = 1 - exp(-2π cutoff h)
//
//	      ┌─────────┐
//	in ─► │ LowPass ├─► out
//	      └─────────┘
//
// It is the exact sampled form of 1/(1 + s/(2π cutoff)) for an input that is held between two steps; h is the time since the step before. The
// first value becomes the output at once. Elements that are not finite are left out: their output stays. Filters of higher order
// are transfer functions: [TransferFunction].
type LowPass struct {
	Cutoff block.Param[float64] `unit:"Hz" default:"10" min:"1e-6" doc:"cutoff frequency (-3 dB)"`
	In     block.In[[]float64]  `doc:"the vector to smooth"`
	Out    block.Out[[]float64] `doc:"the smooth vector"`

	laws []control.LowPass
}

// Setup declares the length of in.
func (f *LowPass) Setup(s *block.Setup) error {
	s.SameLen(&f.In, &f.Out)
	return nil
}

// Start forgets the values before.
func (f *LowPass) Start() error {
	f.laws = make([]control.LowPass, f.Out.Len())
	f.Restart()
	return nil
}

// Restart implements [block.Restarter].
func (f *LowPass) Restart() {
	for i := range f.laws {
		f.laws[i] = control.NewLowPass(f.Cutoff.Value())
	}
}

// Step writes the smooth vector.
func (f *LowPass) Step(t clock.Tick) error {
	in, status := f.In.Read()
	if status == block.NoData {
		return nil
	}
	out := *f.Out.Slot()
	for i := range out {
		f.laws[i].Cutoff(f.Cutoff.Value())
		out[i], _ = f.laws[i].Step(in[i], t.Seconds())
	}
	f.Out.Commit()
	return nil
}
