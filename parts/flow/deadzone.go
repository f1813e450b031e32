package flow

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// DeadZone passes on only what is outside two bounds, without a jump.
//
//	out = in - upper  above upper,   in - lower  below lower,   0 between them
//
//	      ┌──────────┐
//	in ─► │ DeadZone ├─► out
//	      └──────────┘
//
// A lower bound above the upper one is an error.
type DeadZone struct {
	Lower block.Param[[]float64] `default:"[-0.1]" spread:"yes" doc:"lower bound: one, or one for each element"`
	Upper block.Param[[]float64] `default:"[0.1]" spread:"yes" doc:"upper bound: one, or one for each element"`
	In    block.In[[]float64]    `doc:"a vector"`
	Out   block.Out[[]float64]   `doc:"what is outside the bounds"`
}

// Setup declares the length of in.
func (z *DeadZone) Setup(s *block.Setup) error {
	s.SameLen(&z.In, &z.Out)
	err := fit(s, []block.Sized{&z.In, &z.Out}, elements{"lower", z.Lower.Value()}, elements{"upper", z.Upper.Value()})
	if err != nil {
		return err
	}
	return z.CheckParams()
}

// CheckParams rejects bounds in the wrong order.
func (z *DeadZone) CheckParams() error {
	if !ordered(z.Lower.Value(), z.Upper.Value()) {
		return errBounds
	}
	return nil
}

// Step writes what is outside.
func (z *DeadZone) Step(clock.Tick) error {
	in, status := z.In.Read()
	if status == block.NoData {
		return nil
	}
	out := *z.Out.Slot()
	for i, x := range in {
		out[i] = x - min(max(x, element(z.Lower.Value(), i)), element(z.Upper.Value(), i))
	}
	z.Out.Commit()
	return nil
}
