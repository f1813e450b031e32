package flow

import (
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Delay writes what came n steps ago. In a loop of links it is the place where a new cycle begins: it writes before
// it reads.
//
//	out[k] = in[k-n],  0 before
//
//	      ┌───────┐
//	in ─► │ Delay ├─► out
//	      └───────┘
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
	d.next = 0
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
	if d.next == len(d.past) {
		d.next = 0
	}
	return nil
}
