package flow

import (
	"errors"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Delay writes what came n steps ago. In a loop of links it is the place where a new cycle begins: it writes before
// it reads.
//
//	out[k] = in[k-n],  0 before
type Delay struct {
	N   block.Const[int]     `default:"1" min:"1" max:"1000000" doc:"steps"`
	In  block.In[[]float64]  `part:"control" doc:"what is delayed"`
	Out block.Out[[]float64] `part:"sense" doc:"what came n steps ago"`

	past []float64 // n vectors, the oldest at next
	next int
}

// Setup gives out the length of in.
func (d *Delay) Setup(s *block.Setup) error {
	s.SameLen(&d.In, &d.Out)
	return nil
}

// Start makes room for the past.
func (d *Delay) Start() error {
	d.past = make([]float64, d.N.Value()*d.Out.Len())
	return nil
}

// Sense writes the oldest vector.
func (d *Delay) Sense(clock.Tick) error {
	d.Out.Write(d.past[d.next : d.next+d.Out.Len()])
	return nil
}

// Control puts the newest in its place.
func (d *Delay) Control(clock.Tick) error {
	in, _ := d.In.Read()
	d.next += copy(d.past[d.next:], in)
	d.next %= len(d.past)
	return nil
}

// RateTransition makes a fast signal of a slow one: it runs at the fast rate and interpolates between the values that
// come at the slow one, period apart.
//
//	hold:   out = the newest value
//	linear: the straight line between the last two
//	cubic:  the parabola-blended cubic through the last four (Catmull and Rom 1974)
//
// A line needs the value at its end, so linear is one slow period late, and cubic two.
type RateTransition struct {
	Interpolation block.Const[string]  `default:"linear" doc:"hold, linear or cubic"`
	Period        block.Const[float64] `unit:"s" default:"0.01" min:"1e-6" doc:"time between two values of in"`
	In            block.In[[]float64]  `doc:"the slow signal"`
	Out           block.Out[[]float64] `doc:"the fast signal"`

	knots [4][]float64 // the last four values, the newest last
	since float64      // seconds since the newest came
	begun bool
}

var errInterpolation = errors.New("interpolation is neither hold, linear nor cubic")

// Setup gives out the length of in.
func (r *RateTransition) Setup(s *block.Setup) error {
	s.SameLen(&r.In, &r.Out)
	switch r.Interpolation.Value() {
	case "hold", "linear", "cubic":
		return nil
	}
	return errInterpolation
}

// Start makes room for the knots.
func (r *RateTransition) Start() error {
	for i := range r.knots {
		r.knots[i] = make([]float64, r.Out.Len())
	}
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
	a, b, c, d := r.knots[0], r.knots[1], r.knots[2], r.knots[3]
	for i := range out {
		switch r.Interpolation.Value() {
		case "hold":
			out[i] = d[i]
		case "linear":
			out[i] = c[i] + u*(d[i]-c[i])
		default:
			out[i] = b[i] + u/2*(c[i]-a[i]+u*(2*a[i]-5*b[i]+4*c[i]-d[i]+u*(3*(b[i]-c[i])+d[i]-a[i])))
		}
	}
	r.Out.Commit()
	return nil
}

// push takes a new knot; the first one stands for the whole past.
func (r *RateTransition) push(in []float64) {
	first := r.knots[0]
	copy(r.knots[:], r.knots[1:])
	r.knots[3] = first
	copy(first, in)
	if !r.begun {
		r.begun = true
		for i := range r.knots {
			copy(r.knots[i], in)
		}
	}
	r.since = 0
}
