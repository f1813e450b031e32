package hierarchy

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// probe is a module with any number of elements in each vector. It mixes its inputs with the state that Sense and
// Control share, and records its executions.
type probe struct {
	SensorIn   []block.In[float64]  `part:"sense" name:"si" unit:"rad" doc:"from below"`
	SensorOut  []block.Out[float64] `part:"sense" name:"so" unit:"rad" doc:"to above"`
	ControlIn  []block.In[float64]  `part:"control" name:"ci" doc:"from above"`
	ControlOut []block.Out[float64] `part:"control" name:"co" doc:"to below"`

	mixer
}

// flaggedProbe is a probe of which a half is executed only after new data.
type flaggedProbe struct {
	SensorIn   []block.In[float64]  `part:"sense" trigger:"yes" name:"si" unit:"rad" doc:"from below"`
	SensorOut  []block.Out[float64] `part:"sense" name:"so" unit:"rad" doc:"to above"`
	ControlIn  []block.In[float64]  `part:"control" trigger:"yes" name:"ci" doc:"from above"`
	ControlOut []block.Out[float64] `part:"control" name:"co" doc:"to below"`

	mixer
}

// mixer is what both do.
type mixer struct {
	name  string
	trace *[]string
	state float64
	every int // each half writes its outputs in every such execution; 0: in each
	runs  [2]int
}

// newProbe returns a probe with the given numbers of elements: sensor in, sensor out, control in, control out.
func newProbe(name string, trace *[]string, si, so, ci, co int) *probe {
	return &probe{
		mixer:    mixer{name: name, trace: trace},
		SensorIn: make([]block.In[float64], si), SensorOut: make([]block.Out[float64], so),
		ControlIn: make([]block.In[float64], ci), ControlOut: make([]block.Out[float64], co),
	}
}

func newFlaggedProbe(name string, trace *[]string, si, so, ci, co int) *flaggedProbe {
	return &flaggedProbe{
		mixer:    mixer{name: name, trace: trace},
		SensorIn: make([]block.In[float64], si), SensorOut: make([]block.Out[float64], so),
		ControlIn: make([]block.In[float64], ci), ControlOut: make([]block.Out[float64], co),
	}
}

func (p *probe) Sense(clock.Tick) error {
	p.mix(0, p.SensorIn, p.SensorOut)
	return nil
}

func (p *probe) Control(clock.Tick) error {
	p.mix(1, p.ControlIn, p.ControlOut)
	return nil
}

func (p *flaggedProbe) Sense(clock.Tick) error {
	p.mix(0, p.SensorIn, p.SensorOut)
	return nil
}

func (p *flaggedProbe) Control(clock.Tick) error {
	p.mix(1, p.ControlIn, p.ControlOut)
	return nil
}

// mix executes a half.
func (m *mixer) mix(half int, in []block.In[float64], out []block.Out[float64]) {
	*m.trace = append(*m.trace, m.name+[...]string{".sense", ".control"}[half])
	m.state = m.state*0.5 + 1
	for i := range in {
		v, _ := in[i].Read()
		m.state += v / float64(2+i)
	}
	if m.runs[half]++; m.runs[half]%max(m.every, 1) != 0 {
		return
	}
	for i := range out {
		out[i].Write(m.state / float64(1+i))
	}
}

// tested is a probe of either kind.
type tested interface {
	block.Block
	outputs() map[kind][]block.Out[float64]
	mixes() *mixer
}

func (p *probe) outputs() map[kind][]block.Out[float64] {
	return map[kind][]block.Out[float64]{sensorOut: p.SensorOut, controlOut: p.ControlOut}
}

func (p *flaggedProbe) outputs() map[kind][]block.Out[float64] {
	return map[kind][]block.Out[float64]{sensorOut: p.SensorOut, controlOut: p.ControlOut}
}

func (m *mixer) mixes() *mixer { return m }
