package flow

import (
	"errors"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Gain multiplies each element.
//
//	out[i] = gain[i] · in[i],  or gain[0] · in[i] where there is one gain
type Gain struct {
	Gain block.Param[[]float64] `default:"[1]" doc:"factors: one, or one for each element"`
	In   block.In[[]float64]    `doc:"what is multiplied"`
	Out  block.Out[[]float64]   `doc:"the product"`
}

// Setup gives out the length of in.
func (g *Gain) Setup(s *block.Setup) error {
	s.SameLen(&g.In, &g.Out)
	if n := len(g.Gain.Value()); n > 1 {
		s.Len(n, &g.In, &g.Out)
	}
	return nil
}

// Step writes the product.
func (g *Gain) Step(clock.Tick) error {
	in, status := g.In.Read()
	if status == block.NoData {
		return nil
	}
	out, gain := *g.Out.Slot(), g.Gain.Value()
	for i, x := range in {
		k := gain[0]
		if len(gain) > 1 {
			k = gain[i]
		}
		out[i] = k * x
	}
	g.Out.Commit()
	return nil
}

// Sum adds and subtracts vectors of one length.
//
//	out = ± in1 ± in2 …
//
// It writes as soon as one input has data; inputs without data count as 0.
type Sum struct {
	Signs block.Const[string]   `default:"++" doc:"a + or - for each input"`
	In    []block.In[[]float64] `doc:"a summand"`
	Out   block.Out[[]float64]  `doc:"the sum"`
}

var errSigns = errors.New("signs has other letters than + and -, or none")

// Setup makes the inputs.
func (m *Sum) Setup(s *block.Setup) error {
	m.In = make([]block.In[[]float64], len(m.Signs.Value()))
	same := []block.Sized{&m.Out}
	for i, sign := range m.Signs.Value() {
		if sign != '+' && sign != '-' {
			return errSigns
		}
		same = append(same, &m.In[i])
	}
	s.SameLen(same...)
	if len(m.In) == 0 {
		return errSigns
	}
	return nil
}

// Step writes the sum.
func (m *Sum) Step(clock.Tick) error {
	out := *m.Out.Slot()
	clear(out)
	any := false
	for i := range m.In {
		in, status := m.In[i].Read()
		if status == block.NoData {
			continue
		}
		any = true
		sign := 1.0
		if m.Signs.Value()[i] == '-' {
			sign = -1
		}
		for k, x := range in {
			out[k] += sign * x
		}
	}
	if any {
		m.Out.Commit()
	}
	return nil
}

// Mux makes one vector of n numbers.
//
//	out = [in1 … inN]
//
// It writes when one of them is new, as soon as all have come.
type Mux struct {
	N   block.Const[int]     `default:"2" min:"1" max:"10000" doc:"how many numbers"`
	In  []block.In[float64]  `trigger:"yes" doc:"an element"`
	Out block.Out[[]float64] `doc:"all of them"`
}

// Setup makes the inputs.
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

// Demux makes n numbers of one vector.
//
//	out1 … outN = in[0] … in[n-1]
type Demux struct {
	N   block.Const[int]     `default:"2" min:"1" max:"10000" doc:"how many numbers"`
	In  block.In[[]float64]  `trigger:"yes" doc:"all of them"`
	Out []block.Out[float64] `doc:"an element"`
}

// Setup makes the outputs.
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

// Switch passes one of several vectors on.
//
//	out = in[select]
//
// select counts from 1. While it names no input, or one without data, nothing is written: out keeps what it had.
type Switch struct {
	N      block.Const[int]      `default:"2" min:"1" max:"1000" doc:"how many inputs"`
	Select block.In[int64]       `doc:"number of the input that is passed on; the parameter choice, where it is not linked"`
	Choice block.Param[int64]    `default:"1" min:"1" doc:"number of the input while select has no data"`
	In     []block.In[[]float64] `doc:"a choice"`
	Out    block.Out[[]float64]  `doc:"the chosen one"`
}

// Setup makes the inputs.
func (w *Switch) Setup(s *block.Setup) error {
	w.In = make([]block.In[[]float64], w.N.Value())
	same := []block.Sized{&w.Out}
	for i := range w.In {
		same = append(same, &w.In[i])
	}
	s.SameLen(same...)
	return nil
}

// Step passes the chosen input on.
func (w *Switch) Step(clock.Tick) error {
	n, status := w.Select.Read()
	if status == block.NoData {
		n = w.Choice.Value()
	}
	if n < 1 || n > int64(len(w.In)) {
		return nil
	}
	if in, status := w.In[n-1].Read(); status != block.NoData {
		w.Out.Write(in)
	}
	return nil
}

// Scope shows named signals to operators: its inputs are recorded and summed up by default, and tools show them
// first. It calculates nothing.
type Scope struct {
	Signals block.Const[[]string] `doc:"names of the inputs"`
	In      []block.In[float64]   `names:"Signals" watch:"yes" doc:"a signal that operators want to see"`
}

// Setup makes the inputs.
func (c *Scope) Setup(*block.Setup) error {
	c.In = make([]block.In[float64], len(c.Signals.Value()))
	return nil
}
