package flow

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Merge forwards whichever of several vectors was written, as Simulink's block of that name.
//
//	out = the input that is new
//
//	in1 ─► ┌───────┐
//	in2 ─► │ Merge ├─► out
//	    …  └───────┘
//
// It joins the outputs of groups of which one is enabled at a time. Where several inputs are new, the last of them counts; where none is,
// nothing is written: out keeps its value.
type Merge struct {
	N   block.Const[int]      `default:"2" min:"1" max:"1000" doc:"number of inputs"`
	In  []block.In[[]float64] `doc:"a vector that is written at times"`
	Out block.Out[[]float64]  `doc:"the one written last"`
}

// Setup creates the inputs.
func (m *Merge) Setup(s *block.Setup) error {
	m.In = make([]block.In[[]float64], m.N.Value())
	same := []block.Sized{&m.Out}
	for i := range m.In {
		same = append(same, &m.In[i])
	}
	s.SameLen(same...)
	return nil
}

// Step forwards what is new.
func (m *Merge) Step(clock.Tick) error {
	for i := range m.In {
		if v, status := m.In[i].Read(); status == block.NewData {
			m.Out.Write(v)
		}
	}
	return nil
}
