package flow

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Select picks elements of a vector, in any order, and which ones can be tuned.
//
//	out[i] = in[indices[i]],  counted from 0
//
//	      ┌────────┐
//	in ─► │ Select ├─► out
//	      └────────┘
//
// A selection that never changes needs no block: write it into the link, as in a.out[2,0] -> b.in. An index beyond the vector is an
// error.
type Select struct {
	Indices block.Param[[]int64] `default:"[0]" min:"0" doc:"which elements to pick"`
	In      block.In[[]float64]  `doc:"a vector"`
	Out     block.Out[[]float64] `doc:"the elements picked"`
}

var (
	errNoIndex = errors.New("indices is empty: wants at least one")
	errIndex   = errors.New("an index is greater than the number of the last element of in")
)

// Setup declares the number of elements.
func (p *Select) Setup(s *block.Setup) error {
	if len(p.Indices.Value()) == 0 {
		return errNoIndex
	}
	s.Len(len(p.Indices.Value()), &p.Out)
	s.SameLen(&p.In)
	return nil
}

// Start checks the indices against the vector, which has its length by now.
func (p *Select) Start() error {
	if err := p.CheckParams(); err != nil {
		return fmt.Errorf("indices is %v, in has length %d: %w", p.Indices.Value(), p.In.Len(), err)
	}
	return nil
}

// CheckParams rejects indices beyond the vector.
func (p *Select) CheckParams() error {
	for _, i := range p.Indices.Value() {
		if n := p.In.Len(); n > 0 && i >= int64(n) {
			return errIndex
		}
	}
	return nil
}

// Step picks the elements.
func (p *Select) Step(clock.Tick) error {
	in, status := p.In.Read()
	if status == block.NoData {
		return nil
	}
	out := *p.Out.Slot()
	for i, k := range p.Indices.Value() {
		out[i] = in[k]
	}
	p.Out.Commit()
	return nil
}
