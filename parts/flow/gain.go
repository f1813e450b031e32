package flow

import (
	"errors"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Gain multiplies each element.
//
//	out[i] = gain[i] · in[i],  or gain[0] · in[i] if there is one gain
//
//	      ┌──────┐
//	in ─► │ Gain ├─► out
//	      └──────┘
//
// It writes nothing before the first input. Several gains fix the length of the ports. An empty list of gains is an
// error.
type Gain struct {
	Gain block.Param[[]float64] `default:"[1]" spread:"yes" doc:"factors: one, or one for each element"`
	In   block.In[[]float64]    `doc:"the vector to multiply"`
	Out  block.Out[[]float64]   `doc:"the product"`
}

var errNoGain = errors.New("gain is empty: wants one number, or one for each element")

// Setup declares the length of in.
func (g *Gain) Setup(s *block.Setup) error {
	s.SameLen(&g.In, &g.Out)
	switch n := len(g.Gain.Value()); n {
	case 0:
		return errNoGain
	case 1:
	default:
		s.Len(n, &g.In, &g.Out)
	}
	return nil
}

// Step writes the product.
func (g *Gain) Step(clock.Tick) error {
	in, status := g.In.Read()
	if status == block.NoData {
		return nil
	}
	out, gain := *g.Out.Slot(), g.Gain.Value()
	for i, x := range in {
		k := gain[0]
		if len(gain) > 1 {
			k = gain[i]
		}
		out[i] = k * x
	}
	g.Out.Commit()
	return nil
}
