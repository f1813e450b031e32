package flow

import (
	"errors"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Integrator sums up its input over time.
//
//	out[k] = sat( out[k-1] + h in[k-1] ),   out[0] = initial
//
//	         ┌────────────┐
//	   in ─► │ Integrator ├─► out
//	reset ─► └────────────┘
//
// h is the time that passed since the step before. An input that is held between two steps is integrated exactly. In a loop of links it starts
// the cycle, as a [Delay] does: it writes before it reads. At a bound it stops, so nothing winds up behind it. While reset is
// true, out goes to initial in the next step. Elements that are not finite count as 0.
type Integrator struct {
	Initial block.Param[[]float64] `default:"[0]" spread:"yes" doc:"first value: one, or one for each element"`
	Lower   block.Param[[]float64] `default:"[-1e30]" spread:"yes" doc:"lower bound: one, or one for each element; default: none"`
	Upper   block.Param[[]float64] `default:"[1e30]" spread:"yes" doc:"upper bound: one, or one for each element; default: none"`

	In    block.In[[]float64]  `part:"control" missing:"0" doc:"the vector to integrate"`
	Reset block.In[bool]       `part:"control" missing:"false" doc:"while true, out is the initial value"`
	Out   block.Out[[]float64] `part:"sense" doc:"the integral"`

	rate []float64
	sum  []float64
}

var errBounds = errors.New("lower is greater than upper: exchange them, for each element")

// Setup declares the length of in.
func (n *Integrator) Setup(s *block.Setup) error {
	s.SameLen(&n.In, &n.Out)
	err := fit(s, []block.Sized{&n.In, &n.Out}, elements{"initial", n.Initial.Value()}, elements{"lower", n.Lower.Value()}, elements{"upper", n.Upper.Value()})
	if err != nil {
		return err
	}
	return n.CheckParams()
}

// CheckParams rejects bounds in the wrong order.
func (n *Integrator) CheckParams() error {
	if !ordered(n.Lower.Value(), n.Upper.Value()) {
		return errBounds
	}
	return nil
}

// Start goes to the initial value.
func (n *Integrator) Start() error {
	n.rate, n.sum = make([]float64, n.Out.Len()), make([]float64, n.Out.Len())
	n.reset()
	return nil
}

// Restart implements [block.Restarter].
func (n *Integrator) Restart() { n.reset() }

func (n *Integrator) reset() {
	for i := range n.sum {
		n.rate[i], n.sum[i] = 0, element(n.Initial.Value(), i)
	}
}

// Sense integrates over the time that passed, and writes.
func (n *Integrator) Sense(t clock.Tick) error {
	for i, v := range n.rate {
		n.sum[i] = min(max(n.sum[i]+t.Seconds()*v, element(n.Lower.Value(), i)), element(n.Upper.Value(), i))
	}
	n.Out.Write(n.sum)
	return nil
}

// Control reads what is integrated until the next step.
func (n *Integrator) Control(clock.Tick) error {
	in, _ := n.In.Read()
	for i, v := range in {
		if v-v != 0 {
			v = 0
		}
		n.rate[i] = v
	}
	if reset, _ := n.Reset.Read(); reset {
		n.reset()
	}
	return nil
}
