package flow

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/robot/control"
)

// TransferFunction is a linear system, the same for each element: a quotient of polynomials.
//
//	           num[0] sⁿ + … + num[n]
//	out(s) =  ──────────────────────── in(s)     by falling powers of s, or of z if sampled
//	           den[0] sⁿ + … + den[n]
//
//	      ┌──────────────────┐
//	in ─► │ TransferFunction ├─► out
//	      └──────────────────┘
//
// In the continuous form s is in rad/s; it is discretized with the time h between two steps by its exact response to an input that is held
// between them (zero-order hold: Åström and Wittenmark 1997, section 2.3; [control.TransferFunction]):
//
//	x[k] = Φ x[k-1] + Γ in[k-1],   out[k] = C x[k] + D in[k]
//
// In the sampled form a step is a sample, whatever its time: out[k] = (num[0] in[k] + … - den[1] out[k-1] - …)/den[0] for
// polynomials of one length. Both start at rest. A denominator of 0, a numerator of a higher degree than the denominator and a degree above 20
// are errors. A loop of links through it wants a delay. Elements that are not finite are left out: their output stays, as it does
// once an unstable system leaves the range of numbers.
type TransferFunction struct {
	Num     block.Const[[]float64] `default:"[1]" doc:"numerator by falling powers"`
	Den     block.Const[[]float64] `default:"[1, 1]" doc:"denominator by falling powers"`
	Sampled block.Const[bool]      `doc:"the coefficients are those of z, of a system that is sampled already"`

	In  block.In[[]float64]  `doc:"input of the system"`
	Out block.Out[[]float64] `doc:"its output"`

	laws []*control.TransferFunction
}

// Setup checks the coefficients and declares the length of in.
func (f *TransferFunction) Setup(s *block.Setup) error {
	s.SameLen(&f.In, &f.Out)
	_, err := f.law()
	return err
}

func (f *TransferFunction) law() (*control.TransferFunction, error) {
	create := control.NewTransferFunction
	if f.Sampled.Value() {
		create = control.NewSampledTransferFunction
	}
	law, err := create(f.Num.Value(), f.Den.Value())
	if err != nil {
		return nil, fmt.Errorf("num and den: %w", err)
	}
	return law, nil
}

// Start puts the systems at rest.
func (f *TransferFunction) Start() (err error) {
	f.laws = make([]*control.TransferFunction, f.Out.Len())
	for i := range f.laws {
		if f.laws[i], err = f.law(); err != nil {
			return err
		}
	}
	return nil
}

// Step writes the response.
func (f *TransferFunction) Step(t clock.Tick) error {
	in, status := f.In.Read()
	if status == block.NoData {
		return nil
	}
	out := *f.Out.Slot()
	for i := range out {
		out[i], _ = f.laws[i].Step(in[i], t.Seconds())
	}
	f.Out.Commit()
	return nil
}
