package flow

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Wave writes a periodic signal.
//
//	out = offset + amplitude · shape(p),  p starts at phase, grows by frequency · h and wraps at 1
//
//	┌──────┐
//	│ Wave ├─► out
//	└──────┘
//
// The shapes range from -1 to 1: sine and triangle start at 0 and rise, square starts at 1, ramp rises from -1 and
// falls back. Tuning the frequency causes no jump. Another shape is an error.
type Wave struct {
	Shape     block.Const[string]  `default:"sine" doc:"sine, square, triangle or ramp"`
	Amplitude block.Param[float64] `default:"1" doc:"height"`
	Offset    block.Param[float64] `doc:"mean"`
	Frequency block.Param[float64] `unit:"Hz" default:"1" min:"0" doc:"periods per second"`
	Phase     block.Const[float64] `min:"0" max:"1" doc:"where in its period the signal starts: 0.25 makes a cosine of a sine"`
	Out       block.Out[float64]   `doc:"the signal"`

	shape func(phase float64) float64
	phase float64
}

// Setup selects the shape.
func (w *Wave) Setup(*block.Setup) error {
	w.phase = w.Phase.Value()
	switch w.Shape.Value() {
	case "sine":
		w.shape = func(p float64) float64 { return math.Sin(2 * math.Pi * p) }
	case "square":
		w.shape = func(p float64) float64 { return math.Copysign(1, 0.5-p) }
	case "triangle":
		w.shape = func(p float64) float64 { return 1 - 4*math.Abs(math.Mod(p+0.25, 1)-0.5) }
	case "ramp":
		w.shape = func(p float64) float64 { return 2*p - 1 }
	default:
		return fmt.Errorf("shape is %q: wants sine, square, triangle or ramp", w.Shape.Value())
	}
	return nil
}

// Step writes the signal.
func (w *Wave) Step(t clock.Tick) error {
	w.Out.Write(w.Offset.Value() + w.Amplitude.Value()*w.shape(w.phase))
	_, w.phase = math.Modf(w.phase + w.Frequency.Value()*t.Seconds())
	return nil
}
