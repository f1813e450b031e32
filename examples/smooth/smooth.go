package main

import (
	"errors"
	"math"

	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/clock"
)

// Smooth removes noise from a vector with a first-order low-pass for each element.
//
//	y += (1 − exp(−2π · cutoff · dt)) · (x − y)
//
// An input that differs from y by more than jump is not noise: y follows immediately, and the event jumped reports
// the element.
type Smooth struct {
	In  block.In[[]float64]  `trigger:"yes" doc:"the vector to smooth"`
	Out block.Out[[]float64] `watch:"yes" doc:"the smooth vector"`

	Cutoff block.Param[float64] `unit:"Hz" default:"5" min:"0.001" doc:"faster changes are damped"`
	Jump   block.Param[float64] `default:"1" min:"0" doc:"the output follows a larger difference immediately"`

	Jumped  block.Event[int64]                      `doc:"an element has jumped: its index"`
	Restart block.Operation[block.None, block.None] `doc:"take the next input without smoothing"`

	y       []float64
	running bool
}

var errNotANumber = errors.New("in has an element that is not a number")

// Setup declares that the output is as long as the input, and defines the operation.
func (b *Smooth) Setup(s *block.Setup) error {
	s.SameLen(&b.In, &b.Out)
	b.Restart.Handle(func(block.None) (block.None, error) {
		b.running = false
		return block.None{}, nil
	})
	return nil
}

// Start allocates memory, now that the length is known.
func (b *Smooth) Start() error {
	b.y, b.running = make([]float64, b.Out.Len()), false
	return nil
}

// Step runs when there is a new input.
func (b *Smooth) Step(t clock.Tick) error {
	x, _ := b.In.Read()
	if !b.running {
		copy(b.y, x)
		b.running = true
	}
	share := 1 - math.Exp(-2*math.Pi*b.Cutoff.Value()*t.Seconds())
	for i := range x {
		difference := x[i] - b.y[i]
		switch {
		case math.IsNaN(difference):
			b.running = false
			return errNotANumber
		case math.Abs(difference) > b.Jump.Value():
			b.y[i] = x[i]
			b.Jumped.Emit(int64(i))
		default:
			b.y[i] += share * difference
		}
	}
	b.Out.Write(b.y)
	return nil
}
