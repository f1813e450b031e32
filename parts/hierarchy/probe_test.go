package hierarchy

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// probe is a module with as many elements in each vector as wanted. It mixes what it gets with what Sense and Control
// share, and notes when it is executed.
type probe struct {
	SensorIn   []block.In[float64]  `part:"sense" name:"si" unit:"rad" doc:"from below"`
	SensorOut  []block.Out[float64] `part:"sense" name:"so" unit:"rad" doc:"to above"`
	ControlIn  []block.In[float64]  `part:"control" name:"ci" doc:"from above"`
	ControlOut []block.Out[float64] `part:"control" name:"co" doc:"to below"`

	name  string
	trace *[]string
	state float64
}

// newProbe returns a probe with the given numbers of elements: sensor in, sensor out, control in, control out.
func newProbe(name string, trace *[]string, si, so, ci, co int) *probe {
	return &probe{
		name: name, trace: trace,
		SensorIn: make([]block.In[float64], si), SensorOut: make([]block.Out[float64], so),
		ControlIn: make([]block.In[float64], ci), ControlOut: make([]block.Out[float64], co),
	}
}

func (p *probe) Sense(t clock.Tick) error {
	*p.trace = append(*p.trace, p.name+".sense")
	mix(&p.state, p.SensorIn, p.SensorOut)
	return nil
}

func (p *probe) Control(t clock.Tick) error {
	*p.trace = append(*p.trace, p.name+".control")
	mix(&p.state, p.ControlIn, p.ControlOut)
	return nil
}

func mix(state *float64, in []block.In[float64], out []block.Out[float64]) {
	*state = *state*0.5 + 1
	for i := range in {
		v, _ := in[i].Read()
		*state += v / float64(2+i)
	}
	for i := range out {
		out[i].Write(*state / float64(1+i))
	}
}
