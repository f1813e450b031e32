package flow

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// RateTransition turns a slow signal into a fast one: it runs at the fast rate and interpolates between the values
// that arrive at the slow rate, period apart.
//
//	hold:   out = the newest value
//	linear: the straight line between the last two
//	cubic:  the cubic through the last four with the slopes of Catmull and Rom (1974): no kinks
//
//	         ┌────────────────┐
//	in ═══►  │ RateTransition ├─► out
//	  slow   └────────────────┘   fast
//
// A line needs the value at its end, so linear lags by one slow period, and cubic by two. If a value is overdue, out
// stays at the end of the curve. Nothing is written before the first value, which also counts as all earlier values.
// Another interpolation is an error.
type RateTransition struct {
	Interpolation block.Const[string]  `default:"linear" doc:"hold, linear or cubic"`
	Period        block.Const[float64] `unit:"s" default:"0.01" min:"1e-6" doc:"time between two values of in"`
	In            block.In[[]float64]  `doc:"the slow signal"`
	Out           block.Out[[]float64] `doc:"the fast signal"`

	between func(a, b, c, d, u float64) float64
	knots   [4][]float64 // the last four values, the newest last
	since   float64      // seconds since the newest arrived
	begun   bool
}

// Setup selects the interpolation and declares the length of in.
func (r *RateTransition) Setup(s *block.Setup) error {
	s.SameLen(&r.In, &r.Out)
	switch r.Interpolation.Value() {
	case "hold":
		r.between = func(_, _, _, d, _ float64) float64 { return d }
	case "linear":
		r.between = func(_, _, c, d, u float64) float64 { return c + u*(d-c) }
	case "cubic":
		r.between = catmullRom
	default:
		return fmt.Errorf("interpolation is %q: wants hold, linear or cubic", r.Interpolation.Value())
	}
	return nil
}

// catmullRom interpolates from b at u = 0 to c at u = 1, with the slopes (c-a)/2 and (d-b)/2.
func catmullRom(a, b, c, d, u float64) float64 {
	return b + u/2*(c-a+u*(2*a-5*b+4*c-d+u*(3*(b-c)+d-a)))
}

// Start allocates the knots.
func (r *RateTransition) Start() error {
	for i := range r.knots {
		r.knots[i] = make([]float64, r.Out.Len())
	}
	r.begun = false
	return nil
}

// Step writes the interpolated value.
func (r *RateTransition) Step(t clock.Tick) error {
	in, status := r.In.Read()
	switch status {
	case block.NoData:
		return nil
	case block.NewData:
		r.push(in)
	default:
		r.since += t.Seconds()
	}
	u := min(r.since/r.Period.Value(), 1)
	out := *r.Out.Slot()
	for i := range out {
		out[i] = r.between(r.knots[0][i], r.knots[1][i], r.knots[2][i], r.knots[3][i], u)
	}
	r.Out.Commit()
	return nil
}

// push adds a knot.
func (r *RateTransition) push(in []float64) {
	oldest := r.knots[0]
	copy(r.knots[:], r.knots[1:])
	r.knots[3] = oldest
	copy(oldest, in)
	if !r.begun {
		r.begun = true
		for i := range r.knots {
			copy(r.knots[i], in)
		}
	}
	r.since = 0
}
