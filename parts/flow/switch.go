package flow

import (
	"errors"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Switch forwards one of several vectors.
//
//	out = in[select],  counted from 1
//
//	   in1 ─► ┌────────┐
//	   in2 ─► │ Switch ├─► out
//	       …  │        │
//	select ─► └────────┘
//
// While select names no input, or one without data, nothing is written: out keeps its value.
type Switch struct {
	N      block.Const[int]      `default:"2" min:"1" max:"1000" doc:"number of inputs"`
	Select block.In[int64]       `missing:"the parameter choice" doc:"number of the input to forward; if not linked, the parameter choice is used"`
	Choice block.Param[int64]    `default:"1" min:"1" doc:"number of the input while select has no data"`
	In     []block.In[[]float64] `doc:"a choice"`
	Out    block.Out[[]float64]  `doc:"the chosen one"`
}

var errChoice = errors.New("choice is greater than n, the number of inputs")

// Setup creates the inputs.
func (w *Switch) Setup(s *block.Setup) error {
	if err := w.CheckParams(); err != nil {
		return err
	}
	w.In = make([]block.In[[]float64], w.N.Value())
	same := []block.Sized{&w.Out}
	for i := range w.In {
		same = append(same, &w.In[i])
	}
	s.SameLen(same...)
	return nil
}

// CheckParams rejects a choice without an input.
func (w *Switch) CheckParams() error {
	if w.Choice.Value() > int64(w.N.Value()) {
		return errChoice
	}
	return nil
}

// Step forwards the chosen input.
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
