package flow

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Mux joins n numbers into one vector.
//
//	out = [in1 … inN]
//
//	in1 ─► ┌─────┐
//	in2 ─► │ Mux ├─► out
//	    …  └─────┘
//
// It writes when an input is new, once all inputs have data.
type Mux struct {
	N   block.Const[int]     `default:"2" min:"1" max:"10000" doc:"number of elements"`
	In  []block.In[float64]  `trigger:"yes" doc:"an element"`
	Out block.Out[[]float64] `doc:"all of them"`
}

// Setup creates the inputs.
func (m *Mux) Setup(s *block.Setup) error {
	m.In = make([]block.In[float64], m.N.Value())
	s.Len(m.N.Value(), &m.Out)
	return nil
}

// Step joins the numbers.
func (m *Mux) Step(clock.Tick) error {
	out := *m.Out.Slot()
	all := true
	for i := range m.In {
		v, status := m.In[i].Read()
		out[i] = v
		all = all && status != block.NoData
	}
	if all {
		m.Out.Commit()
	}
	return nil
}

// Demux splits one vector into n numbers.
//
//	out1 … outN = in[0] … in[n-1]
//
//	      ┌───────┐ ─► out1
//	in ─► │ Demux │ ─► out2
//	      └───────┘ …
type Demux struct {
	N   block.Const[int]     `default:"2" min:"1" max:"10000" doc:"number of elements"`
	In  block.In[[]float64]  `trigger:"yes" doc:"all of them"`
	Out []block.Out[float64] `doc:"an element"`
}

// Setup creates the outputs.
func (d *Demux) Setup(s *block.Setup) error {
	d.Out = make([]block.Out[float64], d.N.Value())
	s.Len(d.N.Value(), &d.In)
	return nil
}

// Step splits the vector.
func (d *Demux) Step(clock.Tick) error {
	in, _ := d.In.Read()
	for i := range d.Out {
		d.Out[i].Write(in[i])
	}
	return nil
}
