package flow

import (
	"fmt"
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Wave writes a periodic signal.
//
//	out = offset + amplitude · shape(phase),  phase grows by frequency · dt and starts again at 1
//
//	┌──────┐
//	│ Wave ├─► out
//	└──────┘
//
// The shapes run from -1 to 1: sine and triangle begin at 0 and rise, square begins at 1, ramp rises from -1 and
// falls back. Tuning the frequency makes no jump. A shape of another name is refused.
type Wave struct {
	Shape     block.Const[string]  `default:"sine" doc:"sine, square, triangle or ramp"`
	Amplitude block.Param[float64] `default:"1" doc:"height"`
	Offset    block.Param[float64] `doc:"mean"`
	Frequency block.Param[float64] `unit:"Hz" default:"1" min:"0" doc:"periods in a second"`
	Out       block.Out[float64]   `doc:"the signal"`

	shape func(phase float64) float64
	phase float64
}

// Setup chooses the shape.
func (w *Wave) Setup(*block.Setup) error {
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
