package flow

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Saturation keeps each element between two bounds.
//
//	out = min(max(in, lower), upper),   cut = in - out
//
//	      ┌────────────┐ ─► out
//	in ─► │ Saturation │
//	      └────────────┘ ─► cut
//
// A lower bound above the upper one is an error.
type Saturation struct {
	Lower block.Param[[]float64] `default:"[-1]" spread:"yes" doc:"lower bound: one, or one for each element"`
	Upper block.Param[[]float64] `default:"[1]" spread:"yes" doc:"upper bound: one, or one for each element"`
	In    block.In[[]float64]    `doc:"the vector to bound"`
	Out   block.Out[[]float64]   `doc:"the bounded vector"`
	Cut   block.Out[[]float64]   `doc:"what the bounds cut off: 0 within them"`
}

// Setup declares the length of in.
func (c *Saturation) Setup(s *block.Setup) error {
	s.SameLen(&c.In, &c.Out, &c.Cut)
	err := fit(s, []block.Sized{&c.In, &c.Out, &c.Cut}, elements{"lower", c.Lower.Value()}, elements{"upper", c.Upper.Value()})
	if err != nil {
		return err
	}
	return c.CheckParams()
}

// CheckParams rejects bounds in the wrong order.
func (c *Saturation) CheckParams() error {
	if !ordered(c.Lower.Value(), c.Upper.Value()) {
		return errBounds
	}
	return nil
}

// Step writes the bounded vector.
func (c *Saturation) Step(clock.Tick) error {
	in, status := c.In.Read()
	if status == block.NoData {
		return nil
	}
	out, cut := *c.Out.Slot(), *c.Cut.Slot()
	for i, x := range in {
		out[i] = min(max(x, element(c.Lower.Value(), i)), element(c.Upper.Value(), i))
		cut[i] = x - out[i]
	}
	c.Out.Commit()
	c.Cut.Commit()
	return nil
}
