package flow

import (
	"fmt"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Delay writes the value of n steps ago. In a loop of links it starts the cycle: it writes before it reads.
//
//	out[k] = in[k-n],  0 before
//
//	      ┌───────┐
//	in ─► │ Delay ├─► out
//	      └───────┘
type Delay struct {
	N   block.Const[int]     `default:"1" min:"1" max:"1000000" doc:"steps"`
	In  block.In[[]float64]  `part:"control" missing:"0" doc:"the vector to delay"`
	Out block.Out[[]float64] `part:"sense" doc:"the vector of n steps ago"`

	buffer []float64 // n vectors, the oldest at next
	next   int
}

// maxBuffer is the maximum number of numbers that a delay holds.
const maxBuffer = 1 << 24

// Setup declares the length of in.
func (d *Delay) Setup(s *block.Setup) error {
	s.SameLen(&d.In, &d.Out)
	return nil
}

// Start allocates the buffer.
func (d *Delay) Start() error {
	if d.Out.Len() > maxBuffer/d.N.Value() {
		return fmt.Errorf("%d steps of vectors of %d numbers: at most %d numbers are possible", d.N.Value(), d.Out.Len(), maxBuffer)
	}
	d.buffer = make([]float64, d.N.Value()*d.Out.Len())
	d.next = 0
	return nil
}

// Restart implements [block.Restarter].
func (d *Delay) Restart() {
	clear(d.buffer)
	d.next = 0
}

// Sense writes the oldest vector.
func (d *Delay) Sense(clock.Tick) error {
	d.Out.Write(d.buffer[d.next : d.next+d.Out.Len()])
	return nil
}

// Control replaces it with the newest.
func (d *Delay) Control(clock.Tick) error {
	in, _ := d.In.Read()
	d.next += copy(d.buffer[d.next:], in)
	if d.next == len(d.buffer) {
		d.next = 0
	}
	return nil
}
