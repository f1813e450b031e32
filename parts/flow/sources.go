package flow

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Constant writes its value.
//
//	out = value
type Constant struct {
	Value block.Param[[]float64] `default:"[0]" doc:"what is written"`
	Out   block.Out[[]float64]   `doc:"the value"`
}

// Setup gives out the length of the value.
func (c *Constant) Setup(s *block.Setup) error {
	s.Len(len(c.Value.Value()), &c.Out)
	return nil
}

// Step writes the value.
func (c *Constant) Step(clock.Tick) error {
	c.Out.Write(c.Value.Value())
	return nil
}

// Wave writes a periodic signal.
//
//	out = offset + amplitude · shape(phase),  phase grows by frequency · dt from 0 to 1
//
// The shapes run from -1 to 1: sine, square, triangle; ramp rises from -1 to 1 and falls back. Tuning the frequency
// makes no jump.
type Wave struct {
	Shape     block.Const[string]  `default:"sine" doc:"sine, square, triangle or ramp"`
	Amplitude block.Param[float64] `default:"1" doc:"height"`
	Offset    block.Param[float64] `doc:"mean"`
	Frequency block.Param[float64] `unit:"Hz" default:"1" min:"0" doc:"periods in a second"`
	Out       block.Out[float64]   `doc:"the signal"`

	shape func(phase float64) float64
	phase float64
}

var errShape = errors.New("shape is neither sine, square, triangle nor ramp")

// Setup chooses the shape.
func (w *Wave) Setup(*block.Setup) error {
	w.shape = map[string]func(float64) float64{
		"sine":     func(p float64) float64 { return math.Sin(2 * math.Pi * p) },
		"square":   func(p float64) float64 { return math.Copysign(1, 0.5-p) },
		"triangle": func(p float64) float64 { return 1 - 4*math.Abs(math.Mod(p+0.25, 1)-0.5) },
		"ramp":     func(p float64) float64 { return 2*p - 1 },
	}[w.Shape.Value()]
	if w.shape == nil {
		return errShape
	}
	return nil
}

// Step writes the signal.
func (w *Wave) Step(t clock.Tick) error {
	w.Out.Write(w.Offset.Value() + w.Amplitude.Value()*w.shape(w.phase))
	_, w.phase = math.Modf(w.phase + w.Frequency.Value()*t.Seconds())
	return nil
}
