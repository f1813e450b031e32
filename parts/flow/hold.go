package flow

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Hold keeps its output while its input hold is true.
//
//	out = in  while hold is false,   the last one before  while it is true
//
//	  in ─► ┌──────┐
//	hold ─► │ Hold ├─► out
//	        └──────┘
//
// While hold is true nothing is written, so blocks that run on new data rest.
type Hold struct {
	In   block.In[[]float64]  `doc:"a vector"`
	Hold block.In[bool]       `missing:"false" doc:"keep the present value; without data: false"`
	Out  block.Out[[]float64] `doc:"the vector, or the one kept"`
}

// Setup declares the length of in.
func (h *Hold) Setup(s *block.Setup) error {
	s.SameLen(&h.In, &h.Out)
	return nil
}

// Step forwards the vector.
func (h *Hold) Step(clock.Tick) error {
	if hold, _ := h.Hold.Read(); hold {
		return nil
	}
	if in, status := h.In.Read(); status != block.NoData {
		h.Out.Write(in)
	}
	return nil
}
